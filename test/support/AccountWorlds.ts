// The same program twice: one is used through the JSON of its pages, the other through its API. What a command does in one
// must be what it does in the other.
import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Metric, Schema } from "effect"
import * as SqlAccountHooks from "../../layers/auth/SqlAccountHooks.ts"
import * as FormRequest from "../../routes/auth/FormRequest.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as TestClient from "../../testing/TestClient.ts"
import { app, services } from "./AccountsApp.ts"
import type { TestEngine } from "./Databases.ts"

export const kinds = [
  "signUp",
  "signIn",
  "signOut",
  "me",
  "verify",
  "resend",
  "forgot",
  "reset",
  "change",
  "endSession",
  "forgetDevice",
  "endOthers",
  "createToken",
  "revokeToken",
  /** The session cookie is lost, as when a browser is closed. */
  "close"
] as const

/** What a person does in one of their browsers. Each kind uses some of the rest. */
export interface Command {
  readonly kind: (typeof kinds)[number]
  readonly client: number
  /** Who has an account already, or not; the third is refused by the program at sign-in. */
  readonly person: number
  readonly password: string
  readonly current: string
  readonly remember: boolean
  /** Which link or which line of a list, counted from the last. */
  readonly place: number
  /** How long it takes until then. */
  readonly seconds: number
}

type Sent = readonly [method: string, path: string, json?: unknown]

type Requests = Readonly<
  Record<Exclude<Command["kind"], "close">, (given: Command, email: string, found: string) => Sent>
>

// The password is also the name: one in seven is empty.
const wanted = ({ current, password, place }: Command) => ({
  name: password,
  current,
  ...(place > 0 && { days: 15 * place })
})

const scopesOf = ({ remember, seconds }: Command) => [
  "notes:read",
  ...(remember ? ["notes:write"] : []),
  ...(seconds === 1 ? ["admin"] : [])
]

const pages: Requests = {
  signUp: ({ password }, email) => ["POST", "/register", { email, password }],
  signIn: ({ password, remember }, email) => [
    "POST",
    "/login",
    { email, password, ...(remember && { remember: "on" }) }
  ],
  signOut: () => ["POST", "/logout"],
  me: () => ["GET", "/account"],
  verify: (_, _email, link) => ["GET", `/verify/${link}`],
  resend: () => ["POST", "/verify"],
  forgot: (_, email) => ["POST", "/forgot", { email }],
  reset: ({ password }, _, link) => ["POST", `/reset/${link}`, { password }],
  change: ({ current, password, remember }) => [
    "POST",
    "/password",
    { current, password, ...(remember && { revoke_tokens: "1" }) }
  ],
  endSession: (_, _email, handle) => ["POST", "/account/sessions", { handle }],
  forgetDevice: (_, _email, selector) => ["POST", "/account/devices", { selector }],
  endOthers: () => ["POST", "/account/others"],
  createToken: (given) => ["POST", "/account/tokens", { ...wanted(given), scopes: scopesOf(given).join(" ") }],
  revokeToken: (_, _email, handle) => ["POST", "/account/tokens/revoke", { handle }]
}

const api: Requests = {
  signUp: ({ password }, email) => ["POST", "/api/sign-up", { email, password }],
  signIn: ({ password, remember }, email) => ["POST", "/api/sign-in", { email, password, remember }],
  signOut: () => ["POST", "/api/sign-out"],
  me: () => ["GET", "/api/me"],
  verify: (_, _email, token) => ["POST", "/api/verification/redeem", { token }],
  resend: () => ["POST", "/api/verification"],
  forgot: (_, email) => ["POST", "/api/password/forgot", { email }],
  reset: ({ password }, _, token) => ["POST", "/api/password/reset", { token, password }],
  change: ({ current, password, remember }) => ["PUT", "/api/password", { current, password, revoke_tokens: remember }],
  endSession: (_, _email, handle) => ["DELETE", `/api/sessions/${handle}`],
  forgetDevice: (_, _email, selector) => ["DELETE", `/api/devices/${selector}`],
  endOthers: () => ["DELETE", "/api/sessions"],
  createToken: (given) => ["POST", "/api/tokens", { ...wanted(given), scopes: scopesOf(given) }],
  revokeToken: (_, _email, handle) => ["DELETE", `/api/tokens/${handle}`]
}

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
        ? FormRequest.invalid(Nothing, { status: 403, error: "Suspended." })
        : note("signs in", email),
    afterResponse: ({ email }) => note("signed in", email)
  }
})

const server = (database: TestEngine) => {
  const journal = Layer.sync(Journal, (): Array<string> => [])
  return TestApp.layerOf(app, {
    environment: "production",
    database: database.layer,
    services: Layer.provideMerge(Layer.merge(services, hooks), journal)
  })
}

