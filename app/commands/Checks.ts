// What `doctor` looks at: each subject is fine, has a hint, or must be fixed, and says how.
import { SqlClient } from "@effect/sql"
import { Clock, Effect, type Layer, Redacted } from "effect"
import { connect, createServer } from "node:net"
import type * as Migrations from "../../layers/database/Migrations.ts"
import { missing } from "../../layers/database/Migrations.ts"
import type { Tables } from "../../layers/database/Tables.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import { defaultAddress } from "../../src/mail/internal/SmtpDefaults.ts"
import { defaultAppUrl } from "../../src/session/internal/RequestOrigin.ts"

/** What is looked at, in the order of the report. */
export const subjects = [
  "node",
  "settings",
  "storage",
  "database",
  "migrations",
  "clock",
  "mail",
  "port",
  "address",
  "secrets",
  "proxies"
] as const

export interface Finding {
  readonly status: "ok" | "hint" | "fix"
  readonly subject: (typeof subjects)[number]
  readonly said: string
}

const finding =
  (status: Finding["status"]) =>
  (subject: Finding["subject"], said: string): Finding => ({ status, subject, said })

export const ok = finding("ok")
const hint = finding("hint")

/** The headings of docs/troubleshooting.md; the lines about settings, storage and database name their own. */
export const entries: Partial<Record<Finding["subject"], string>> = {
  mail: "what-people-see",
  port: "the-port",
  address: "what-people-see",
  proxies: "what-people-see"
}

export const fix = (subject: Finding["subject"], said: string): Finding =>
  finding("fix")(subject, StartupLine.guided(said, entries[subject]))

/** As `engines` in package.json says. */
export const oldest = "20.19"

export const node = (version: string): Finding =>
  version.localeCompare(oldest, "en", { numeric: true }) >= 0
    ? ok("node", version)
    : fix("node", `${version} is too old: install Node.js ${oldest} or later`)

// Milliseconds that two clocks may differ: links and codes live for minutes, a one-time code for half of one.
const tolerated = 5000

const clock = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const asked = yield* Clock.currentTimeMillis
  const now = sql.onDialectOrElse({
    pg: () => sql<{ now: unknown }>`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now`,
    orElse: () => sql<{ now: unknown }>`SELECT ${asked} AS now`
  })
  const [row] = yield* now
  const answered = yield* Clock.currentTimeMillis
  const apart = Math.max(0, asked - Number(row?.now), Number(row?.now) - answered)
  return apart <= tolerated
    ? ok("clock", new Date(asked).toISOString())
    : fix("clock", `the database is ${Math.round(apart / 1000)} seconds apart: set both machines by NTP`)
})

