// Relay connections over the cursors of a list: `first` and `after`, `last` and `before`, as edges and page info.
import { Effect, Either, Schema } from "effect"
import type { Columns, ForeignValue } from "./Column.ts"
import type { InvalidCursor } from "./Cursor.ts"
import type { Declared } from "./Entity.ts"
import { defaultLimit, maxLimit as mostByDefault } from "./internal/PageLimits.ts"
import * as Pagination from "./Pagination.ts"
import type { Paginated, Repository } from "./Repository.ts"
import type { Scope, Selection } from "./Selection.ts"

/** The arguments of a connection field. */
export interface Arguments {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** A part of a list as Relay clients read it. */
export interface Connection<A> {
  readonly edges: ReadonlyArray<{ readonly cursor: string; readonly node: A }>
  readonly pageInfo: {
    readonly hasNextPage: boolean
    readonly hasPreviousPage: boolean
    readonly startCursor: string | null
    readonly endCursor: string | null
  }
}

/** How many edges a connection has. */
export interface Sizes {
  /** Edges without `first` and `last`; 10 by default. */
  readonly limit?: number | undefined
  /** The most that `first` or `last` may ask for; 100 by default. */
  readonly maxLimit?: number | undefined
}

/** Which rows a connection has, and its sizes. */
export interface Options<C extends Columns, D extends Declared = Declared> extends Sizes {
  readonly selection?: Selection<C, D> | undefined
  readonly scope?: Scope<C, D> | undefined
}

const refuse = (reason: string): Either.Either<never, Pagination.InvalidPagination> =>
  Either.left(new Pagination.InvalidPagination({ reason }))

/**
 * The requested part; refuses arguments that contradict each other, and a size below 1 or above the most.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Column, Connection, Entity, type Repository } from "effect-framework/pagination"
 *
 * const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * // The two halves of `Connection.read`, for nodes that are not the rows.
 * export const resolve = (cups: Repository.For<typeof Cup>, given: Connection.Arguments) =>
 *   Effect.gen(function* () {
 *     const part = yield* Connection.pagination(given, { maxLimit: 50 })
 *     const { items, pagination } = yield* cups.paginate(cups.select.order("Asc", "name"), part)
 *     return Connection.make({ items: items.map(({ id, name }) => ({ name, url: `/cups/${id}` })), pagination })
 *   })
 * ```
 */
export const pagination = (
  { after, before, first, last }: Arguments,
  { limit = defaultLimit, maxLimit = mostByDefault }: Sizes = {}
): Either.Either<Pagination.Pagination, Pagination.InvalidPagination> => {
  if (isGiven(first) && isGiven(last)) return refuse("Ask for the first or for the last edges, not for both.")
  const isBackward = isGiven(last) || (isGiven(before) && !isGiven(first))
  if (isBackward ? isGiven(after) : isGiven(before)) {
    return refuse('"first" goes with "after", and "last" with "before".')
  }
  const [name, size] = isBackward ? (["last", last ?? limit] as const) : (["first", first ?? limit] as const)
  if (!Number.isSafeInteger(size) || size < 1 || size > maxLimit) {
    return refuse(`"${name}" must be a whole number from 1 to ${maxLimit}.`)
  }
  const cursor = (isBackward ? before : after) ?? ""
  if (typeof cursor !== "string") return refuse(`"${isBackward ? "before" : "after"}" must be a cursor.`)
  const position = isBackward ? { before: cursor } : { cursor }
  return Pagination.make({ ...position, limit: size, bidirectional: true, rowCursors: true })
}

const isGiven = (argument: unknown): boolean => argument !== undefined && argument !== null

/** The connection of a part that was read with the pagination above. */
export const make = <A>({ items, pagination }: Paginated<A>): Connection<A> => {
  const { more, previous, rowCursors } = pagination
  const cursors = rowCursors ?? []
  return {
    edges: items.map((node, index) => ({ cursor: cursors[index] ?? "", node })),
    pageInfo: {
      hasNextPage: more,
      hasPreviousPage: previous !== null,
      startCursor: cursors[0] ?? null,
      endCursor: cursors.at(-1) ?? null
    }
  }
}

/** Reads a part of a list as a connection. */
export const read = <C extends Columns, A, I, D extends Declared>(
  repository: Repository<C, A, I, D>,
  given: Arguments,
  { limit, maxLimit, scope, selection }: Options<C, NoInfer<D>> = {}
): Effect.Effect<Connection<A>, ForeignValue | InvalidCursor | Pagination.InvalidPagination> =>
  Effect.flatMap(pagination(given, { limit, maxLimit }), (part) =>
    Effect.map(repository.paginate(selection, part, scope), make)
  )

/**
 * The schema of a connection, from that of its nodes.
 *
 * @example
 * ```ts
 * import { HttpApiEndpoint } from "@effect/platform"
 * import { Schema } from "effect"
 * import { Column, Connection, Cursor, Entity, Pagination } from "effect-framework/pagination"
 *
 * const Cup = Entity.make("cups", { key: "id", columns: { id: Column.integer, name: Column.text } })
 *
 * export const cups = HttpApiEndpoint.get("cups", "/cups")
 *   .setUrlParams(Schema.Struct({ first: Schema.NumberFromString, after: Schema.optional(Schema.String) }))
 *   .addSuccess(Connection.schema(Cup.schema))
 *   .addError(Cursor.InvalidCursor, { status: 400 })
 *   .addError(Pagination.InvalidPagination, { status: 400 })
 * ```
 */
export const schema = <A, I>(node: Schema.Schema<A, I>) =>
  Schema.Struct({
    edges: Schema.Array(Schema.Struct({ cursor: Schema.String, node })),
    pageInfo: Schema.Struct({
      hasNextPage: Schema.Boolean,
      hasPreviousPage: Schema.Boolean,
      startCursor: Schema.NullOr(Schema.String),
      endCursor: Schema.NullOr(Schema.String)
    })
  })
