// Ready when the database answers.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import { NotReady, Readiness } from "../../src/observability/Readiness.ts"

/** Longer than any healthy database takes, shorter than the patience of whoever asks. */
const patience = "2 seconds"

/** Asks the database for one row; silence counts as not ready. */
export const layer: Layer.Layer<Readiness, never, SqlClient.SqlClient> = Layer.effect(
  Readiness,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const silence = () => new NotReady({ part: "database", reason: "it does not answer" })
    return Readiness.of({
      check: sql`SELECT 1`.pipe(
        Effect.asVoid,
        Effect.mapError((error) => new NotReady({ part: "database", reason: error.message })),
        Effect.timeoutFail({ duration: patience, onTimeout: silence })
      )
    })
  })
)
