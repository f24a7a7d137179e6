// Ready when the database responds.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { NotReady, Readiness } from "../../src/observability/internal/HealthResult.ts"

/** Longer than a healthy database needs, shorter than the usual timeout of a load balancer. */
const timeout = "2 seconds"

/** Reads one row from the database; a timeout counts as not ready. */
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
