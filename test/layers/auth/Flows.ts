// Every operation on the stores once, and every secret that the users hold meanwhile.
import { openBearer, signIn } from "../../../src/session/internal/SessionGrants.ts"
import { Effect, Option, Redacted, TestClock } from "effect"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Csrf } from "../../../src/session/Csrf.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import type { Token } from "../../../src/auth/Tokens.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { type Session, Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Sweeper from "../../../layers/auth/internal/Sweeper.ts"
import * as AuthenticatorApp from "../../../layers/auth/internal/AuthenticatorApp.ts"
import { stepOf } from "../../../src/auth/internal/factors/FactorRules.ts"
import { Browser } from "./Stores.ts"

const halves = ({ value }: Token) => Redacted.value(value).split(".").slice(1)

const codeNow = (secret: Redacted.Redacted) =>
  Effect.map(TestClock.currentTimeMillis, (millis) =>
    Redacted.make(AuthenticatorApp.codeAt(Redacted.value(secret), stepOf(millis / 1000)))
  )

const factorFlows = Effect.fnUntraced(function* (identity: Identity, session: Session) {
  const factors = yield* Factors
  const pending = yield* PendingSignIns
  const { id } = identity
  yield* factors.required(id)
  const { enrollment, picture, secret, uri } = yield* factors.begin(identity)
  const { factor, recoveryCodes } = yield* factors.confirm(id, enrollment, yield* codeNow(secret), "phone")
  yield* factors.required(id)
  yield* factors.list(id)
  yield* factors.askOnEveryDevice(id, true)
  const tokens = [
    yield* pending.begin(id, { remember: true, request: session }),
    yield* pending.begin(id, { remember: false, request: session })
  ]
  const [first, second] = tokens.map(({ value }) => value) as [Redacted.Redacted, Redacted.Redacted]
  yield* pending.find(first)
  yield* pending.spend(first)
  yield* TestClock.adjust("1 minute")
  yield* factors.verify(id, yield* codeNow(secret))
  yield* factors.verify(id, recoveryCodes[0] ?? secret)
  yield* pending.complete(first)
  yield* pending.spend(second)
  yield* pending.revoke(id)
  yield* factors.countRecoveryCodes(id)
  const renewed = yield* factors.renewRecoveryCodes(id)
  const other = yield* factors.begin(identity)
  yield* factors.confirm(id, other.enrollment, yield* codeNow(other.secret), "tablet")
  yield* factors.remove(id, factor.handle)
  const third = yield* pending.begin(id, { remember: false, request: session })
  const shown = [enrollment, secret, uri, picture, other.enrollment, other.secret, ...recoveryCodes, ...renewed]
  return [...shown.map(Redacted.value), ...[...tokens, third].flatMap(halves)]
})

/** The secrets that no dump of the database may contain. */
export const flows = Effect.gen(function* () {
  const users = yield* Users
  const tokens = yield* Tokens
  const trust = yield* Trust
  const sessions = yield* Sessions
  const csrf = yield* Csrf
  const limits = yield* RateLimit
  const apiTokens = yield* ApiTokens
  const events = yield* SecurityEvents
  const passkeys = yield* Passkeys
  const secrets: Array<string> = ["first-password-of-mine", "second-password-of-mine"]
  const [first, second] = secrets.map((secret) => Redacted.make(secret)) as [Redacted.Redacted, Redacted.Redacted]
  const browser = new Browser()
  const keep = Effect.sync(() => secrets.push(browser.jar.get("session") ?? ""))
  const visit = <A>(use: (session: Session) => Effect.Effect<A>) => Effect.zipRight(browser.visit(use), keep)

  yield* visit((session) => Effect.map(csrf.token(session), (token) => secrets.push(token)))
  const id = yield* users.enroll("someone@example.com", first)
  const identity = { id, email: "someone@example.com", verified: false }
  yield* visit((session) => Effect.zipRight(session.trackRevocations, session[signIn](identity)))
  yield* visit((session) => Effect.map(csrf.token(session), (token) => secrets.push(token)))
  yield* visit((session) => session.set("flash", "Hello"))
  const verification = yield* tokens.mint(id, "verification")
  yield* tokens.check(verification.value, "verification")
  yield* tokens.redeem(verification.value, "verification")
  yield* users.confirm(id)
  yield* users.verify("someone@example.com", first)
  yield* users.fetch("someone@example.com")
  yield* users.findById(id)
  const device = yield* trust.issue(id, "30 days", { address: "192.0.2.1", userAgent: "Phone/1.0" })
  const rotated = Option.getOrThrow(yield* trust.rotate(device.value))
  const lost = yield* trust.issue(id)
  yield* trust.list(id)
  yield* trust.drop(id, "none")
  yield* trust.forget(lost.value)
  yield* limits.hit({ scope: "login", limit: 1, window: "60 seconds" }, "someone@example.com")
  yield* limits.hit({ scope: "login", limit: 1, window: "60 seconds" }, "someone@example.com")
  const recovery = yield* tokens.mint(id, "recovery")
  yield* users.check(id, first)
  yield* users.rotate(id, second)
  yield* tokens.revoke(id, "recovery")
  yield* tokens.revoke(id)
  yield* visit((session) => Effect.zipRight(sessions.revoke(id, session), session.regenerate))
  yield* TestClock.adjust("70 seconds")
  yield* visit((session) => session.identity)
  const listed = yield* sessions.list(id)
  yield* sessions.end(id, listed[0]?.handle ?? "")
  yield* visit((session) => session[signIn](identity))
  yield* Effect.ignore(trust.rotate(device.value))
  yield* visit((session) => session[signIn](identity))
  yield* visit((session) => session.flush)
  const factorSecrets = yield* browser.visit((session) => factorFlows(identity, session))
  secrets.push(...factorSecrets.value)
  yield* visit((session) =>
    Effect.map(passkeys.creationOptions(identity, session), ({ challenge }) => secrets.push(challenge))
  )
  yield* visit((session) => Effect.map(passkeys.requestOptions(session), ({ challenge }) => secrets.push(challenge)))
  const bearer = Option.getOrThrow(yield* sessions[openBearer](identity))
  const apiToken = yield* apiTokens.create(id, { name: "backup", scopes: ["notes:read"] })
  yield* apiTokens.verify(apiToken.secret)
  yield* apiTokens.list(id)
  const spare = yield* apiTokens.create(id, { name: "spare", scopes: [] })
  yield* apiTokens.revoke(id, spare.handle)
  secrets.push(...[bearer, apiToken, spare].map(({ secret }) => Redacted.value(secret)))
  yield* visit((session) => session[signIn](identity))
  yield* apiTokens.revokeAll(id)
  const live = [yield* tokens.mint(id, "recovery"), yield* tokens.mint(id, "verification"), yield* trust.issue(id)]
  yield* events.record({ account: id, event: { _tag: "SignedIn", by: "password" } })
  yield* events.record({ account: id, event: { _tag: "SignedOut" } })
  const one = yield* Effect.orDie(Pagination.make({ cursor: "", limit: 1 }))
  const { pagination } = yield* Effect.orDie(events.list(id, { pagination: one }))
  yield* Effect.orDie(events.list(id, { events: ["Theft"], after: 0 }))
  yield* Effect.orDie(events.list(id, { events: ["SignedIn"], pagination: { ...one, cursor: pagination.next } }))
  yield* Sweeper.sweepAll
  secrets.push(...[verification, device, rotated, lost, recovery, ...live].flatMap(halves))
  return secrets.filter((secret) => secret !== "")
})
