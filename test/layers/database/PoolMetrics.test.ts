import { SqlClient } from "@effect/sql"
import { describe, expect, inject, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import * as PoolMetrics from "../../../layers/database/internal/PoolMetrics.ts"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as Prometheus from "../../../src/observability/Prometheus.ts"
import { eventually } from "../../support/Eventually.ts"

const registry = WorkerObservability.layerWith({ collectors: false })

const figures = Effect.flatMap(Observability, (observability) =>
  Effect.map(observability.export(Prometheus.exporter), (text) =>
    text.split("\n").filter((line) => line.startsWith("database_connections"))
  )
)

describe("the connections of PostgreSQL", () => {
  it.scopedLive("are in use, idle, and waited for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* eventually(figures, (lines) => lines.includes('database_connections{state="idle"} 1'))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* sql.reserve
          yield* sql.reserve
          const third = yield* Effect.fork(sql`SELECT 1`)
          yield* eventually(figures, (lines) => lines.includes("database_connections_waiting 1"))
          expect(yield* figures).toEqual([
            'database_connections{state="idle"} 0',
            'database_connections{state="used"} 2',
            "database_connections_limit 2",
            "database_connections_waiting 1"
          ])
          yield* Effect.fork(Fiber.await(third))
        })
      )
      const free = yield* eventually(figures, (lines) => lines.includes('database_connections{state="idle"} 2'))
      expect(free).toContain("database_connections_waiting 0")
    }).pipe(
      Effect.provide(
        Layer.suspend(() =>
          PostgresDatabase.layer(Redacted.make(`${inject("postgresServer")}/postgres`), { maxConnections: 2 })
        ).pipe(Layer.provideMerge(registry))
      )
    )
  )

  it.scoped("of several pools are added up while they are open", () =>
    Effect.gen(function* () {
      const pool = { totalCount: 3, idleCount: 1, waitingCount: 0 }
      const one = [
        'database_connections{state="idle"} 1',
        'database_connections{state="used"} 2',
        "database_connections_limit 5",
        "database_connections_waiting 0"
      ]
      yield* PoolMetrics.register(pool, 5)
      expect(yield* figures).toEqual(one)
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* PoolMetrics.register({ totalCount: 9, idleCount: 0, waitingCount: 4 }, 9)
          expect(yield* figures).toEqual([
            'database_connections{state="idle"} 1',
            'database_connections{state="used"} 11',
            "database_connections_limit 14",
            "database_connections_waiting 4"
          ])
        })
      )
      expect(yield* figures).toEqual(one)
    }).pipe(Effect.provide(registry))
  )
})
