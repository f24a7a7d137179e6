// Several machines on one computer: programs with their own ports and folders, behind HAProxy, on one PostgreSQL behind
// PgBouncer in transaction mode. Everything ends with the scope.
import { Effect, type Scope } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Daemon from "../support/Daemon.ts"
import * as NodeProcess from "../support/NodeProcess.ts"
import * as PgBouncer from "../support/PgBouncer.ts"
import * as PostgresServer from "../support/PostgresServer.ts"
import * as SmtpServer from "../support/SmtpServer.ts"
import * as Configuration from "./Configuration.ts"
import * as Rows from "./Rows.ts"

/** What a site is made of. */
export interface Plan {
  /** The main file of the built program. */
  readonly program: string
  /** The workers of each machine. */
  readonly workers: ReadonlyArray<number>
  /** Further variables of every program. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A machine, whose program may be stopped, killed and started again on the same port and folder. */
export interface Machine {
  readonly url: string
  readonly start: Effect.Effect<NodeProcess.Process, never, Scope.Scope>
  /** The main file of the program with these arguments, such as `queue run mail`. */
  readonly command: (...words: ReadonlyArray<string>) => Effect.Effect<NodeProcess.Process, never, Scope.Scope>
  /** `migrate` on another database. */
  readonly migrate: (url: string) => Effect.Effect<NodeProcess.Process, never, Scope.Scope>
}

export interface Site {
  /** Where visitors come in: HAProxy. */
  readonly url: string
  readonly machines: ReadonlyArray<Machine>
  readonly postgres: PostgresServer.PostgresServer
  /** The address of a database through PgBouncer. */
  readonly pooled: (database: string) => string
  /** The address of a database past PgBouncer. */
  readonly direct: (database: string) => string
  readonly mail: SmtpServer.Running
  /** Keeps the mail server from accepting messages, or lets it. */
  readonly hold: (isHeld: boolean) => void
  /** The messages that the mail server does not accept for now. */
  readonly held: () => number
  /** The processes of HAProxy and PgBouncer. */
  readonly daemons: ReadonlyArray<{ readonly name: string; readonly pid: number }>
}

/** The database of the programs. It is empty when the first of them starts. */
export const database = "app"

const postgres = Effect.acquireRelease(
  // A response means that its commit outlives the server: the tests stop it as a crash does.
  Effect.promise(() => PostgresServer.start(["synchronous_commit=on", "autovacuum=on"])),
  ({ stop }) => Effect.promise(stop)
)

const mailGate = () => {
  let isHeld = false
  const waiting = new Set<() => void>()
  return {
    pass: (): Promise<void> => (isHeld ? new Promise((resume) => waiting.add(resume)) : Promise.resolve()),
    hold: (held: boolean) => {
      isHeld = held
      if (held) return
      for (const resume of waiting) resume()
      waiting.clear()
    },
    held: () => waiting.size
  }
}

const haproxy = (servers: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const file = join(yield* NodeProcess.folder, "haproxy.cfg")
    return yield* Daemon.start("haproxy", (port) => {
      writeFileSync(file, Configuration.haproxy(port, servers))
      return ["-db", "-f", file]
    })
  })

// Enough for the last lines of a program that runs for half an hour.
const keptOutput = 100_000

const machine = (program: string, port: number, env: Readonly<Record<string, string>>) =>
  Effect.map(NodeProcess.folder, (folder): Machine => {
    const storage = join(folder, "storage")
    mkdirSync(storage, { mode: 0o700 })
    const variables = { ...env, PORT: String(port), STORAGE_DIR: storage }
    const run = (...words: ReadonlyArray<string>) =>
      NodeProcess.start([program, ...words], variables, folder, keptOutput)
    return {
      url: `http://127.0.0.1:${port}`,
      start: Effect.tap(run(), ({ says }) => says(/listening on /)),
      command: run,
      migrate: (DATABASE_URL) =>
        NodeProcess.start([program, "migrate"], { ...variables, DATABASE_URL }, folder, keptOutput)
    }
  })

/** The servers and daemons, on an empty database; no program runs yet. */
export const make = ({ program, variables = {}, workers }: Plan): Effect.Effect<Site, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = yield* postgres
    const gate = mailGate()
    const mail = yield* SmtpServer.serve({ onMessage: gate.pass })
    const pooler = yield* PgBouncer.start(Number(new URL(server.address).port), Configuration.pgbouncer)
    const pooled = (name: string) => `postgres://postgres@127.0.0.1:${pooler.port}/${name}`
    const direct = (name: string) => `${server.address}/${name}`
    yield* Rows.rows(direct("postgres"), `CREATE DATABASE ${database}`)
    // PgBouncer drops what a connection asks for; the role keeps it.
    yield* Rows.rows(direct("postgres"), "ALTER ROLE postgres SET statement_timeout = '30s'")
    const ports = yield* Effect.all(workers.map(() => Daemon.freePort))
    const proxy = yield* haproxy(ports)
    const url = `http://127.0.0.1:${proxy.port}`
    const shared = {
      DATABASE_URL: pooled(database),
      APP_URL: url,
      TRUSTED_PROXIES: "127.0.0.1",
      // The time of a check is added: a server that is busy answers it late.
      SHUTDOWN_DELAY: String(Configuration.noticed() + 2),
      AUTH_ARGON2_MEMORY: "19456",
      AUTH_ARGON2_TIME: "2",
      MAIL_QUEUE: "1",
      MAIL_HOST: "127.0.0.1",
      MAIL_PORT: String(mail.port),
      MAIL_SECURE: "none",
      ...variables
    }
    const machines = yield* Effect.forEach(workers, (count, index) =>
      machine(program, ports[index] ?? 0, { ...shared, WORKERS: String(count) })
    )
    const daemons = [
      { name: "haproxy", pid: proxy.pid },
      { name: "pgbouncer", pid: pooler.pid }
    ]
    return { url, machines, postgres: server, pooled, direct, mail, hold: gate.hold, held: gate.held, daemons }
  })

/** The status of a response, which is read to its end. */
export const status = (url: string): Effect.Effect<number> =>
  Effect.promise(() => fetch(url).then(async (response) => (await response.text(), response.status)))
