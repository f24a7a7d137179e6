// The two connections to a SQLite file: one that writes and one that only reads. Importing this file loads the driver.
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient, type SqlConnection, SqlError, type Statement } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import Sqlite from "better-sqlite3"
import { Context, Effect, Layer, Option, Scope } from "effect"
import type { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import { type Parameter, PreparedStatements, traced as tracedStatements } from "./PreparedStatements.ts"
import * as SqliteFile from "./SqliteFile.ts"
import * as StatementMetrics from "./StatementMetrics.ts"
import * as StatementSites from "./StatementSites.ts"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"

const make = Effect.fnUntraced(function* (path: string) {
  yield* warn
  const file = yield* SqliteFile.ready(path)
  const client = yield* SqliteClient.make({ filename: file }).pipe(Effect.tap(configure), SqliteFile.orRefused(path))
  const metrics = yield* StatementMetrics.make
  const { only, reserve } = yield* SqliteFile.orRefused(path)(sharing(client))
  const sql = StatementSites.traced<SqlClient.SqlClient>(
    Object.assign(client, { reserve, withTransaction: immediate(reserve) }),
    { metrics, only }
  )
  const reader = yield* Effect.acquireRelease(
    Effect.try({
      try: () => new Sqlite(file, { readonly: true, fileMustExist: true, timeout: SqliteFile.busyTimeout }),
      catch: (cause) => SqliteFile.refused(path, cause)
    }),
    (reader) => Effect.sync(() => reader.close())
  )
  const statements = yield* tracedStatements(prepared(reader, metrics), { "db.system.name": "sqlite" })
  return Context.make(SqlClient.SqlClient, sql).pipe(Context.add(PreparedStatements, statements))
})

/** The database in this file. */
export const layer = (path: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.scopedContext(make(path)).pipe(Layer.provide(Reactivity.layer))

// NORMAL loses no committed transaction when a process dies; a power cut may take the last ones, never the file.
const configure = (sql: SqlClient.SqlClient) =>
  Effect.forEach(
    [`busy_timeout = ${SqliteFile.busyTimeout}`, "foreign_keys = ON", "synchronous = NORMAL"],
    (pragma) => sql.unsafe(`PRAGMA ${pragma}`),
    { discard: true }
  )

// Whether the connection that writes is reserved: a statement beside a transaction must wait, or it would become part of it. A
// fiber may pause within a statement, so that a transaction waits for those that have begun, too.
const sharing = Effect.fnUntraced(function* ({ reserve: acquire }: SqlClient.SqlClient) {
  let [reservations, running] = [0, 0]
  const idle = yield* Effect.makeLatch(true)
  const taken = Effect.acquireRelease(
    Effect.sync(() => reservations++),
    () => Effect.sync(() => reservations--)
  )
  const reserve = Effect.uninterruptibleMask((restore) =>
    restore(acquire).pipe(Effect.zipLeft(taken), Effect.zipLeft(idle.await))
  )
  const connection = yield* Effect.scoped(acquire)
  const ended = Effect.sync(() => {
    if (--running === 0) idle.unsafeOpen()
  })
  const only: StatementSites.OnlyConnection = (run, otherwise) =>
    Effect.uninterruptibleMask((restore) => {
      if (reservations > 0) return restore(otherwise)
      const begun = run(connection)
      if (running++ === 0) idle.unsafeClose()
      return Effect.ensuring(begun, ended)
    })
  return { only, reserve }
})

// A deferred transaction that reads and then writes is refused without waiting when another process wrote in between.
const immediate = (reserve: SqlClient.SqlClient["reserve"]) => {
  const run = (connection: SqlConnection.Connection, text: string) => connection.executeUnprepared(text, [], undefined)
  // A begin that was refused, a full disk: SQLite has ended the transaction already and the first failure counts.
  const rollback = (connection: SqlConnection.Connection) =>
    Effect.catchIf(run(connection, "ROLLBACK"), isNotInTransaction, () => Effect.void)
  return SqlClient.makeWithTransaction({
    transactionTag: SqlClient.TransactionConnection,
    spanAttributes: [["db.system.name", "sqlite"]],
    acquireConnection: Effect.flatMap(Scope.make(), (scope) =>
      Effect.map(Scope.extend(reserve, scope), (connection) => [scope, connection] as const)
    ),
    begin: (connection) => run(connection, "BEGIN IMMEDIATE"),
    savepoint: (connection, id) => run(connection, `SAVEPOINT effect_sql_${id}`),
    // A commit that a deferred constraint refuses leaves the transaction open for the next caller.
    commit: (connection) => Effect.tapError(run(connection, "COMMIT"), () => rollback(connection)),
    rollback,
    rollbackSavepoint: (connection, id) => run(connection, `ROLLBACK TO SAVEPOINT effect_sql_${id}`)
  })
}

const isNotInTransaction = (error: SqlError.SqlError): boolean =>
  error.cause instanceof Error && error.cause.message.includes("no transaction is active")

type Values = ReadonlyArray<unknown>

/** A statement that is ready to run, and what makes a row of its values. */
interface Ready<Row> {
  readonly query: Sqlite.Statement<Array<Parameter>, Values>
  readonly toRow: (values: Values) => Row
}

// The driver looks up the name of each column for each row that it makes itself: ten columns in 13 µs instead of 7.
const ready = <Row extends object>(reader: Sqlite.Database, text: string): Ready<Row> => {
  const query = reader.prepare<Array<Parameter>, Values>(text).raw()
  const names = query.columns().map(({ name }) => name)
  const toRow = (values: Values): Row => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index++) row[names[index] ?? ""] = values[index]
    // A boundary: the statement names the columns of its row.
    return row as Row
  }
  return { query, toRow }
}

