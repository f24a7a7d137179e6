// What `doctor` looks at beside the database and the secrets: Node.js, packages, mail server, port, addresses, proxies.
import { Effect, Schema } from "effect"
import { createServer } from "node:net"
import * as SmtpConnection from "../../layers/mail/internal/SmtpConnection.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import * as NativeProbe from "../../layers/server/internal/NativeProbe.ts"
import * as OptionalPackage from "../../src/config/internal/OptionalPackage.ts"
import * as Delivery from "../../src/mail/internal/Delivery.ts"
import { defaultAddress } from "../../src/mail/internal/SmtpDefaults.ts"
import { appUrlOn } from "../../src/session/internal/RequestOrigin.ts"
import { failed, type Finding, fix, hint, ok } from "./Findings.ts"

/** As `engines` in package.json says. */
export const oldest = "20.19"

export const node = (version: string): Finding =>
  version.localeCompare(oldest, "en", { numeric: true }) >= 0
    ? ok("node", version)
    : fix("node", `${version} is too old: install Node.js ${oldest} or later`)

/** An optional package that a setting asks for. */
interface Needed {
  readonly feature: string
  readonly install: string
  readonly load: () => Promise<unknown>
}

const providersOf = ({ providers }: Pick<AppConfig, "providers">): ReadonlyArray<string> =>
  Object.entries(providers ?? {}).flatMap(([name, given]) => (given === undefined ? [] : [name]))

/** What these settings need. The names are literal, so that a bundle has the packages. */
export const needed = (settings: Pick<AppConfig, "database" | "providers">): ReadonlyArray<Needed> => [
  { feature: "E-mail", install: "nodemailer", load: () => import("nodemailer") },
  ...(settings.database._tag === "Postgres"
    ? [{ feature: "PostgreSQL", install: "@effect/sql-pg pg", load: () => import("@effect/sql-pg") }]
    : []),
  ...(providersOf(settings).length > 0
    ? [{ feature: "Sign-in with a provider", install: "openid-client", load: () => import("openid-client") }]
    : [])
]

/** Whether the packages of the settings are installed. */
export const packages = (all: ReadonlyArray<Needed>): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const missing = yield* Effect.forEach(all, ({ feature, install, load }) =>
      Effect.match(OptionalPackage.load(feature, install, load), {
        onFailure: (error) => [failed("packages", error)],
        onSuccess: () => []
      })
    )
    const installed = all.map(({ install }) => install).join(", ")
    return missing.every((one) => one.length === 0) ? [ok("packages", installed)] : missing.flat()
  })

/** Greets the mail server, with TLS and the credentials of the settings; sends nothing. */
export const mail = ({ environment, mail: { sender, transport } }: AppConfig): Effect.Effect<Finding> => {
  const delivery = Delivery.of(transport)
  return Effect.gen(function* () {
    if (delivery._tag === "File") {
      const said = `files in ${delivery.folder}`
      return environment === "production"
        ? fix("mail", `${said}: set MAIL_HOST and MAIL_FROM, so that they are sent`)
        : ok("mail", said)
    }
    const { credentials, host, port, security } = delivery.server
    yield* SmtpConnection.verify(delivery.server)
    if (sender.address === defaultAddress) return fix("mail", `the sender is ${defaultAddress}: set MAIL_FROM`)
    const greeted = `${host}:${port} responds (${security}${credentials === undefined ? "" : ", signed in"})`
    return transport._tag === "Queue"
      ? hint("mail", `${greeted}; queued e-mails are sent by the command queue run mail`)
      : ok("mail", greeted)
  }).pipe(
    Effect.catchTags({
      MissingPackage: (error) => Effect.succeed(failed("mail", error)),
      MailDeliveryError: ({ reason }) => {
        const at = delivery._tag === "File" ? "" : `${delivery.server.host}:${delivery.server.port}`
        const names = "MAIL_HOST, MAIL_PORT, MAIL_SECURE, MAIL_USERNAME and MAIL_PASSWORD"
        return Effect.succeed(fix("mail", `${at}: ${reason}. Check ${names}`))
      }
    })
  )
}

const timeout = 5000

const isFree = (host: string, port: number) =>
  Effect.async<boolean | string>((resume) => {
    const server = createServer()
    server.once("error", (error) => {
      const isTaken = "code" in error && error.code === "EADDRINUSE"
      resume(Effect.succeed(isTaken ? false : error.message))
    })
    server.listen({ host, port }, () => server.close(() => resume(Effect.succeed(true))))
  })

const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" }

/** `http://[::1]:8087`; a host that is every address of the machine is asked on its own. */
export const originOf = (host: string, port: number): string => {
  const at = everywhere[host] ?? host
  return `http://${at.includes(":") ? `[${at}]` : at}:${port}`
}

const isHealth = Schema.is(
  Schema.Struct({ status: Schema.Literal("ok"), pid: Schema.Int, uptime_seconds: Schema.Number })
)

const textOf = (url: string): Effect.Effect<string> =>
  Effect.promise(() =>
    fetch(url, { signal: AbortSignal.timeout(timeout), redirect: "error" }).then(
      (response) => (response.ok ? response.text() : ""),
      () => ""
    )
  )

const decode = Schema.decodeUnknownOption(Schema.parseJson(Schema.Unknown))

// Any program may respond with 200: what counts is what it says of itself.
const isOurs = (origin: string, probe: string): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const told = decode(yield* textOf(`${origin}/health`))
    if (told._tag === "Some" && isHealth(told.value)) return true
    return probe !== "" && (yield* textOf(origin + probe)) === NativeProbe.body
  })

/** Whether the port can be opened, or a program such as this one has it. */
export const port = ({ healthPath, host, port: number }: AppConfig["server"]): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const free = yield* isFree(host, number)
    if (free === true) return ok("port", `${host}:${number} is free`)
    if (typeof free === "string") return fix("port", `${free}: set HOST and PORT to what this user may open`)
    return (yield* isOurs(originOf(host, number), healthPath))
      ? hint("port", `${host}:${number} is served by a running program`)
      : fix("port", `${host}:${number} is in use by another program: stop it, or set PORT`)
  })

/** Whether links of e-mails lead here, and browsers keep the cookies. */
export const addresses = ({ auth: { appUrl }, environment, server }: AppConfig): Finding => {
  const { hostname, protocol } = new URL(appUrl)
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1"
  if (environment === "production" && appUrl === appUrlOn(server.port)) {
    return fix("address", `APP_URL is ${appUrl}: set it to the public address, the base of the links in e-mails`)
  }
  return protocol === "http:" && !isLocal
    ? fix("address", `APP_URL is ${appUrl}: browsers keep the cookies only on https://, so put TLS in front`)
    : ok("address", appUrl)
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
