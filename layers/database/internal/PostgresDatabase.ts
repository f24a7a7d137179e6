// A PostgreSQL server for several machines, with a pool of connections for each worker.
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Redacted } from "effect"
import { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import * as RedactedUrl from "../../../src/database/internal/RedactedUrl.ts"
import * as OptionalPackage from "../../../src/config/internal/OptionalPackage.ts"
import { Notifications } from "./Notifications.ts"
import * as PoolMetrics from "./PoolMetrics.ts"
import { PreparedStatements, traced as tracedStatements } from "./PreparedStatements.ts"
import * as StatementMetrics from "./StatementMetrics.ts"
import * as StatementSites from "./StatementSites.ts"
import type { PoolConfig } from "./PostgresPool.ts"

/** Ten connections, five seconds to get one, and half a minute for a statement. */
const poolDefaults: PoolConfig = { maxConnections: 10, connectTimeout: 5000, statementTimeout: 30_000 }

/** The pool of connections, and the time limits of PostgreSQL. */
interface Options {
  /** Of one worker; workers times this stays below the server's own limit of 100. */
  readonly maxConnections: number
  /** Milliseconds, for a new connection as well as for a free one of a busy pool. */
  readonly connectTimeout: number
  /**
   * Milliseconds for a statement, 0 for no bound. The server ends a statement that takes longer; a connection
   * that stays silent after that is closed. A transaction that begins with `SET LOCAL statement_timeout` has its own
   * bound.
   */
  readonly statementTimeout: number
}

// Loaded by the programs that use it: the client and its driver are optional packages.
const driver = OptionalPackage.load("PostgreSQL", "@effect/sql-pg pg", async () => {
  const [{ PgClient }, PostgresPool, { make: statementsOf }] = await Promise.all([
    import("@effect/sql-pg"),
    import("./PostgresPool.ts"),
    import("./PostgresStatements.ts")
  ])
  return { PgClient, PostgresPool, statementsOf }
})

const make = Effect.fnUntraced(function* (url: Redacted.Redacted, options: Options) {
  const { PgClient, PostgresPool, statementsOf } = yield* Effect.mapError(driver, (missing) => refused(url, missing))
  const { bounded, parserOf, pool, pooled } = yield* PostgresPool.make(url, options).pipe(
    Effect.catchAllDefect((cause) => Effect.fail({ cause })),
    Effect.mapError((error) => refused(url, error.cause))
  )
  if (!bounded && options.statementTimeout > 0) yield* Effect.logWarning(unbounded(options.statementTimeout))
  yield* PoolMetrics.register(pool, options.maxConnections)
  const client = yield* PgClient.fromPool({ acquire: Effect.succeed(pool) }).pipe(
    Effect.mapError((error) => refused(url, error.cause))
  )
  const metrics = yield* StatementMetrics.make
  const sql = StatementSites.traced<SqlClient.SqlClient>(client, { metrics })
  const statements = yield* tracedStatements(statementsOf(pool, { metrics, parserOf, pooled }), {
    "db.system.name": "postgresql"
  })
  const services = Context.make(SqlClient.SqlClient, sql).pipe(Context.add(PreparedStatements, statements))
  // A pooler gives each transaction another connection: none of them could wait for a notification.
  return pooled ? services : Context.add(services, Notifications, { listen: client.listen })
})

/** The database behind a `postgres://` address. */
export const layer = (
  url: Redacted.Redacted,
  options: Partial<Options> = {}
): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.scopedContext(make(url, { ...poolDefaults, ...options })).pipe(Layer.provide(Reactivity.layer))

const unbounded = (statementTimeout: number): string =>
  `A pooler drops the bound of ${statementTimeout / 1000} seconds for a statement: set it for the role, with ` +
  `ALTER ROLE … SET statement_timeout = '${statementTimeout / 1000}s'`

const refused = (url: Redacted.Redacted, cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable({ database: RedactedUrl.redact(Redacted.value(url)), reason: reasonOf(cause) })

const startupParameter = /unsupported startup parameter.*statement_timeout/

// Node tries every address of a host and collects the failures; the first one is shown.
const reasonOf = (cause: unknown): string => {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const [line] = (first instanceof Error ? first.message : String(first)).split("\n")
  if (line === undefined || line === "") return "the server cannot be reached"
  return startupParameter.test(line) ? `${line}; PgBouncer needs ignore_startup_parameters = statement_timeout` : line
}
