// Every statement that reaches a database, whichever way it takes.
import { type SqlClient, Statement } from "@effect/sql"
import { Context, Effect, Layer } from "effect"
import { orPlain, type Planning, PreparedStatements } from "../../../layers/database/internal/PreparedStatements.ts"

export class Spy extends Context.Tag("test/Spy")<
  Spy,
  {
    readonly statements: Array<string>
    /** Runs before each statement that the client sends. */
    before: (text: string) => Effect.Effect<void>
  }
>() {}

const transformer = Layer.unwrapEffect(
  Effect.map(Spy, (spy) =>
    Statement.setTransformer((statement) => {
      const [text] = statement.compile()
      spy.statements.push(text)
      return Effect.as(spy.before(text), statement)
    })
  )
)

const prepared = Layer.effect(
  PreparedStatements,
  Effect.gen(function* () {
    const spy = yield* Spy
    const prepared = yield* orPlain
    const { all, one, values } = prepared
    const seen =
      <Given, A, E>(statement: Statement.Statement<object>, read: (given: Given) => Effect.Effect<A, E>) =>
      (given: Given) =>
        Effect.suspend(() => {
          const [text] = statement.compile()
          spy.statements.push(text)
          return read(given)
        })
    return PreparedStatements.of({
      ...prepared,
      one: (statement) => seen(statement, one(statement)),
      all: (statement) => seen(statement, all(statement)),
      ...(values !== undefined && {
        values: (statement: Statement.Statement<object>, planning?: Planning) => {
          const read = seen(statement, values(statement, planning))
          return (given: ReadonlyArray<unknown>) =>
            Effect.zipRight(
              Effect.suspend(() => spy.before(statement.compile()[0])),
              read(given)
            )
        }
      })
    })
  })
)

/** The database with a spy at its door. */
export const spied = <E>(database: Layer.Layer<SqlClient.SqlClient, E>): Layer.Layer<SqlClient.SqlClient | Spy, E> =>
  Layer.merge(transformer, prepared).pipe(
    Layer.provideMerge(Layer.sync(Spy, () => ({ statements: [], before: () => Effect.void }))),
    Layer.provideMerge(database)
  )

/** What an effect sends to the database. */
export const statementsOf = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<readonly [A, ReadonlyArray<string>], E, R | Spy> =>
  Effect.gen(function* () {
    const spy = yield* Spy
    spy.statements.length = 0
    const value = yield* effect
    // To ask whether anything has changed is no query, nor is a look into the catalogue.
    return [value, spy.statements.filter((text) => !/pg_catalog|pragma_/.test(text))] as const
  })
