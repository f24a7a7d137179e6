// What `doctor` says of secrets and of the providers that they are for: complete, not guessed in a minute, not sent in clear
// text, and accepted where they are needed. No value is ever printed.
import { Effect, Layer, Logger, LogLevel, Redacted } from "effect"
import * as ConfiguredProviders from "../../layers/auth/internal/providers/ConfiguredProviders.ts"
import * as CursorSignature from "../../layers/pagination/internal/CursorSignature.ts"
import type { AppConfig } from "../../layers/server/AppConfig.ts"
import * as AddedProviders from "../../src/auth/internal/providers/AddedProviders.ts"
import { Providers } from "../../src/auth/Providers.ts"
import * as Setting from "../../src/config/internal/Setting.ts"
import * as Delivery from "../../src/mail/internal/Delivery.ts"
import type { MailConfig } from "../../src/mail/MailConfig.ts"
import { failed, type Finding, fix, hint, ok } from "./Findings.ts"

const isHere = (host: string): boolean =>
  host === "" || host.startsWith("/") || /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/.test(host)

// The driver takes the host and the file of a socket from the query, too, and it counts before that of the address.
const hostOf = ({ hostname, searchParams }: URL): string =>
  searchParams.getAll("host").at(-1) || decodeURIComponent(hostname)

const hasTls = (url: URL): boolean => {
  const mode = url.searchParams.get("sslmode") ?? "disable"
  const isOn = mode.startsWith("verify") || mode === "require"
  return isHere(hostOf(url)) || isOn || ["true", "1"].includes(url.searchParams.get("ssl") ?? "")
}

// What examples and templates say in place of a secret.
const placeholder = /^(?:change-?_?me|secret|password|example|todo|your.*|<.*>|x+|\*+)$/i

// Guessed in less time than an account is worth.
const minLength = 12

const serverOf = ({ transport }: MailConfig) => {
  const delivery = Delivery.of(transport)
  return delivery._tag === "File" ? undefined : delivery.server
}

const passwords = ({ database: given, mail, providers }: AppConfig) => {
  const server = serverOf(mail)
  const url = given._tag === "Postgres" ? new URL(Redacted.value(given.url)) : undefined
  const clients = Object.entries(providers ?? {}).map(([name, client]): readonly [string, string] => [
    `AUTH_${name.toUpperCase()}_SECRET`,
    client === undefined ? "" : Redacted.value(client.clientSecret)
  ])
  const all: ReadonlyArray<readonly [string, string]> = [
    ["the password of DATABASE_URL", url === undefined || isHere(hostOf(url)) ? "" : decodeURIComponent(url.password)],
    ["MAIL_PASSWORD", server?.credentials === undefined ? "" : Redacted.value(server.credentials.password)],
    ...clients
  ]
  return all.filter(([, secret]) => secret !== "")
}

/** Whether a secret is one, and leaves the machine encrypted. */
export const secrets = (settings: AppConfig): Effect.Effect<Finding> =>
  Effect.gen(function* () {
    const { database: given, environment, mail } = settings
    const server = serverOf(mail)
    if (server?.security === "none" && server.credentials !== undefined && !isHere(server.host)) {
      return fix("secrets", "MAIL_SECURE is none: MAIL_PASSWORD is sent in clear text. Set starttls or tls")
    }
    const all = passwords(settings)
    const guessed = all.filter(([, secret]) => placeholder.test(secret)).map(([name]) => name)
    if (guessed.length > 0) return fix("secrets", `${guessed.join(", ")}: a placeholder. Set the real one`)
    const short = all.filter(([, secret]) => secret.length < minLength).map(([name]) => name)
    if (short.length > 0) return hint("secrets", `${short.join(", ")}: shorter than ${minLength} characters`)
    if (given._tag === "Postgres" && !hasTls(new URL(Redacted.value(given.url)))) {
      const said = "the connection to PostgreSQL is not encrypted: add sslmode=verify-full to DATABASE_URL"
      return hint("secrets", said)
    }
    const keys = yield* Effect.orElseSucceed(Setting.text(CursorSignature.variable, ""), () => "")
    if (environment === "production" && keys === "") {
      return hint(
        "secrets",
        `${CursorSignature.variable} is not set: a client can read and change the cursors of lists`
      )
    }
    return ok("secrets", all.length === 0 ? "none is needed" : `${all.length} set, none in clear text`)
  })

// Nobody goes there: building the address asks the provider for its configuration.
const flow = { state: "doctor", verifier: Redacted.make("doctor"), redirectUri: "http://localhost/", isFresh: false }

/** Whether the providers of the settings are complete, and respond. */
export const providers = ({ providers: given }: Pick<AppConfig, "providers">): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    if (given === undefined) return [ok("providers", "none")]
    const { all } = yield* Providers
    const asked = yield* Effect.forEach(
      yield* all,
      ({ authorize, id }) =>
        Effect.match(authorize(flow), {
          onFailure: ({ message }) =>
            fix("providers", `${message} Check its settings, and the way out of this machine`),
          onSuccess: () => ok("providers", `${id} is ready`)
        }),
      { concurrency: "unbounded" }
    )
    return asked.length === 0 ? [ok("providers", "none")] : asked
  }).pipe(
    Effect.provide(
      Layer.provideMerge(given === undefined ? Layer.empty : ConfiguredProviders.layerWith(given), AddedProviders.layer)
    ),
    // What a running program logs of a provider is the finding here.
    Logger.withMinimumLogLevel(LogLevel.None),
    Effect.catchAll((error) => Effect.succeed([failed("providers", error)]))
  )
