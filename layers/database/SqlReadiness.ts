// Ready when the database responds.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { NotReady, Readiness } from "../../src/observability/internal/HealthResult.ts"

/** Longer than a healthy database needs, shorter than the usual timeout of a load balancer. */
const timeout = "2 seconds"

/**
 * Reads one row from the database; a timeout counts as not ready.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Database, SqlReadiness } from "effect-framework/layers/database"
 * import { HealthChecks } from "effect-framework/observability"
 * import { Health } from "effect-framework/routes/observability"
 * import { Pipeline } from "effect-framework/routes/server"
 *
 * // `/readyz` answers 503 while the database does not respond; `/health` does not ask it.
 * export const probes = Pipeline.stateless([...Health.live, ...Health.ready])
 *
 * export const services = Layer.provideMerge(Layer.merge(SqlReadiness.layer, HealthChecks.layer), Database.layerConfig)
 * ```
 */
export const layer: Layer.Layer<Readiness, never, SqlClient.SqlClient> = Layer.effect(
  Readiness,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const timedOut = () => new NotReady({ part: "database", reason: "it does not respond" })
    return Readiness.of({
      part: "database",
      check: sql`SELECT 1`.pipe(
        Effect.asVoid,
        Effect.mapError((error) => new NotReady({ part: "database", reason: error.message })),
        // The driver of a frozen server cannot be interrupted.
        Effect.disconnect,
        Effect.timeoutFail({ duration: timeout, onTimeout: timedOut })
      )
    })
  })
)
