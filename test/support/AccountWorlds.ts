// The same program twice: one is used through its pages, as JSON where they have it, the other through its API. What a command
// does in one must be what it does in the other.
import { SqlClient } from "@effect/sql"
import { Context, Duration, Effect, Layer, Metric, Schema, TestServices } from "effect"
import * as SqlAccountHooks from "../../layers/auth/SqlAccountHooks.ts"
import * as AccountDeletion from "../../routes/auth/AccountDeletion.ts"
import * as LostFactorOperations from "../../routes/auth/lostfactors/LostFactorOperations.ts"
import * as FormState from "../../routes/session/FormState.ts"
import type { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests } from "../../src/auth/internal/LostFactorRequests.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as TestClient from "../../testing/TestClient.ts"
import { app, services } from "./AccountsApp.ts"
import { api, type Command, newAddress, pages, type Requests } from "./AccountCommands.ts"
import type { TestEngine } from "./Databases.ts"
import { eventually } from "./Eventually.ts"
import * as FactorApp from "./FactorApp.ts"

const Nothing = Schema.Struct({})

/** What the hooks of one program have seen. */
class Journal extends Context.Tag("test/Journal")<Journal, Array<string>>() {}

const note = (event: string, email: string) => Effect.map(Journal, (lines) => void lines.push(`${event} ${email}`))

const hooks = SqlAccountHooks.layer({
  signUp: {
    inTransaction: ({ email }) => note("signs up", email),
    afterResponse: ({ email }) => note("signed up", email)
  },
  signIn: {
    inTransaction: ({ email }) =>
      email.startsWith("suspended")
        ? FormState.invalid(Nothing, { status: 403, error: "Suspended." })
        : note("signs in", email),
    afterResponse: ({ email }) => note("signed in", email)
  }
})

// Not the layer of the program: its worker would send a message between two commands, and in one of the worlds first.
const recoveries = Layer.succeed(DueLostFactorRequests, { sweep: Effect.succeed(0) })

const sendDue = Effect.gen(function* () {
  const { due } = yield* LostFactorRequests
  for (const user of yield* due) yield* LostFactorOperations.sendLink(user)
}).pipe(Effect.orDie)

const server = (database: TestEngine) => {
  const journal = Layer.sync(Journal, (): Array<string> => [])
  return TestApp.layerOf(app, {
    environment: "production",
    database: database.layer,
    settings: { factorRecoveryDelay: Duration.hours(1) },
    services: Layer.provideMerge(
      Layer.mergeAll(services, recoveries, Layer.provideMerge(AccountDeletion.layer, hooks)),
      journal
    )
  })
}

interface SessionRow {
  readonly email: string
  readonly data: string
  readonly absolute: number
  readonly peer: string
}

// A page remembers where a confirmation leads back to, and what the next page says. The secret of a pending sign-in is random.
const comparable = (data: string) =>
  data
    .replaceAll(/"(confirm_return|flash)":"(?:[^"\\]|\\.)*",?/g, "")
    .replace(/"pending":"[^"]*"/, '"pending":"secret"')
    .replace(/,\}$/, "}")

// The rotation of a trusted device is recorded once its response has been sent.
const settled = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  TestServices.provideLive(
    eventually(sql`SELECT selector FROM trusts WHERE next IS NOT NULL`, (waiting) => waiting.length === 0)
  )
)

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* settled
  return {
    users: yield* sql`SELECT email, password, email_verified_at FROM users ORDER BY email`,
    // A link to report a change has its selector in the purpose.
    tokens:
      yield* sql`SELECT email, substr(purpose, 1, 6) AS purpose, expires FROM tokens JOIN users ON users.id = user_id ORDER BY 1, 2, 3`,
    devices: yield* sql`SELECT email, expires FROM trusts JOIN users ON users.id = user_id ORDER BY 1, 2`,
    sessions:
      (yield* sql<SessionRow>`SELECT email, data, absolute, peer FROM sessions JOIN users ON users.id = user_id`)
        .map(({ absolute, data, email, peer }) => JSON.stringify([email, comparable(data), absolute, peer]))
        .sort(),
    programs: yield* sql`SELECT email, name, scopes, api_tokens.created_at, expires FROM api_tokens
      JOIN users ON users.id = user_id ORDER BY 1, 2, 3, 4, 5`,
    changes: yield* sql`SELECT users.email, kind, account_changes.email AS address, account_changes.expires
      FROM account_changes JOIN users ON users.id = user_id ORDER BY 1, 2, 3, 4`,
    apps: yield* sql`SELECT email, name, factors.created_at, last_used FROM factors
      JOIN users ON users.id = user_id ORDER BY 1, 2, 3, 4`,
    pending: yield* sql`SELECT email FROM pending_sign_ins JOIN users ON users.id = user_id ORDER BY 1`,
    recoveries: yield* sql`SELECT users.email, ready, factor_recoveries.expires FROM factor_recoveries
      JOIN users ON users.id = user_id ORDER BY 1, 2, 3`,
    // Ids sort in the order of the events.
    happened: yield* sql`SELECT email, event, outcome, actor, peer, details FROM security_events
      JOIN users ON users.id = user_id ORDER BY email, security_events.id`,
    // Without the key: it may be a digest of the account's id, which differs.
    limits: yield* sql`SELECT hits, expires FROM rate_limits ORDER BY 1, 2`
  }
}).pipe(Effect.orDie)

