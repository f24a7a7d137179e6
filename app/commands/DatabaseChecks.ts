// What `doctor` says of the database: whether it opens, which migrations it lacks, and whether its clock is that of this
// machine. A SQLite file is read and nothing is made, so that a check by another user leaves no file of theirs.
import { SqlClient } from "@effect/sql"
import { Clock, Effect, type Layer } from "effect"
import { existsSync, statSync } from "node:fs"
import type * as Migrations from "../../layers/database/Migrations.ts"
import { missing } from "../../layers/database/Migrations.ts"
import type { Tables } from "../../layers/database/Tables.ts"
import { failed, type Finding, fix, hint, ok } from "./Findings.ts"

// Milliseconds that two clocks may differ: links and codes live for minutes, a one-time code for half of one.
const tolerated = 5000

const seconds = (millis: number): number => Math.round(millis / 1000)

// SQLite has no clock of its own. A file that was written in the future shows that this one was set back.
const written = (file: string): number =>
  Math.max(0, ...[file, `${file}-wal`].map((path) => (existsSync(path) ? statSync(path).mtimeMs : 0)))

const clockOfFile = (file: string, now: number): Finding => {
  const ahead = written(file) - now
  return ahead <= tolerated
    ? ok("clock", `${new Date(now).toISOString()}, not before what was written`)
    : fix("clock", `${file} was written ${seconds(ahead)} seconds in the future: set the clock of this machine by NTP`)
}

const clockOfServer = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const asked = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ now: unknown }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`
  const answered = yield* Clock.currentTimeMillis
  const apart = Math.max(0, asked - Number(row?.now), Number(row?.now) - answered)
  return apart <= tolerated
    ? ok("clock", new Date(asked).toISOString())
    : fix("clock", `the database is ${seconds(apart)} seconds apart: set both machines by NTP`)
})

/** The parts of a program that the database is compared with. */
interface Expected {
  readonly migrations: Migrations.Migrations
  readonly tables: Tables | undefined
  /** The file of a SQLite database; `undefined` for a server, or for a client of the program's own. */
  readonly file: string | undefined
}

const opened = (sql: SqlClient.SqlClient, file: string | undefined): string =>
  sql.onDialectOrElse({
    pg: () => "PostgreSQL responds",
    orElse: () => (file === undefined || existsSync(file) ? "SQLite opens" : `the first start makes ${file}`)
  })

/** Opens the database, then compares its migrations and its clock. */
export const database = <E>(
  connection: Layer.Layer<SqlClient.SqlClient, E>,
  { file, migrations, tables }: Expected
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT 1`
    const lacking = yield* missing(migrations, tables === undefined ? {} : { tables })
    const [first = ""] = lacking
    const now = yield* Clock.currentTimeMillis
    return [
      ok("database", opened(sql, file)),
      lacking.length === 0
        ? ok("migrations", "all applied")
        : hint("migrations", `${lacking.length} to apply, ${first} first: the next start does, or the command migrate`),
      yield* sql.onDialectOrElse({
        pg: () => clockOfServer,
        orElse: () =>
          Effect.succeed(file === undefined ? ok("clock", new Date(now).toISOString()) : clockOfFile(file, now))
      })
    ]
  }).pipe(
    Effect.provide(connection),
    Effect.catchAll((error) => Effect.succeed([failed("database", error)]))
  )
