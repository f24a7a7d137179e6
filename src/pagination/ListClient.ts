// A walk through a list of another program, from cursor to cursor: one part in memory at a time.
import { Chunk, Effect, Option, Stream } from "effect"

/** One part of a list, and the cursors beside it. */
export interface Part<A> {
  readonly items: ReadonlyArray<A>
  readonly next?: string | null
  readonly previous?: string | null
}

/** The part that is read next. */
export interface Position {
  readonly limit: number
  readonly cursor?: string
  readonly before?: string
}

/** Where a walk starts, and its direction. */
export interface Options {
  /** Where the walk starts: the `next` of a part that was read before; at the start of the list without it. */
  readonly cursor?: string | undefined
  /** Rows of a part; 100 by default. */
  readonly limit?: number | undefined
  /** Reads the list from its end to its start; the server must allow it. */
  readonly backward?: boolean | undefined
}

/** The items in the order of the walk, and the cursor at which another walk goes on; null at the end. */
export interface Page<A> {
  readonly items: ReadonlyArray<A>
  readonly next: string | null
}

/**
 * The parts of a list. Keep `next` of the last part that was processed to go on later.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiClient, HttpApiGroup } from "@effect/platform"
 * import { Effect, Stream } from "effect"
 * import { Column, Entity, ListClient } from "effect-framework/pagination"
 * import { ListEndpoint } from "effect-framework/routes/pagination"
 *
 * const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
 * const cups = ListEndpoint.make("list", "/cups", { item: Cup.schema })
 * const CupsApi = HttpApi.make("cups").add(HttpApiGroup.make("cups").add(cups.endpoint))
 *
 * type Part = ListClient.Page<typeof Cup.schema.Type>
 *
 * // `save` keeps the items of a part together with its `next`, at which the next copy goes on.
 * export const copy = (kept: string | undefined, save: (part: Part) => Effect.Effect<void>) =>
 *   Effect.gen(function* () {
 *     const client = yield* HttpApiClient.make(CupsApi, { baseUrl: "https://teapots.example" })
 *     const parts = ListClient.pages((urlParams) => client.cups.list({ urlParams }), { cursor: kept })
 *     yield* Stream.runForEach(parts, save)
 *   })
 * ```
 */
export const pages = <A, E, R>(
  read: (position: Position) => Effect.Effect<Part<A>, E, R>,
  { backward = false, cursor = "", limit = 100 }: Options = {}
): Stream.Stream<Page<A>, E, R> =>
  Stream.paginateEffect(cursor, (at) =>
    Effect.map(read(backward ? { limit, before: at } : { limit, cursor: at }), (part) => {
      const next = backward ? part.previous : part.next
      // Both are mistakes of the server. Reading on would never end, and stopping would leave rows out.
      if (next === undefined) throw new TypeError("the response has no cursor to walk by")
      if (next === at && at !== "") throw new TypeError("the response leads to itself")
      const page: Page<A> = { items: backward ? part.items.toReversed() : part.items, next }
      return [page, Option.fromNullable(next)] as const
    })
  )

/** Every item of a list, in the order of the walk. */
export const stream = <A, E, R>(
  read: (position: Position) => Effect.Effect<Part<A>, E, R>,
  options?: Options
): Stream.Stream<A, E, R> =>
  Stream.flattenChunks(Stream.map(pages(read, options), ({ items }) => Chunk.unsafeFromArray(items)))
