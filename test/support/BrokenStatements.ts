// A database that breaks at one statement of an effect, before or after it has run it.
import { type SqlClient, Statement } from "@effect/sql"
import { Context, Effect, Layer, type Scope } from "effect"
import { PreparedStatements } from "../../layers/database/internal/PreparedStatements.ts"

/** Where the database breaks: before or after it has run this statement of an operation. */
export interface Fault {
  readonly at: number
  readonly when: "before" | "after"
}

/** Runs the effect with the fault; how many of its statements the database has run, and whether one broke. */
export const broken = <A, E, R>(effect: Effect.Effect<A, E, R>, fault: Fault | undefined) =>
  Effect.gen(function* () {
    let [reached, isBroken] = [0, false]
    const away = Effect.suspend(() => {
      isBroken = true
      return Effect.die(new Error("the database is away"))
    })
    const inject: Statement.Statement.Transformer = (statement) =>
      Effect.suspend(() => {
        if (isBroken || fault?.at !== reached) return Effect.sync(() => (reached++, statement))
        if (fault.when === "before") return away
        reached++
        return Effect.zipRight(Effect.orDie(Statement.withTransformerDisabled(statement)), away)
      })
    const exit = yield* Effect.exit(Statement.withTransformer(effect, inject))
    return { exit, reached, isBroken }
  })

/** A layer without prepared statements: a fault is put into those of the client alone. */
export const unprepared = <A, E>(
  layer: Layer.Layer<A, E, SqlClient.SqlClient>
): Layer.Layer<A, E, SqlClient.SqlClient> =>
  Layer.scopedContext(
    Effect.mapInputContext(Layer.build(layer), (services: Context.Context<SqlClient.SqlClient | Scope.Scope>) =>
      Context.omit(PreparedStatements)(services)
    )
  )
