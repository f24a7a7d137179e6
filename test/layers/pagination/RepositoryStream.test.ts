import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Fiber, Stream } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Spy, spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const collect = <A, E>(stream: Stream.Stream<A, E>) => Effect.map(Stream.runCollect(stream), (chunk) => [...chunk])

const [example] = fc.sample(Things.things("integer", 1), { numRuns: 50, seed: 7 }).flat()
const numbered = (length: number): ReadonlyArray<Things.Thing> =>
  example === undefined ? [] : Array.from({ length }, (_, id) => ({ ...example, id }))

describeDatabases("A stream of a list", (database) => {
  layer(spied(database.layerEmpty))((it) => {
    it.effect.prop(
      "gives every row once and in order, whatever is read at once",
      {
        table: fc.constantFrom(...Things.keys).chain((key) => Things.things(key, 30).map((rows) => ({ key, rows }))),
        orders: Things.orders,
        batch: fc.integer({ min: 1, max: 12 }),
        least: fc.constantFrom(-2147483648, 0)
      },
      ({ batch, least, orders, table: { key, rows } }) =>
        Effect.gen(function* () {
          const entity = erase(Things.entities[key])
          yield* Things.fresh(entity, rows)
          const things = yield* SqlRepository.make(entity)
          const selection = reorder(things.select, orders)
          const expected = rows
            .filter((row) => Number(row.size) >= least)
            .sort(Things.comparator(Keyset.orders(selection)))
          const stream = things.stream(selection, {
            batch,
            scope: (all) => all.filter("size", "greaterOrEqual", least)
          })
          expect(yield* collect(stream)).toEqual(expected)
        }),
      { fastCheck: { numRuns: 30 } }
    )

    it.effect("reads one batch ahead of its reader at most, by one statement for each", () =>
      Effect.gen(function* () {
        const entity = erase(Things.entities.integer)
        yield* Things.fresh(entity, numbered(100))
        const things = yield* SqlRepository.make(entity)
        const [first, one] = yield* statementsOf(collect(Stream.take(things.stream(things.select, { batch: 10 }), 10)))
        expect([first.length, one.length]).toEqual([10, 1])
        const spy = yield* Spy
        spy.statements.length = 0
        const counts = yield* collect(
          Stream.mapEffect(things.stream(things.select, { batch: 10 }), (row) =>
            Effect.sync(() => spy.statements.length - Math.floor(Number(row["id"]) / 10))
          )
        )
        expect(counts.length).toBe(100)
        expect(new Set(counts)).toEqual(new Set([1]))
      })
    )

    it.effect("has the relations of its rows, and the default batch", () =>
      Effect.gen(function* () {
        yield* Things.fresh(erase(Things.entities.integer), numbered(3))
        const entity = Things.entities.integer
        const things = yield* SqlRepository.make(entity, { same: Relation.one(entity, "id") })
        const [rows, statements] = yield* statementsOf(collect(things.stream()))
        expect(rows.map(({ id, same }) => [id, same?.id])).toEqual([0, 1, 2].map((id) => [id, id]))
        expect(statements).toHaveLength(database.name === "PostgreSQL" ? 1 : 2)
      })
    )

    it.effect("is refused before any query for an order or a filter that a walk cannot have", () =>
      Effect.gen(function* () {
        const things = yield* SqlRepository.make(Things.entities.integer)
        for (const stream of [
          // @ts-expect-error -- no place for nulls
          things.stream(things.select.order("Asc", "note")),
          things.stream(things.select.filter("score", "equal", Number.NaN)),
          things.stream(things.select, { batch: 0 })
        ]) {
          const [error, statements] = yield* statementsOf(Effect.flip(collect(stream)))
          expect([error._tag, statements]).toEqual(["InvalidPagination", []])
        }
      })
    )

    it.effect("stops reading when its reader stops", () =>
      Effect.gen(function* () {
        const entity = erase(Things.entities.integer)
        yield* Things.fresh(entity, numbered(50))
        const things = yield* SqlRepository.make(entity)
        const spy = yield* Spy
        spy.statements.length = 0
        const fiber = yield* Effect.fork(
          Stream.runForEach(things.stream(things.select, { batch: 1 }), () => Effect.never)
        )
        while (spy.statements.length === 0) yield* Effect.yieldNow()
        yield* Fiber.interrupt(fiber)
        expect(spy.statements.length).toBe(1)
      })
    )
  })
})
