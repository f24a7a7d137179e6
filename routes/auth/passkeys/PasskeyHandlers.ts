// The operations of a passkey as endpoints: to sign in, to complete a sign-in after the password, and to confirm.
import { Effect, Option, Redacted } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import type { Visit } from "../../../src/auth/Passkeys.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as Texts from "../../http/Texts.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { asCredentials, InvalidCredentials, InvalidInput } from "../api/AccountFailures.ts"
import {
  asGuarded,
  pendingEnded,
  regenerated,
  startOver,
  withBearer,
  withJson,
  withoutCookies
} from "../api/AccountOperation.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import * as SignInSteps from "../signin/SignInSteps.ts"
import * as PasskeyFactor from "./PasskeyFactor.ts"
import * as PasskeySignIn from "./PasskeySignIn.ts"

const withPasskey = <A, R, R2>(visit: Effect.Effect<Visit, never, R2>, grant: SignInSteps.Grant<A, R>) =>
  PasskeySignIn.attempt(visit, grant).pipe(Effect.catchTag("InvalidForm", asCredentials))

// A page without the passkey is refused as one with a wrong passkey; a payload without it has the wrong shape.
const withMembers = Effect.fnUntraced(function* (names: ReadonlyArray<string>) {
  const fields = yield* FormFields.read
  const missing = names.filter((name) => (fields.get(name) ?? "") === "")
  if (missing.length === 0) return fields
  const { refused: error } = (yield* Texts.of(AuthTexts)).passkeys
  return yield* new InvalidInput({ error, fields: Object.fromEntries(missing.map((name) => [name, error])) })
})

export const signInPasskeyOptions = Effect.zipRight(CsrfGuard.header, PasskeySignIn.optionsFor(SessionCookie.current))

export const signInPasskey = Effect.gen(function* () {
  yield* CsrfGuard.header
  yield* withMembers(["credential"])
  return (yield* withPasskey(SessionCookie.current, SignInSteps.inBrowser)).identity
}).pipe(withJson)

// In the place of the secret of a session: only the client that asked for the challenge has it.
const visitOf = (flow: string): Visit => ({ secret: Effect.succeed(new TextEncoder().encode(`flow ${flow}`)) })

export const signInPasskeyOptionsBearer = Effect.gen(function* () {
  const { bytes } = yield* Entropy
  const flow = Buffer.from(bytes(32)).toString("base64url")
  return { options: yield* PasskeySignIn.optionsFor(Effect.succeed(visitOf(flow))), flow: Redacted.make(flow) }
}).pipe(withoutCookies)

export const signInPasskeyBearer = Effect.gen(function* () {
  // A password that is changed while this request checks the passkey must not leave a session.
  yield* Effect.flatMap(SessionCookie.current, ({ trackRevocations }) => trackRevocations)
  const fields = yield* withMembers(["credential", "flow"])
  const visit = visitOf(fields.get("flow") ?? "")
  const { granted, identity } = yield* withPasskey(Effect.succeed(visit), SignInSteps.byBearer)
  const { refused: error } = (yield* Texts.of(AuthTexts)).passkeys
  return yield* withBearer(identity, granted, new InvalidCredentials({ error }))
}).pipe(withJson, withoutCookies)

export const signInFactorOptions = Effect.gen(function* () {
  yield* CsrfGuard.header
  const found = yield* PasskeyFactor.pendingOptions(SessionCookie.current, yield* PendingSession.presented)
  return Option.isSome(found) ? found.value : yield* startOver
})

export const signInFactorPasskey = Effect.gen(function* () {
  yield* CsrfGuard.header
  yield* withMembers(["credential"])
  const presented = yield* PendingSession.presented
  const outcome = yield* PasskeyFactor.complete(SessionCookie.current, presented, SignInSteps.inBrowser)
  return outcome._tag === "SignedIn" ? outcome.identity : yield* startOver
}).pipe(Effect.catchTag("InvalidForm", asCredentials), withJson)

// The secret of the pending sign-in takes the place of that of a session: the client has one already.
const pendingVisit = (presented: Option.Option<Redacted.Redacted>) =>
  Effect.succeed(visitOf(Option.match(presented, { onNone: () => "", onSome: Redacted.value })))

export const signInFactorOptionsBearer = Effect.gen(function* () {
  const presented = yield* PendingSession.sent
  const found = yield* PasskeyFactor.pendingOptions(pendingVisit(presented), presented)
  return Option.isSome(found) ? found.value : yield* pendingEnded
}).pipe(withJson, withoutCookies)

export const signInFactorPasskeyBearer = Effect.gen(function* () {
  yield* withMembers(["credential", "pending"])
  const presented = yield* PendingSession.sent
  const outcome = yield* PasskeyFactor.complete(pendingVisit(presented), presented, SignInSteps.byBearer)
  if (outcome._tag === "StartOver") return yield* pendingEnded
  return yield* withBearer(outcome.identity, outcome.granted, pendingEnded)
}).pipe(Effect.catchTag("InvalidForm", asCredentials), withJson, withoutCookies)

export const confirmPasskeyOptions = PasskeyFactor.confirmOptions.pipe(asGuarded)

export const confirmPasskey = Effect.gen(function* () {
  yield* withMembers(["credential"])
  yield* PasskeyFactor.confirmed
  return yield* regenerated(({ confirm: texts }) => texts.done)
}).pipe(withJson, asGuarded)
