// Hot reads on PostgreSQL, by the driver itself: through Effect's client a read takes the program twice as long.
import { SqlError, type Statement } from "@effect/sql"
import { type Context, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import * as Turn from "../../../src/http/internal/Turn.ts"
import { cancel } from "./PostgresCancel.ts"
import * as PostgresQuery from "./PostgresQuery.ts"
import type { Planning, PreparedStatements } from "./PreparedStatements.ts"
import type * as StatementMetrics from "./StatementMetrics.ts"
import * as StatementSites from "./StatementSites.ts"

interface Options {
  readonly metrics: StatementMetrics.StatementMetrics | undefined
  /** Whether a pooler is between, behind which the next transaction may run on another connection of the server. */
  readonly pooled: boolean
  readonly parserOf: PostgresQuery.Statement["parserOf"]
}

/** The statements of a pool. */
export const make = (
  pool: Pool,
  { metrics, parserOf, pooled }: Options
): Required<Pick<Context.Tag.Service<PreparedStatements>, "one" | "all" | "values">> => {
  const results = Turn.make((resume: () => void) => resume())
  // How many statements wait for their server.
  let sent = 0
  const run = <A>(
    written: Statement.Statement<object>,
    statement: PostgresQuery.Statement,
    values: ReadonlyArray<unknown>,
    use: (query: PostgresQuery.PostgresQuery) => A
  ): Effect.Effect<A, SqlError.SqlError> =>
    cancellable((resume) => {
      const started = metrics === undefined ? 0 : performance.now()
      let client: PoolClient | undefined
      let isOver = false
      let isCancelled = false
      let patience: NodeJS.Timeout | undefined
      const fail = (cause: unknown, message: string) => {
        metrics?.failed(started)
        resume(Effect.fail(StatementSites.noted(new SqlError.SqlError({ cause, message }), written)))
      }
      const attempt = (taken: PoolClient, statement: PostgresQuery.Statement, isAgain: boolean): void => {
        const query = new PostgresQuery.PostgresQuery(statement, values)
        sent++
        taken.query(query, (cause) => {
          sent--
          // Parsed anew it fails or not: only the server tells a statement that is outdated from one that is wrong.
          if (cause !== null && query.isReused && mayBeOutdated(cause) && !isOver) {
            return attempt(taken, { ...statement, name: undefined }, true)
          }
          clearTimeout(patience)
          taken.removeListener("error", ignore)
          // The cancellation of a statement that ended by itself would meet the next one of its connection. A connection
          // with an outdated statement is closed.
          taken.release(isCancelled || (isAgain && cause === null))
          if (isOver) return
          isOver = true
          if (cause !== null) return fail(cause, "Failed to execute statement")
          metrics?.succeeded(started)
          const settle = () => resume(Effect.try({ try: () => use(query), catch: unreadable }))
          // A result that is the only one shares its turn with none: a list takes 4 % less processor time.
          if (sent + results.size() === 0) settle()
          else results.add(settle)
        })
      }
      pool.connect((refused, taken) => {
        if (taken === undefined) return isOver ? undefined : fail(refused, "Failed to acquire connection")
        // The fiber was interrupted while it waited.
        if (isOver) return taken.release()
        client = taken
        // The statement fails as well: this listener only keeps the process alive.
        taken.once("error", ignore)
        attempt(taken, statement, false)
      })
      return () => {
        const running = isOver ? undefined : client
        isOver = true
        if (running === undefined) return
        // Nobody reads the rows: the server need not look for them any longer.
        const give = () => {
          isCancelled = true
          cancel(running, ignore)
        }
        patience = setTimeout(give, cancelAfter).unref()
      }
    })
  const described = (written: Statement.Statement<object>, planning: Planning): PostgresQuery.Statement => {
    const [text] = written.compile()
    // A name is known to one connection of the server.
    const isNamed = planning === "kept" && !pooled
    const name = isNamed ? createHash("sha256").update(text).digest("hex").slice(0, 32) : undefined
    return { text, name, known: new WeakMap(), parserOf }
  }
  const all = <Row extends object>(written: Statement.Statement<Row>, planning: Planning = "kept") => {
    const statement = described(written, planning)
    return (parameters: ReadonlyArray<unknown>) => run(written, statement, parameters, rowsOf<Row>)
  }
  return {
    all,
    one: (written) => {
      const read = all(written)
      return (parameters) => Effect.map(read(parameters), ([row]) => Option.fromNullable(row))
    },
    // Mostly without a name: the plan that the server keeps for any limit and any value of a filter is not the one for
    // ten rows.
    values: (written, planning = "unprepared") => {
      const statement = described(written, planning)
      return (parameters) => run(written, statement, parameters, (query) => query.lists())
    }
  }
}

type Resume<A, E> = (result: Effect.Effect<A, E>) => void

// Like `Effect.async` with a cancellation, which makes the interpreter take steps of its own after each statement that
// succeeds: a list takes 4 % less processor time. What `start` returns is called when the effect is interrupted or fails.
const cancellable = <A, E>(start: (resume: Resume<A, E>) => () => void): Effect.Effect<A, E> =>
  Effect.uninterruptibleMask((restore) => {
    let cancel = ignore
    const result = Effect.async<A, E>((resume) => {
      cancel = start(resume)
    })
    return Effect.catchAllCause(restore(result), (cause) => {
      cancel()
      return Effect.failCause(cause)
    })
  })

// Milliseconds that a statement which nobody waits for may take before it is cancelled: most are over by then.
const cancelAfter = 250

// A migration while the program runs: the types of a statement that was parsed before it no longer fit, or cannot hold the
// value (22…), or the server has forgotten the statement.
const mayBeOutdated = (cause: Error): boolean =>
  "code" in cause && typeof cause.code === "string" && /^(?:0A000|26000|22...|42...)$/.test(cause.code)

const ignore = (): void => {}

const unreadable = (cause: unknown): SqlError.SqlError =>
  new SqlError.SqlError({ cause, message: "Failed to read the rows of a statement" })

// A boundary: the type of a row is what its statement selects.
const rowsOf = <Row>(query: PostgresQuery.PostgresQuery): ReadonlyArray<Row> => query.objects() as ReadonlyArray<Row>
