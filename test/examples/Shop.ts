// The shop as a process: on a fresh database, with a mail server, its commands and its metrics.
import { SqlClient } from "@effect/sql"
import { Clock, Context, Duration, Effect, Layer, type Scope } from "effect"
import * as Databases from "../support/Databases.ts"
import * as Demo from "../support/Demo.ts"
import { run } from "../support/Packed.ts"
import * as SmtpServer from "../support/SmtpServer.ts"

export interface Variant {
  readonly database: Databases.Engine
  readonly workers: number
}

export const variants: ReadonlyArray<Variant> = [
  { database: "SQLite", workers: 1 },
  { database: "SQLite", workers: 2 },
  { database: "PostgreSQL", workers: 1 },
  { database: "PostgreSQL", workers: 2 }
]

export interface Running {
  readonly url: string
  readonly variant: Variant
  readonly process: Demo.Process
  readonly mails: SmtpServer.Running
  /** Runs a command of the shop; what it printed. */
  readonly command: (...words: ReadonlyArray<string>) => Promise<string>
  /** The names of all tables, sorted. */
  readonly tables: Effect.Effect<ReadonlyArray<string>>
}

const engines = { SQLite: Databases.sqlite, PostgreSQL: Databases.postgres }

/** Starts it from its build and waits until it listens; `commands` is the program that runs its commands. */
export const start = Effect.fnUntraced(function* (project: string, variant: Variant, commands: string) {
  const scope = yield* Effect.scope
  const services = yield* Layer.buildWithScope(engines[variant.database].layerEmpty, scope)
  const mails = yield* SmtpServer.serve()
  const env = {
    PORT: "0",
    WORKERS: String(variant.workers),
    STORAGE_DIR: yield* Demo.folder,
    DATABASE_URL: Context.get(services, Databases.TestDatabase).url,
    MAIL_HOST: "127.0.0.1",
    MAIL_PORT: String(mails.port),
    MAIL_SECURE: "none",
    MAIL_QUEUE: "1",
    AUTH_ARGON2_MEMORY: "19456",
    AUTH_ARGON2_TIME: "2"
  }
  const command = async (...words: ReadonlyArray<string>) =>
    (await run(globalThis.process.execPath, [commands, ...words], { cwd: project, env: inherited(env) })).stdout
  yield* Effect.promise(() => command("migrate"))
  yield* Effect.provide(downSinceYesterday, services)
  const process = yield* Demo.start(["dist/main.js"], env, project)
  const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
  const tables = Effect.provide(tableNames, services)
  const running: Running = { url, variant, process, mails, command, tables }
  return running
}) satisfies (project: string, variant: Variant, commands: string) => Effect.Effect<Running, unknown, Scope.Scope>

const inherited = (env: Readonly<Record<string, string>>) => ({ ...globalThis.process.env, ...env })

// The report of last night was missed, and is written when the shop is back.
const downSinceYesterday = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const yesterday = (yield* Clock.currentTimeMillis) - Duration.toMillis("1 day")
  yield* sql`INSERT INTO auth_job_ticks ${sql.insert({ name: "stock-report", tick: yesterday })}`
})

const tableNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () =>
      sql<{ name: string }>`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    orElse: () =>
      sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  })
  return rows.map(({ name }) => name).sort()
}).pipe(Effect.orDie)