const rows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    users: yield* sql`SELECT email, password, email_verified_at FROM users ORDER BY email`,
    tokens: yield* sql`SELECT email, purpose, expires FROM tokens JOIN users ON users.id = user_id ORDER BY 1, 2, 3`,
    devices: yield* sql`SELECT email, expires FROM trusts JOIN users ON users.id = user_id ORDER BY 1, 2`,
    // Without the time of its last use: to verify an address the API reads no session, and the page looks where to redirect.
    sessions: yield* sql`SELECT email, data, absolute, peer FROM sessions JOIN users ON users.id = user_id
      ORDER BY 1, 2, 3, 4`,
    programs: yield* sql`SELECT email, name, scopes, api_tokens.created_at, expires FROM api_tokens
      JOIN users ON users.id = user_id ORDER BY 1, 2, 3, 4, 5`,
    // Ids sort in the order of the events.
    happened: yield* sql`SELECT email, event, outcome, actor, peer, details FROM security_events
      JOIN users ON users.id = user_id ORDER BY email, security_events.id`,
    limits: yield* sql`SELECT key, hits, expires FROM rate_limits ORDER BY key`
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

// A cookie by its name and whether it is set or cleared.
const cookieOf = (line: string): string => `${line.split("=", 1)[0] ?? ""}${/max-age=0/i.test(line) ? " cleared" : ""}`

const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> =>
  typeof json === "object" && json !== null ? { ...json } : {}

// The texts of refusals that are not about the form differ: a typed failure has its facts instead.
const bodyOf = (status: number, json: unknown) => {
  const { email, error, expires, fields = {}, message, name, reason, scopes, verified } = fieldsOf(json)
  if (status < 400) return { message, email, verified, name, scopes, expires }
  if (status === 403) return { error: error ?? reason }
  return status === 422 || status === 410 || error === "Invalid credentials." ? { error, fields } : {}
}

const outcomeOf = ({ body, cookies, headers, json, status }: TestClient.TestResponse) => ({
  status,
  headers: reported.map((name) => headers.get(name)),
  cookies: cookies.map(cookieOf).sort(),
  body: bodyOf(status, body === "" ? {} : json)
})

const lines = (json: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(json) ? json.map(fieldsOf) : []

const bogus = `${"0".repeat(16)}/${"0".repeat(64)}`

const make = (requests: Requests) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<CapturedMail | Journal | SqlClient.SqlClient>()
    const { url } = yield* ServerAddress
    const mail = yield* CapturedMail
    const journal = yield* Journal
    let earlier = 0
    const clients = new Map<string, TestClient.TestClient>()
    const clientAt = (address: string) => {
      const client = clients.get(address) ?? TestClient.make(url, address)
      clients.set(address, client)
      return client
    }

    const linkTo = (email: string, kind: string, place: number) =>
      Effect.map(mail.messagesTo(email), (messages) => {
        const paths = messages.flatMap(({ text }) => new RegExp(`/${kind}/(\\S+)`).exec(text)?.[1] ?? [])
        return paths.at(-1 - place) ?? bogus
      })

    // The lists have no part in what is compared here: both programs read them the same way.
    const listed = (
      client: TestClient.TestClient,
      list: "sessions" | "devices" | "tokens",
      name: string,
      place: number
    ) =>
      Effect.map(client.json("GET", list === "tokens" ? "/account/tokens" : "/account"), ({ body, json }) => {
        const found = lines(body === "" ? [] : fieldsOf(json)[list])
        return String(found.at(-1 - place)?.[name] ?? "0")
      })

    const found = ({ kind, place }: Command, client: TestClient.TestClient, email: string) => {
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
        const sql = yield* SqlClient.SqlClient
        for (const table of ["sessions", "trusts", "tokens", "api_tokens", "security_events", "users", "rate_limits"]) {
          yield* Effect.orDie(sql`DELETE FROM ${sql(table)}`)
        }
        earlier = (yield* mail.messages).length
      }).pipe(Effect.provide(context)),
      /** Does it, and tells what a client and the program see of it. */
      perform: (command: Command, address: string, email: string) =>
        Effect.gen(function* () {
          const client = clientAt(address)
          if (command.kind === "close") return void client.jar.delete("session")
          const before = yield* signIns
          const sent = requests[command.kind](command, email, yield* found(command, client, email))
          const [method, path, json] = sent
          // The link is opened from the e-mail, without a token.
          const opened = { method, ...(method === "POST" && { json }), headers: { accept: "application/json" } }
          const response = command.kind === "verify" ? client.request(path, opened) : client.json(...sent)
          const outcome = outcomeOf(yield* response)
          const messages = yield* mail.messages
          const counted = (yield* signIns).filter((line) => !before.includes(line)).map((line) => line.split(" ", 1)[0])
          return {
            ...outcome,
            counted,
            jar: [...client.jar.keys()].sort(),
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
