import { SqlClient } from "@effect/sql"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as PreparedStatements from "../../../layers/database/internal/PreparedStatements.ts"
import * as StatementMetrics from "../../../layers/database/internal/StatementMetrics.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import { isDistribution } from "../../../src/observability/internal/snapshot/Series.ts"
import { describeDatabases } from "../../support/Databases.ts"

const registry = WorkerObservability.layerWith({ collectors: false })

/** The number of statements by outcome. */
const counts = Effect.gen(function* () {
  const { gather } = yield* Observability
  const series = (yield* gather).metrics.get("database_statement_duration_seconds")?.series ?? []
  return Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : Number.NaN]))
})

const grown = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* counts
    yield* work
    const after = yield* counts
    return Object.entries(after).map(([key, count]) => `${key} ${count - (before[key] ?? 0)}`)
  })

describeDatabases("The statements", (database) => {
  layer(database.layer.pipe(Layer.provideMerge(registry)))((it) => {
    it.effect("are counted by outcome, also those of a transaction and the prepared ones", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const work = Effect.gen(function* () {
          yield* sql`SELECT 1`
          yield* sql.unsafe("SELECT 2")
          yield* sql.withTransaction(sql`SELECT 3`)
          yield* Effect.ignore(sql`SELECT nothing FROM nowhere`)
          const prepared = yield* PreparedStatements.orPlain
          const read = prepared.one(sql`SELECT id FROM users WHERE id = ${""}`)
          yield* read(["a"])
          yield* read(["b"])
          yield* Effect.ignore(prepared.one(sql`SELECT nothing FROM nowhere WHERE id = ${""}`)(["a"]))
        })
        expect(yield* grown(work)).toEqual(['outcome="failure" 2', 'outcome="success" 5'])
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("run as before without a registry", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
        expect((yield* Effect.flip(sql`SELECT nothing FROM nowhere`))._tag).toBe("SqlError")
      })
    )
  })
})

it.effect("two databases of a registry are measured together", () =>
  Effect.gen(function* () {
    yield* StatementMetrics.measured(Effect.void, yield* StatementMetrics.make)
    yield* StatementMetrics.measured(Effect.void, yield* StatementMetrics.make)
    yield* StatementMetrics.measured(Effect.void, undefined)
    expect(yield* counts).toEqual({ 'outcome="failure"': 0, 'outcome="success"': 2 })
  }).pipe(Effect.provide(registry))
)
