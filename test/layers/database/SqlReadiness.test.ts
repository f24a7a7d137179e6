import { SqlClient, SqlError } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, TestClock } from "effect"
import * as SqlReadiness from "../../../layers/database/SqlReadiness.ts"
import { NotReady, Readiness } from "../../../src/observability/internal/HealthResult.ts"
import { describeDatabases } from "../../support/Databases.ts"

const check = Effect.flatMap(Readiness, ({ check }) => check)

/** The same client, whose statements do this instead. */
const instead = (statement: Effect.Effect<never, SqlError.SqlError>) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (sql): SqlClient.SqlClient => Object.assign(() => statement, sql))
  )

describeDatabases("readiness", (database) => {
  layer(database.layer)((it) => {
    it.effect("is given when the database responds", () =>
      Effect.gen(function* () {
        expect(yield* Effect.exit(Effect.provide(check, SqlReadiness.layer))).toEqual(Exit.void)
      })
    )

    it.effect("is not given when it refuses", () =>
      Effect.gen(function* () {
        const refusal = new SqlError.SqlError({ cause: new Error("gone"), message: "no connection" })
        const failure = yield* Effect.flip(
          Effect.provide(check, Layer.provide(SqlReadiness.layer, instead(Effect.fail(refusal))))
        )
        expect(failure).toEqual(new NotReady({ part: "database", reason: "no connection" }))
      })
    )

    it.effect("is not waited for longer than two seconds", () =>
      Effect.gen(function* () {
        const waiting = yield* Effect.fork(
          Effect.flip(Effect.provide(check, Layer.provide(SqlReadiness.layer, instead(Effect.never))))
        )
        yield* TestClock.adjust("2 seconds")
        expect((yield* Fiber.join(waiting)).reason).toBe("it does not respond")
      })
    )
  })
})
