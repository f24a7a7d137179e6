// What someone can do with what they hold of another person: every way in is tried over real sockets, and what one of them
// yields is used for the others, until nothing new is reached.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Option, Redacted, TestClock } from "effect"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"
import type { RequestOptions } from "../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { KeyRing } from "../../src/session/internal/KeyRing.ts"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import * as TestApp from "../../testing/TestApp.ts"
import type { TestClient } from "../../testing/TestClient.ts"
import * as FactorApp from "./FactorApp.ts"
import * as MailedLinks from "./MailedLinks.ts"
import * as PasskeyUser from "./PasskeyUser.ts"
import type { SoftAuthenticator } from "./SoftAuthenticator.ts"

/** What can be held of a person. */
export const holdings = [
  "address",
  "mailbox",
  "password",
  "session cookie",
  "remember cookie",
  "API token",
  "unlocked device",
  "copy of the database"
] as const

export type Holding = (typeof holdings)[number]

/** What is reached with it: endpoints of a token, a session, a confirmed one, a password of one's own, the end of the factors. */
export type Goal = "endpoints" | "account" | "confirmed" | "password" | "factors"

const order: ReadonlyArray<Goal> = ["endpoints", "account", "confirmed", "password", "factors"]

/** Someone who is signed in on a device, remembered on another one, and has an API token. */
export interface Victim {
  readonly user: TestApp.TestUser
  readonly browser: TestClient
  readonly remember: string
  readonly token: string
  /** Of an account with a second factor: the app and the passkey on the device. */
  readonly device: { readonly passkey: SoftAuthenticator; readonly secret: string } | undefined
}

/** A person, whose last confirmation is old. */
export const victim = Effect.fnUntraced(function* (hasFactor: boolean) {
  const user = yield* TestApp.enrolledUser()
  const { email, id, password } = user
  const remembered = yield* TestApp.guest
  yield* remembered.submit("/login", { email, password, remember: "1" })
  const browser = yield* TestApp.signedInUser(user)
  const passkey = hasFactor ? (yield* PasskeyUser.add(browser)).device : undefined
  const device = passkey === undefined ? undefined : { passkey, secret: (yield* FactorApp.enrol(user)).secret }
  const tokens = yield* ApiTokens
  const { secret } = yield* tokens.create(id, { name: "Backup", scopes: ["notes:read"] })
  // Of what happens more than once in an hour, the first is told at once.
  yield* TestClock.adjust("61 minutes")
  const remember = remembered.jar.get("remember") ?? ""
  const made: Victim = { user, browser, remember, token: Redacted.value(secret), device }
  return made
})

const chosen = "a password of the thief"

const fresh = { password: chosen, password_confirmation: chosen }

// All texts of this person in a table of a copied database.
const copied = Effect.fnUntraced(function* (table: string, user: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Record<string, unknown>>`SELECT * FROM ${sql(table)} WHERE user_id = ${user}`
  return rows.map((row) => Object.values(row).filter((value) => typeof value === "string"))
}, Effect.orDie)