const signIns = Effect.map(Metric.snapshot, (pairs) =>
  pairs.flatMap(({ metricKey, metricState }) =>
    metricKey.name === "auth_sign_ins_total"
      ? [`${metricKey.tags.map(({ value }) => value).join()} ${JSON.stringify(metricState)}`]
      : []
  )
)

const reported = ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "cache-control"]

// A cookie by its name and whether it is set or cleared. The session of an account that has ended becomes that of a guest where
// a page before it left a message, and is cleared elsewhere.
const cookieOf = (line: string): string => {
  const name = line.split("=", 1)[0] ?? ""
  if (name === "session") return /^session=[\w-]{43};/.test(line) ? name : "session of nobody"
  return `${name}${/max-age=0/i.test(line) ? " cleared" : ""}`
}

const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? { ...json } : {}

const compared = [
  "message",
  "email",
  "verified",
  "name",
  "scopes",
  "expires",
  "due",
  "pending",
  "state",
  "ready",
  "available"
]

// The texts of refusals that are not about the form differ: a typed failure has its facts instead.
const bodyOf = (status: number, json: unknown) => {
  const { error, fields = {}, reason, ...facts } = fieldsOf(json)
  if (status === 202 && "factors" in facts) return { factors: facts["factors"] }
  if (status < 400) return Object.fromEntries(compared.map((name) => [name, facts[name]]))
  if (status === 403) return { error: error ?? reason }
  return status === 422 || status === 410 || error === "Invalid credentials." ? { error, fields } : {}
}

/** What is done by pages without JSON. */
const withoutJson: ReadonlySet<Command["kind"]> = new Set([
  "endSession",
  "forgetDevice",
  "endOthers",
  "createToken",
  "revokeToken",
  "everywhere",
  "changeEmail",
  "pendingEmail",
  "cancelEmail",
  "redeemEmail",
  "undoEmail",
  "requestDeletion",
  "cancelDeletion",
  "beginApp",
  "addApp",
  "renewCodes",
  "everyDevice",
  "factor",
  "confirm",
  "recovery",
  "askRecovery",
  "cancelRecovery",
  "completeRecovery",
  "addPasskey"
])

// A page redirects with a message where the API says 410, or that an account has no app. A form asks for the password that the
// API wants confirmed elsewhere.
const pageStatus = (kind: Command["kind"], status: number) => {
  if (kind === "createToken" && status === 403) return 422
  return status < 400 || status === 410 || (kind === "renewCodes" && status === 422) ? "done" : status
}

// The message of a redirect may be in the cookie of a guest.
const outcomeOf = (kind: Command["kind"], response: TestClient.TestResponse) => {
  const { body, cookies, headers, status } = response
  const isPage = withoutJson.has(kind)
  const changed = cookies.map(cookieOf).sort()
  return {
    status: isPage ? pageStatus(kind, status) : status,
    headers: reported.map((name) => headers.get(name)),
    cookies: isPage ? changed.filter((one) => !one.startsWith("session")) : changed,
    body: isPage ? {} : bodyOf(status, body === "" ? {} : response.json)
  }
}

