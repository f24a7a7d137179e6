// A code that a person types: of the authenticator app, or a recovery code.
import { Effect, Option, Redacted, Schema } from "effect"
import { english as validation } from "../../../src/session/FormTexts.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as CodeText from "../../../src/auth/internal/factors/CodeText.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { FormState } from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import type * as PageTexts from "../internal/PageTexts.ts"
import * as KnownDevice from "../signin/KnownDevice.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"

/** The form of a code. */
export const Form = Schema.Struct({
  code: Schema.Redacted(Schema.String.pipe(Schema.filter((text) => text.trim() !== "" || validation.factorCodeMissing)))
})

/** The field of a code. */
export const field = (state: FormState, { loginFactor }: Effect.Effect.Success<typeof PageTexts.texts>): Html =>
  FormView.field(state, {
    name: "code",
    label: loginFactor.code,
    hint: loginFactor.codeHint,
    attributes: html`type="text" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="64"`
  })

/** Records that a recovery code was used, and how many are left. */
export const recordRecovery = Effect.fnUntraced(function* (user: AccountId) {
  const left = yield* Effect.flatMap(Factors, ({ countRecoveryCodes }) => countRecoveryCodes(user))
  yield* SecurityLog.record(user, { _tag: "RecoveryCodeUsed", left })
})

/** Ends the recovery of an account whose factor was used, before anything is granted for it. One statement. */
export const endLostFactorRequest = Effect.fnUntraced(function* (user: AccountId) {
  const { cancel } = yield* LostFactorRequests
  if (yield* cancel(user)) yield* SecurityLog.record(user, { _tag: "FactorRecoveryCancelled", by: "factor" })
})

/**
 * Checks a code that a person has typed, within its budget. Only one-time codes have one, since a recovery code cannot be
 * guessed: 20 in an hour for each known device, and 20 for all others together, so that a stranger who knows the password
 * cannot lock the owner out. A wrong one from an unknown device counts against the password.
 */
export const check = Effect.fnUntraced(function* (user: AccountId, code: Redacted.Redacted) {
  const factors = yield* Factors
  if (kindOf(code) === "recovery") return yield* factors.verify(user, code)
  const known = yield* KnownDevice.trusted(user)
  if (Option.isSome(known)) {
    yield* RateLimit.spend(AuthRateLimits.rules.factorPerDevice, `${user} ${known.value.device}`)
    return yield* factors.verify(user, code)
  }
  yield* Effect.tapErrorTag(RateLimit.spend(AuthRateLimits.rules.factorPerAccount, user), "TooManyRequests", () =>
    tellOnce(user)
  )
  if ((yield* factors.required(user)).isLocked) return Option.none()
  const used = yield* factors.verify(user, code)
  if (Option.isNone(used)) yield* factors.countWrongCode(user)
  return used
})

/** Which kind of code this can be. */
export const kindOf = (code: Redacted.Redacted): "totp" | "recovery" =>
  CodeText.parseOneTimeCode(Redacted.value(code)) === undefined ? "recovery" : "totp"

const tellOnce = Effect.fnUntraced(function* (user: AccountId) {
  const { hit } = yield* RateLimit.RateLimit
  const { allowed } = yield* hit(AuthRateLimits.rules.factorExhausted, user)
  if (allowed) yield* SecurityLog.record(user, { _tag: "SecondStepExhausted" })
})