const prepared = (
  reader: Sqlite.Database,
  metrics: StatementMetrics.StatementMetrics | undefined
): Context.Tag.Service<PreparedStatements> => {
  const run = <Row extends object, A>(
    statement: Statement.Statement<Row>,
    read: (ready: Ready<Row>, parameters: ReadonlyArray<Parameter>) => A,
    isStable = true
  ) => {
    const [written] = statement.compile()
    const text = isStable ? planOnce(written) : written
    let known: Ready<Row> | undefined
    // The statement runs synchronously, so its start needs no place of its own.
    let started = 0
    return (parameters: ReadonlyArray<Parameter>) =>
      Effect.suspend((): Effect.Effect<A, SqlError.SqlError> => {
        try {
          if (metrics !== undefined) started = performance.now()
          // Prepared by the first call: the table may not be migrated when the layer is built.
          known ??= ready<Row>(reader, text)
          const found = read(known, parameters)
          metrics?.succeeded(started)
          return Effect.succeed(found)
        } catch (cause) {
          metrics?.failed(started)
          const error = new SqlError.SqlError({ cause, message: "Failed to execute statement" })
          return Effect.fail(StatementSites.noted(error, statement))
        }
      })
  }
  return {
    one: (statement) =>
      run(statement, ({ query, toRow }, parameters) => {
        const values = query.get(...parameters)
        return values === undefined ? Option.none() : Option.some(toRow(values))
      }),
    all: (statement) => run(statement, ({ query, toRow }, parameters) => query.all(...parameters).map(toRow)),
    values: (statement, planning) => {
      const read = run(statement, ({ query }, parameters) => query.all(...parameters), planning === "kept")
      // A boundary: the repository has converted every value for the driver.
      return (parameters) => read(parameters as ReadonlyArray<Parameter>)
    },
    commits: countCommits(reader)
  }
}

// The reader never writes, so every commit is another's and counts.
const countCommits = (reader: Sqlite.Database) => {
  let count: Sqlite.Statement<[], number> | undefined
  return () => {
    count ??= reader.prepare<[], number>("PRAGMA data_version").pluck()
    return count.get() ?? Number.NaN
  }
}

// A statement of SQLite that is planned once. Its values are read by the planner, those of a `LIMIT` always and the others
// where the tables were analyzed, and each call plans the statement again for its own. That takes more than half of the time
// of a read by an index: a page of the demo's articles takes 25 µs instead of 54 on an Intel Xeon.

/**
 * The statement, planned for any values. The planner does not look behind an operator, and a plus does nothing else: no
 * value changes, and a column lends it its affinity as before.
 */
export const planOnce = (text: string): string =>
  text.replaceAll(/'[^']*'|"[^"]*"|\?/g, (part) => (part === "?" ? "+?" : part))

// A build of the driver with which Node.js ends: https://github.com/nodejs/node/issues/65446
const isAffected = (node: string): boolean => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  return major === 24 && minor >= 19
}

// Version 12 gets this call from the headers of Node.js that it is compiled with; 13 is built on Node-API.
const call = "RemoveEnvironmentCleanupHook"

const calls = Option.liftThrowable((read: () => Buffer) => read().includes(call))

/** Says what to do where this Node.js would abort with the driver in this file; a file that cannot be read is no problem. */
export const problem = (node: string, read: () => Buffer): Option.Option<string> =>
  isAffected(node) && Option.contains(calls(read), true)
    ? Option.some(
        `Node.js ${node} aborts as soon as it collects garbage of better-sqlite3 12 as it was compiled here. ` +
          `Run npm pkg set 'overrides.better-sqlite3=^13.0.3' && npm install, or use Node.js 22 or 26.`
      )
    : Option.none()

const binary = (): Buffer => {
  const manifest = createRequire(import.meta.url).resolve("better-sqlite3/package.json")
  return Fs.readFileSync(Path.join(Path.dirname(manifest), "build", "Release", "better_sqlite3.node"))
}

/** Logs it as a warning. */
const warn: Effect.Effect<void> = Effect.suspend(() =>
  Option.match(problem(process.versions.node, binary), {
    onNone: () => Effect.void,
    onSome: (text) => Effect.logWarning(text)
  })
)
