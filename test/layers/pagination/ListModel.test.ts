// Random tables, orders, filters and writers, in a program that is disturbed; a sort of all rows in memory is the judge. docs/contributing.md says how many
// lists `npm run fuzz -- pagination` reads.
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Layer, Redacted } from "effect"
import { setImmediate } from "node:timers/promises"
import * as CursorSignature from "../../../layers/pagination/internal/CursorSignature.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import { CursorCodec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import * as Counted from "../../fuzz/Counted.ts"
import { describeDatabases, type Engine } from "../../support/Databases.ts"
import * as Disturbance from "./model/Disturbance.ts"
import { judge, type Model } from "./model/Judge.ts"
import * as List from "./model/List.ts"
import * as Table from "./model/Table.ts"
import * as Writer from "./model/Writer.ts"

// Each of the tables is read by half of these lists on average: 10,500 in a repetition of `npm run fuzz`.
const [tables, lists] = Counted.isFuzzing ? [100, 105] : [6, 40]

// Not biased towards small numbers: the number of lists is what it says.
const models = (engine: Engine) =>
  fc.noBias(
    Table.table(engine).chain((table) =>
      fc.record({
        table: fc.constant(table),
        rows: fc.array(Table.row(table), { maxLength: 30, size: "max" }),
        lists: fc.array(List.list(table), { maxLength: lists, size: "max" }),
        isCached: fc.boolean(),
        isSigned: fc.boolean()
      })
    )
  )

const signed = CursorSignature.make([Redacted.make("a key of thirty-two characters..")])

describeDatabases("A model of lists", (database) => {
  const ready = Layer.effectDiscard(Table.types(database.name)).pipe(Layer.provideMerge(database.layerEmpty))
  layer(ready)((it) => {
    it.effect.prop(
      "has every row in its place, in every order, forward, backward and while rows change",
      { model: models(database.name) },
      ({ model: { isCached, isSigned, lists, rows, table } }) =>
        Effect.gen(function* () {
          yield* Table.create(table)
          const made = SqlRepository.make(Table.entityOf(table), {}, isCached ? {} : { cacheBytes: 0 })
          const repository = yield* isSigned ? Effect.provideService(made, CursorCodec, signed) : made
          const state: Writer.State = { rows: [], written: new Map() }
          yield* Writer.insert(table, state, rows)
          const model: Model = { table, state, repository }
          for (const list of lists) {
            yield* Effect.catchAllCause(judge(model, list), (cause) =>
              Effect.die(new Error(`${List.describe(list)}\nof ${JSON.stringify(table)}\n${String(cause)}`, { cause }))
            )
            Counted.add("lists", 1)
            if (list.disturbance._tag !== "None") Counted.add(Disturbance.counted(list.disturbance), 1)
            // SQLite never waits, and the worker has messages to read.
            yield* Effect.promise(() => setImmediate())
          }
          expect(state.rows.length).toBeLessThan(1000)
        }),
      { fastCheck: { numRuns: tables } }
    )
  })
})
