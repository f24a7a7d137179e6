import { describe, expect, it } from "@effect/vitest"
import { Chunk, Effect, FastCheck as fc, Stream } from "effect"
import * as ListClient from "../../../src/pagination/ListClient.ts"

interface Position {
  readonly limit: number
  readonly cursor?: string
  readonly before?: string
}

// A server whose cursors are positions in a list of numbers.
const serve = (total: number, requests: Array<Position> = []) => {
  const rows = Array.from({ length: total }, (_, index) => index)
  return (position: Position) => {
    requests.push(position)
    const { before, cursor, limit } = position
    const end = before === undefined || before === "" ? total : Number(before)
    const start = before === undefined ? Number(cursor === "" ? 0 : cursor) : Math.max(0, end - limit)
    const items = rows.slice(start, before === undefined ? start + limit : end)
    const last = start + items.length
    return Effect.succeed({
      items,
      limit,
      next: last < total ? String(last) : null,
      previous: start > 0 ? String(start) : null
    })
  }
}

const all = <A, E>(stream: Stream.Stream<A, E>) => Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

describe("A walk through a list", () => {
  it.effect.prop(
    "yields every row once, in the order of the walk",
    { total: fc.nat(30), limit: fc.integer({ min: 1, max: 10 }), backward: fc.boolean() },
    ({ backward, limit, total }) =>
      Effect.gen(function* () {
        const rows = Array.from({ length: total }, (_, index) => index)
        const read = yield* all(ListClient.stream(serve(total), { limit, backward }))
        expect(read).toEqual(backward ? rows.toReversed() : rows)
      })
  )

  it.effect.prop(
    "goes on at the cursor of any part",
    { total: fc.integer({ min: 1, max: 30 }), limit: fc.integer({ min: 1, max: 10 }), parts: fc.nat(5) },
    ({ limit, parts, total }) =>
      Effect.gen(function* () {
        const walk = ListClient.pages(serve(total), { limit })
        const done = yield* all(Stream.take(walk, parts))
        const kept = parts === 0 ? "" : (done.at(-1)?.next ?? null)
        const rest = kept === null ? [] : yield* all(ListClient.stream(serve(total), { cursor: kept }))
        const rows = Array.from({ length: total }, (_, index) => index)
        expect([...done.flatMap(({ items }) => items), ...rest]).toEqual(rows)
      })
  )

  it.effect("reads no further than its reader", () =>
    Effect.gen(function* () {
      const requests: Array<Position> = []
      yield* all(Stream.take(ListClient.stream(serve(1000, requests)), 150))
      expect(requests).toEqual([
        { limit: 100, cursor: "" },
        { limit: 100, cursor: "100" }
      ])
    })
  )

  it.effect("dies of a server that leads in a circle, or to nowhere", () =>
    Effect.gen(function* () {
      const circle = ListClient.stream(() => Effect.succeed({ items: [1], next: "same" }))
      expect(String(yield* Effect.sandbox(Stream.runDrain(circle)).pipe(Effect.flip))).toContain("leads to itself")
      const page = ListClient.stream(() => Effect.succeed({ items: [1] }))
      expect(String(yield* Effect.sandbox(Stream.runDrain(page)).pipe(Effect.flip))).toContain("no cursor")
    })
  )
})