const lines = (json: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(json) ? json.map(fieldsOf) : []

interface App {
  readonly email: string
  readonly secret: string
  readonly recoveryCodes: ReadonlyArray<string>
}

const noEnrollment = "x 123456"

const bogus = `${"0".repeat(16)}/${"0".repeat(64)}`

const make = (requests: Requests) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<
      AuthConfig | CapturedMail | LostFactorRequests | Journal | Mailer | SqlClient.SqlClient
    >()
    const { url } = yield* ServerAddress
    const mail = yield* CapturedMail
    const journal = yield* Journal
    let earlier = 0
    /** The authenticator apps of people, by e-mail, and the one that is being added. */
    const apps = new Map<string, App>()
    let begun: Omit<App, "recoveryCodes"> | undefined
    const clients = new Map<string, TestClient.TestClient>()
    const clientAt = (address: string) => {
      const client = clients.get(address) ?? TestClient.make(url, address)
      clients.set(address, client)
      return client
    }

    const linkTo = (email: string, kind: string, place: number) =>
      Effect.map(mail.messagesTo(email), (messages) => {
        const link = new RegExp(`/${kind}/([0-9a-f]{16}/\\S+)`)
        const paths = messages.flatMap(({ text }) => link.exec(text)?.[1] ?? [])
        return paths.at(-1 - place) ?? bogus
      })

    // The lists have no part in what is compared here: both programs read them the same way.
    const listed = (
      client: TestClient.TestClient,
      list: "sessions" | "devices" | "tokens",
      name: string,
      place: number
    ) => Effect.map(client.json("GET", `/api/${list}`), ({ json }) => String(lines(json).at(-1 - place)?.[name] ?? "0"))

    // A new app, and a code that it shows.
    const enrolment = Effect.fnUntraced(function* (client: TestClient.TestClient) {
      const { email } = fieldsOf((yield* client.json("GET", "/account")).json)
      const { enrolment: sent, secret } = fieldsOf((yield* client.json("POST", "/api/factors/enrolment")).json)
      if (typeof secret !== "string") return noEnrollment
      begun = { email: String(email), secret }
      return `${String(sent)} ${yield* FactorApp.codeOf(secret)}`
    })

    const codeOf = Effect.fnUntraced(function* (email: string, which: "right" | "recovery" | "wrong", place: number) {
      const app = apps.get(email)
      if (app === undefined) return "123456"
      if (which === "recovery") return app.recoveryCodes[place % 3] ?? ""
      return yield* which === "right" ? FactorApp.codeOf(app.secret) : FactorApp.wrongCode(app.secret)
    })

    const found = (command: Command, client: TestClient.TestClient, email: string) => {
      const { kind, place, seconds } = command
      if (kind === "addApp") return place === 2 ? Effect.succeed(noEnrollment) : enrolment(client)
      if (kind === "factor") return codeOf(email, (["right", "recovery", "wrong"] as const)[place] ?? "wrong", seconds)
      if (kind === "confirm") return codeOf(email, place === 1 ? "right" : "recovery", seconds)
      if (kind === "cancelRecovery") return linkTo(email, "login/factor/recovery/cancel", place)
      if (kind === "completeRecovery") return linkTo(email, "login/factor/recovery", place)
      if (kind === "redeemEmail") return linkTo(newAddress(command, email), "account/email", 0)
      if (kind === "undoEmail") return linkTo(email, "account/email/undo", 0)
      if (kind === "verify") return linkTo(email, "verify", place)
      if (kind === "reset") return linkTo(email, "reset", place)
      if (kind === "revokeToken") return listed(client, "tokens", "handle", place)
      if (kind === "endSession") return listed(client, "sessions", "handle", place)
      return kind === "forgetDevice" ? listed(client, "devices", "selector", place) : Effect.succeed("")
    }

    return {
      /** As on the first day: nothing of an earlier sequence is left. */
      begin: Effect.gen(function* () {
        yield* mail.messages
        clients.clear()
        journal.length = 0
        apps.clear()
        const sql = yield* SqlClient.SqlClient
        for (const table of [
          "sessions",
          "trusts",
          "tokens",
          "api_tokens",
          "security_events",
          "account_changes",
          "factors",
          "recovery_codes",
          "factor_settings",
          "pending_sign_ins",
          "factor_recoveries",
          "notices",
          "users",
          "rate_limits"
        ]) {
          yield* Effect.orDie(sql`DELETE FROM ${sql(table)}`)
        }
        earlier = (yield* mail.messages).length
      }).pipe(Effect.provide(context)),
      /** Does it, and tells what a client and the program see of it. */
      perform: (command: Command, address: string, email: string) =>
        Effect.gen(function* () {
          const client = clientAt(address)
          if (command.kind === "close") return void client.jar.delete("session")
          // A page that is read, and an endpoint that is posted to: only the client of the latter asks for a token.
          if (command.kind === "beginApp" || command.kind === "verify") yield* client.json("GET", "/csrf")
          yield* Effect.provide(sendDue, context)
          const before = yield* signIns
          const sent = requests[command.kind](command, email, yield* found(command, client, email))
          const received = yield* client.json(...sent)
          const outcome = outcomeOf(command.kind, received)
          const isAdded = received.status === 201 || received.location === "/account/factors"
          if (command.kind === "addApp" && isAdded && begun !== undefined) {
            apps.set(begun.email, { ...begun, recoveryCodes: FactorApp.recoveryCodesIn(received.body) })
          }
          const messages = yield* mail.messages
          const counted = (yield* signIns).filter((line) => !before.includes(line)).map((line) => line.split(" ", 1)[0])
          return {
            ...outcome,
            counted,
            jar: [...client.jar.keys()].filter((name) => name !== "session"),
            mails: messages.slice(earlier).map(({ subject, to }) => `${to} ${subject}`),
            events: [...journal],
            stored: yield* Effect.provide(rows, context)
          }
        })
    }
  })

/** The two programs. */
export class Worlds extends Context.Tag("test/Worlds")<
  Worlds,
  { readonly [Name in "pages" | "api"]: Effect.Effect.Success<ReturnType<typeof make>> }
>() {}

export const layer = (database: TestEngine) => {
  const built = (requests: Requests) =>
    Effect.flatMap(Layer.build(Layer.fresh(server(database))), (one) => Effect.provide(make(requests), one))
  return Layer.scoped(Worlds, Effect.all({ pages: built(pages), api: built(api) }))
}