/** Opens the database, then compares its migrations and its clock. */
export const database = <E>(
  connection: Layer.Layer<SqlClient.SqlClient, E>,
  migrations: Migrations.Migrations,
  tables: Tables | undefined
): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT 1`
    const lacking = yield* missing(migrations, tables === undefined ? {} : { tables })
    const [first = ""] = lacking
    return [
      ok("database", sql.onDialectOrElse({ pg: () => "PostgreSQL responds", orElse: () => "SQLite opens" })),
      lacking.length === 0
        ? ok("migrations", "all applied")
        : hint("migrations", `${lacking.length} to apply, ${first} first: the next start does, or the command migrate`),
      yield* clock
    ]
  }).pipe(
    Effect.provide(connection),
    Effect.catchAll((error) => Effect.succeed([fix("database", StartupLine.line(error) ?? String(error))]))
  )

const timeout = 5000

const reaches = (host: string, port: number) =>
  Effect.async<string | undefined>((resume) => {
    const socket = connect({ host, port, timeout })
    const end = (reason: string | undefined) => () => {
      socket.destroy()
      resume(Effect.succeed(reason))
    }
    socket.once("connect", end(undefined))
    socket.once("timeout", end("it does not respond"))
    socket.once("error", (error) => end(error.message)())
  })

/** Whether e-mails leave the machine, and whether the server can be reached. */
export const mail = ({ environment, mail: { sender, transport } }: AppConfig): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    if (transport._tag === "File") {
      const said = `files in ${transport.folder}`
      return environment === "production"
        ? fix("mail", `${said}: set MAIL_HOST and MAIL_FROM, so that they are sent`)
        : ok("mail", said)
    }
    const { host, port } = transport.server
    const refused = yield* reaches(host, port)
    if (refused !== undefined)
      return fix("mail", `${host}:${port} cannot be reached: ${refused}. Check MAIL_HOST, MAIL_PORT`)
    if (sender.address === defaultAddress) return fix("mail", `the sender is ${defaultAddress}: set MAIL_FROM`)
    return transport._tag === "Queue"
      ? hint("mail", `${host}:${port} responds; queued e-mails are sent by the command queue run mail`)
      : ok("mail", `${host}:${port} responds`)
  })

const isFree = (host: string, port: number) =>
  Effect.async<boolean | string>((resume) => {
    const server = createServer()
    server.once("error", (error) => {
      const isTaken = "code" in error && error.code === "EADDRINUSE"
      resume(Effect.succeed(isTaken ? false : error.message))
    })
    server.listen({ host, port }, () => server.close(() => resume(Effect.succeed(true))))
  })

const responds = (url: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    fetch(url, { signal: AbortSignal.timeout(timeout) }).then(
      ({ ok }) => ok,
      () => false
    )
  )

/** Whether the port can be opened, or a program such as this one has it. */
export const port = ({ healthPath, host, port: number }: AppConfig["server"]): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const free = yield* isFree(host, number)
    if (free === true) return ok("port", `${host}:${number} is free`)
    if (typeof free === "string") return fix("port", `${free}: set HOST and PORT to what this user may open`)
    return (yield* responds(`http://${host}:${number}${healthPath}`))
      ? hint("port", `${host}:${number} is served by a running program`)
      : fix("port", `${host}:${number} is in use by another program: stop it, or set PORT`)
  })

/** Whether links of e-mails lead here, and browsers keep the cookies. */
export const addresses = ({ auth: { appUrl }, environment }: AppConfig): ReadonlyArray<Finding> => {
  const { hostname, protocol } = new URL(appUrl)
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1"
  if (environment === "production" && appUrl === defaultAppUrl) {
    return [fix("address", `APP_URL is ${appUrl}: set it to the public address, the base of the links in e-mails`)]
  }
  return protocol === "http:" && !isLocal
    ? [fix("address", `APP_URL is ${appUrl}: browsers keep the cookies only on https://, so put TLS in front`)]
    : [ok("address", appUrl)]
}

const hasTls = (url: string): boolean => {
  const { hostname, searchParams } = new URL(url)
  const mode = searchParams.get("sslmode") ?? "disable"
  return ["localhost", "127.0.0.1", "[::1]", ""].includes(hostname) || mode.startsWith("verify") || mode === "require"
}

/** Whether a password leaves the machine in clear text. */
export const secrets = ({ database: given, mail: { transport } }: AppConfig): Finding => {
  const server = transport._tag === "File" ? undefined : transport.server
  if (server?.security === "none" && server.credentials !== undefined) {
    return fix("secrets", "MAIL_SECURE is none: MAIL_PASSWORD is sent in clear text. Set starttls or tls")
  }
  return given._tag === "Postgres" && !hasTls(Redacted.value(given.url))
    ? hint("secrets", "the connection to PostgreSQL is not encrypted: add sslmode=verify-full to DATABASE_URL")
    : ok("secrets", "no password is sent in clear text")
}

// An address of IPv4 is one of IPv6 behind 96 bits, of which the last group is all ones.
const isEverything = ({ bits, groups }: AppConfig["trusted"][number]): boolean =>
  bits === 0 || (bits === 96 && groups[5] === 0xffff)

/** Whether the addresses of visitors are those of visitors. */
export const proxies = ({ auth: { appUrl }, trusted }: AppConfig): Finding => {
  if (trusted.some(isEverything)) {
    return fix(
      "proxies",
      "TRUSTED_PROXIES has every address: a visitor can choose the one that is counted. Name the proxy"
    )
  }
  if (trusted.length > 0) return ok("proxies", `${trusted.length} trusted`)
  // The program speaks plain HTTP: what serves https:// is a proxy.
  return appUrl.startsWith("https:")
    ? fix(
        "proxies",
        "TRUSTED_PROXIES is empty, but APP_URL is https://: all visitors count as the proxy. Set its address"
      )
    : ok("proxies", "none, visitors connect to the program")
}