/** What someone reaches who holds these things, and the subjects of what is sent to the address of the account meanwhile. */
export const attack = Effect.fnUntraced(function* (
  { browser, device, remember, token, user }: Victim,
  held: ReadonlyArray<Holding>
) {
  const holds = new Set<Holding>(held)
  const reached = new Set<Goal>()
  const clients: Array<TestClient> = []
  const sessions: Array<TestClient> = []
  let { email } = user
  let password = holds.has("password") ? user.password : undefined
  let hasMailbox = holds.has("mailbox")
  const before = yield* Effect.flatMap(CapturedMail, ({ messagesTo }) => messagesTo(user.email))

  const client = Effect.fnUntraced(function* (cookies: Iterable<readonly [string, string]> = []) {
    const made = yield* TestApp.guest
    for (const [name, value] of cookies) made.jar.set(name, value)
    return made
  })

  if (holds.has("session cookie")) clients.push(yield* client([["session", browser.jar.get("session") ?? ""]]))
  if (holds.has("unlocked device")) clients.push(yield* client(browser.jar))
  if (holds.has("remember cookie")) clients.push(yield* client([["remember", remember]]))

  const passkey = holds.has("unlocked device") ? device?.passkey : undefined

  // Where the sealing keys are in the copy, so is the secret of the app.
  const secret = Effect.gen(function* () {
    if (holds.has("unlocked device") && device !== undefined) return device.secret
    if (!holds.has("copy of the database")) return ""
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<Record<"id" | "secret", string>>`SELECT id, secret FROM factors WHERE user_id = ${user.id}`
    if (row === undefined) return ""
    const { unseal } = yield* KeyRing
    return Option.getOrElse(yield* unseal(row.secret, `factor\0${user.id}\0${row.id}`), () => "")
  }).pipe(Effect.orDie)

  const code = Effect.gen(function* () {
    const known = yield* secret
    if (known === "") return ""
    yield* FactorApp.nextCode
    return yield* FactorApp.codeOf(known)
  })

  const tryToken = Effect.fnUntraced(function* (text: string) {
    const program = yield* client()
    program.headers.set("authorization", `Bearer ${text}`)
    if ((yield* program.json("GET", "/notes")).status === 200) reached.add("endpoints")
    if ((yield* program.json("GET", "/api/me")).status === 200) reached.add("account")
  })

  // Every text of the copy in the place of what it is the digest of.
  const tryCopy = Effect.gen(function* () {
    for (const [id = ""] of yield* copied("sessions", user.id)) {
      clients.push(yield* client([["session", id]]))
      yield* tryToken(`efs_${id}`)
    }
    for (const texts of yield* copied("trusts", user.id)) {
      for (const text of texts) clients.push(yield* client([["remember", remember.replace(/[^.:]+$/, text)]]))
    }
    for (const texts of yield* copied("api_tokens", user.id)) {
      for (const text of texts) yield* tryToken(`eft_${text}`)
    }
  })

  const trySessions = Effect.gen(function* () {
    for (const one of clients) {
      if ((yield* one.get("/account")).status !== 200) continue
      reached.add("account")
      sessions.push(one)
      if ((yield* one.get("/account/factors")).status !== 200) {
        const digits = yield* code
        if (password !== undefined) yield* one.submit("/confirm", { current: password })
        else if (digits !== "") yield* one.submit("/confirm", { code: digits })
        if (passkey !== undefined) {
          const { json } = yield* one.json("POST", "/confirm/passkey/options")
          yield* one.submit("/confirm/passkey", { credential: passkey.get(json as RequestOptions) })
        }
      }
      yield* useSession(one)
    }
  })

  const useSession = Effect.fnUntraced(function* (one: TestClient) {
    if (password !== undefined && password !== chosen) {
      const changed = yield* one.submit("/password", { current: password, ...fresh })
      if (changed.location === "/account") own()
    }
    const page = yield* one.get("/account/factors")
    if (page.status !== 200) return
    reached.add("confirmed")
    const [, handle] = /name="handle" value="([^"]+)"/.exec(page.body) ?? []
    if (handle !== undefined && (yield* one.submit("/account/factors/remove", { handle })).status === 303) {
      reached.add("factors")
    }
    if (reached.has("password")) return
    // Another address has another mailbox.
    const mine = `thief-${user.id}@example.org`
    yield* one.submit("/account/email", { email: mine })
    const moved = yield* one.submit(yield* MailedLinks.lastLink(mine, "/account/email"), {})
    if (moved.status !== 303) return
    email = mine
    hasMailbox = true
  })

  const own = () => {
    password = chosen
    reached.add("password")
  }

  const tryMailbox = Effect.gen(function* () {
    if (!hasMailbox || password !== undefined) return
    // In a browser with a session, where there is one: it is the session of the account that is reset.
    const one = sessions.at(-1) ?? (yield* client())
    yield* one.submit("/forgot", { email })
    const link = yield* MailedLinks.lastLink(email, "/reset")
    if ((yield* one.submit(link, fresh)).location !== "/login") return
    own()
    clients.push(one)
  })

  const tryPassword = Effect.gen(function* () {
    if (password === undefined) return
    const one = yield* client()
    const { location } = yield* one.submit("/login", { email, password })
    if (location === "/account") clients.push(one)
    if (location !== "/login/factor") return
    const digits = yield* code
    if (digits !== "" && (yield* one.submit(location, { code: digits })).location === "/account") {
      clients.push(one)
    } else if (hasMailbox) yield* tryLost(one, password)
  })

  const tryLost = Effect.fnUntraced(function* (one: TestClient, known: string) {
    yield* one.submit("/login/factor/recovery", {})
    const early = yield* MailedLinks.lastLink(email, "/login/factor/recovery")
    if (early !== "") reached.add("factors")
    yield* TestClock.adjust(Duration.hours(72))
    yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
    const link = yield* MailedLinks.lastLink(email, "/login/factor/recovery")
    const done = link === "" ? undefined : yield* (yield* client()).submit(link, { password: known, passkeys: "1" })
    if (done?.location === "/login") late = true
  })

  let late = false

  const tryPasskey = Effect.gen(function* () {
    if (passkey === undefined) return
    const one = yield* client()
    if ((yield* PasskeyUser.signIn(one, passkey)).location === "/account") clients.push(one)
  })

  if (holds.has("API token")) yield* tryToken(token)
  if (holds.has("copy of the database")) yield* tryCopy
  yield* tryPasskey
  for (let round = 0; round < 3; round++) {
    yield* trySessions
    clients.length = 0
    yield* tryMailbox
    yield* tryPassword
  }
  const after = yield* Effect.flatMap(CapturedMail, ({ messagesTo }) => messagesTo(user.email))
  return {
    reached: order.filter((goal) => reached.has(goal)).join(" ") + (late ? " late" : ""),
    told: Array.from(new Set(after.slice(before.length).map(({ subject }) => subject))).sort()
  }
})
