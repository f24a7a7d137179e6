// Hot reads on PostgreSQL, by the driver itself: through Effect's client a read takes the program twice as long.
import { SqlError, type Statement } from "@effect/sql"
import { type Context, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { Pool, PoolClient, Query, Result } from "pg"
import type { PreparedStatements } from "./PreparedStatements.ts"
import type * as StatementMetrics from "./StatementMetrics.ts"
import * as StatementSites from "./StatementSites.ts"

export interface Options {
  readonly metrics: StatementMetrics.StatementMetrics | undefined
  /** Whether a pooler is between, behind which the next transaction may run on another connection of the server. */
  readonly pooled: boolean
}

/** The statements of a pool. */
export const make = (
  pool: Pool,
  { metrics, pooled }: Options
): Required<Pick<Context.Tag.Service<PreparedStatements>, "one" | "all" | "values">> => {
  const run = (
    query: Query,
    use: (result: Result) => Effect.Effect<unknown>,
    statement: object
  ): Effect.Effect<unknown, SqlError.SqlError> =>
    Effect.async((resume) => {
      const started = metrics === undefined ? 0 : performance.now()
      let client: PoolClient | undefined
      let isOver = false
      const fail = (cause: unknown, message: string) => {
        metrics?.failed(started)
        resume(Effect.fail(StatementSites.noted(new SqlError.SqlError({ cause, message }), statement)))
      }
      pool.connect((refused, taken) => {
        if (taken === undefined) return isOver ? undefined : fail(refused, "Failed to acquire connection")
        // The fiber was interrupted while it waited.
        if (isOver) return taken.release()
        client = taken
        // The statement fails as well: this one keeps the process from ending.
        taken.once("error", ignore)
        taken.query(query, (cause, result) => {
          isOver = true
          taken.removeListener("error", ignore)
          // A name stands for a plan, which a migration may have made useless: another connection makes it anew.
          taken.release(cause !== null && query.name !== undefined)
          if (cause !== null) return fail(cause, "Failed to execute statement")
          metrics?.succeeded(started)
          resume(use(result))
        })
      })
      return Effect.sync(() => {
        const running = isOver ? undefined : client?.processID
        isOver = true
        // Nobody reads the rows: the server need not look for them.
        if (typeof running === "number") pool.query("SELECT pg_cancel_backend($1)", [running], ignore)
      })
    })
  // A boundary: the type of a row is what its statement selects.
  const typed = <A>(read: Effect.Effect<unknown, SqlError.SqlError>) => read as Effect.Effect<A, SqlError.SqlError>
  const named = (statement: Statement.Statement<object>) => {
    const [text] = statement.compile()
    // A name is known to one connection of the server.
    const name = pooled ? undefined : createHash("sha256").update(text).digest("hex").slice(0, 32)
    return (values: ReadonlyArray<unknown>): Query => ({ name, text, values })
  }
  return {
    one: <Row extends object>(statement: Statement.Statement<Row>) => {
      const query = named(statement)
      return (parameters) => typed<Option.Option<Row>>(run(query(parameters), firstRow, statement))
    },
    all: <Row extends object>(statement: Statement.Statement<Row>) => {
      const query = named(statement)
      return (parameters) => typed<ReadonlyArray<Row>>(run(query(parameters), allRows, statement))
    },
    // Without a name: the plan that the server keeps for any limit and any value of a filter is not the one for ten rows.
    values: (statement) => {
      const [text] = statement.compile()
      return (parameters) =>
        typed<ReadonlyArray<ReadonlyArray<unknown>>>(
          run({ name: undefined, text, values: parameters, rowMode: "array" }, allRows, statement)
        )
    }
  }
}

const ignore = (): void => {}

const firstRow = ({ rows }: Result): Effect.Effect<Option.Option<unknown>> =>
  Effect.succeed(Option.fromNullable(rows[0]))

const allRows = ({ rows }: Result): Effect.Effect<ReadonlyArray<unknown>> => Effect.succeed(rows)
