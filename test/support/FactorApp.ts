// People with an authenticator app, for tests over real sockets.
import { Effect, Redacted, TestClock } from "effect"
import * as AuthenticatorApp from "../../layers/auth/internal/AuthenticatorApp.ts"
import { stepOf } from "../../src/auth/internal/factors/FactorRules.ts"
import { Factors } from "../../src/auth/Factors.ts"
import type { Identity } from "../../src/session/Identity.ts"
import { Users } from "../../src/auth/Users.ts"

/** The recovery codes that a page or an answer of the API shows. */
export const recoveryCodesIn = (body: string): ReadonlyArray<string> =>
  body.match(/\b(?:[0-9a-z]{4}-){5}[0-9a-z]{4}\b/g) ?? []

/** The code that the app shows now, or so many steps later. */
export const codeOf = (secret: string, drift = 0) =>
  Effect.map(TestClock.currentTimeMillis, (millis) => AuthenticatorApp.codeAt(secret, stepOf(millis / 1000) + drift))

/** A code that no app shows now. */
export const wrongCode = (secret: string) =>
  Effect.map(
    Effect.forEach([-1, 0, 1], (drift) => codeOf(secret, drift)),
    (right) => ["000000", "111111", "222222", "333333"].find((code) => !right.includes(code)) ?? ""
  )

/** Later than the step of every code that was used. */
export const nextCode = TestClock.adjust("90 seconds")

/** Gives the account of an e-mail an authenticator app and recovery codes. */
export const enrol = Effect.fnUntraced(function* ({ email }: Pick<Identity, "email">) {
  const factors = yield* Factors
  const { id } = yield* Effect.flatten(Effect.flatMap(Users, ({ fetch }) => fetch(email)))
  yield* nextCode
  const { enrollment, secret: shown } = yield* factors.begin({ verified: true, id, email })
  const secret = Redacted.value(shown)
  const code = Redacted.make(yield* codeOf(secret))
  const { factor, recoveryCodes } = yield* factors.confirm(id, enrollment, code, "Phone")
  yield* nextCode
  return { secret, factor, recoveryCodes: recoveryCodes.map(Redacted.value) }
})
