import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Connection from "../../../src/pagination/Connection.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import { reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

describeDatabases("A connection", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect.prop(
      "has the edges and the page info that the specification of connections computes",
      {
        table: fc.constantFrom(...Things.keys).chain((key) => Things.things(key, 12).map((rows) => ({ key, rows }))),
        orders: Things.orders,
        size: fc.integer({ min: 1, max: 14 }),
        edge: fc.option(fc.nat({ max: 11 }))
      },
      ({ edge, orders, size, table: { key, rows } }) =>
        Effect.gen(function* () {
          const entity = erase(Things.entities[key])
          yield* Things.fresh(entity, rows)
          const things = yield* SqlRepository.make(entity)
          const selection = reorder(things.select, orders)
          const sorted = [...rows].sort(Things.comparator(Keyset.orders(selection)))
          const whole = yield* Connection.read(things, { first: 100 }, { selection })
          expect(whole.edges.map(({ node }) => node)).toEqual(sorted)
          const at = edge === null || edge >= sorted.length ? undefined : edge
          const cursor = at === undefined ? null : (whole.edges[at]?.cursor ?? null)

          // ApplyCursorsToEdges, then EdgesToReturn.
          const start = at === undefined ? 0 : at + 1
          const forward = yield* Connection.read(things, { first: size, after: cursor }, { selection })
          expect(forward).toEqual(info(whole.edges, start, Math.min(start + size, sorted.length)))

          const end = at ?? sorted.length
          const backward = yield* Connection.read(things, { last: size, before: cursor }, { selection })
          expect(backward).toEqual(info(whole.edges, Math.max(0, end - size), end))
        }),
      { fastCheck: { numRuns: 20 } }
    )

    it.effect("has a schema for its JSON", () =>
      Effect.gen(function* () {
        const Cup = Entity.make("cups", { key: "id", columns: { id: Column.bigint, name: Column.text } })
        yield* Things.fresh(Cup, [{ id: 2n ** 60n, name: "blue" }])
        const cups = yield* SqlRepository.make(Cup)
        const schema = Connection.schema(cups.schema)
        const found = yield* Connection.read(cups, { last: 1 })
        const json: unknown = JSON.parse(JSON.stringify(yield* Schema.encode(schema)(found)))
        expect(json).toMatchObject({ edges: [{ node: { id: String(2n ** 60n), name: "blue" } }] })
        expect(yield* Schema.decodeUnknown(schema)(json)).toEqual(found)
      })
    )

    it.effect("refuses a cursor of another list", () =>
      Effect.gen(function* () {
        const entity = Things.entities.integer
        yield* Things.fresh(entity, [])
        const things = yield* SqlRepository.make(entity)
        const forged = yield* Effect.flip(Connection.read(things, { first: 1, after: "oops" }))
        expect(forged._tag).toBe("InvalidCursor")
        const both = yield* Effect.flip(Connection.read(things, { first: 1, last: 1 }))
        expect(both._tag).toBe("InvalidPagination")
      })
    )
  })
})

const info = <A>(all: Connection.Connection<A>["edges"], start: number, end: number): Connection.Connection<A> => {
  const edges = all.slice(start, end)
  return {
    edges,
    pageInfo: {
      hasNextPage: end < all.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null
    }
  }
}
