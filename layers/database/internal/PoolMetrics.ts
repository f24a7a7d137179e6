// The connections of the pools of a program, where it has a registry of metrics.
import { Effect, Option, type Scope } from "effect"
import * as Gauge from "../../../src/observability/Gauge.ts"
import { Observability } from "../../../src/observability/Observability.ts"

/** What a pool of `pg` counts. */
interface Counts {
  readonly totalCount: number
  readonly idleCount: number
  readonly waitingCount: number
}

interface Pool {
  readonly counts: Counts
  readonly limit: number
}

// The open pools of one registry are added up.
const pools = new WeakMap<object, Set<Pool>>()

const gauges = (open: ReadonlySet<Pool>) => {
  const sum = (count: (pool: Pool) => number) => () => [...open].reduce((total, pool) => total + count(pool), 0)
  const help = "Connections to the database by state"
  return Effect.all([
    Gauge.observable(
      "database_connections",
      sum(({ counts }) => counts.totalCount - counts.idleCount),
      { help, labels: { state: "used" } }
    ),
    Gauge.observable(
      "database_connections",
      sum(({ counts }) => counts.idleCount),
      { help, labels: { state: "idle" } }
    ),
    Gauge.observable(
      "database_connections_waiting",
      sum(({ counts }) => counts.waitingCount),
      { help: "Callers that wait for a connection to the database" }
    ),
    Gauge.observable(
      "database_connections_limit",
      sum(({ limit }) => limit),
      { help: "Connections to the database that may be open at a time" }
    )
  ])
}

/** Measures the pool until the scope closes: connections in use and idle, callers that wait for one, and the limit. */
export const register = (counts: Counts, limit: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(
    Effect.serviceOption(Observability),
    Option.match({
      onNone: () => Effect.void,
      onSome: ({ metrics }) =>
        Effect.gen(function* () {
          const pool: Pool = { counts, limit }
          const open = pools.get(metrics) ?? new Set()
          yield* Effect.acquireRelease(
            Effect.sync(() => open.add(pool)),
            () => Effect.sync(() => open.delete(pool))
          )
          if (pools.has(metrics)) return
          pools.set(metrics, open)
          for (const gauge of yield* gauges(open)) yield* metrics.push(gauge)
        }).pipe(
          Effect.catchTag("InvalidInstrument", ({ message }) =>
            Effect.logWarning(`Connections to the database are not measured: ${message}`)
          )
        )
    })
  )
