// A code that a person types: of the authenticator app, or a recovery code.
import { Effect, Schema } from "effect"
import { english as validation } from "../../../src/session/FormTexts.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { State } from "../../session/FormRequest.ts"
import * as FormView from "../../session/internal/FormView.ts"
import type * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { FactorRecoveries } from "../../../src/auth/FactorRecoveries.ts"

/** The form of a code. */
export const Form = Schema.Struct({
  code: Schema.Redacted(Schema.String.pipe(Schema.filter((text) => text.trim() !== "" || validation.factorCodeMissing)))
})

/** The field of a code. */
export const field = (state: State, { loginFactor }: Effect.Effect.Success<typeof PageTexts.texts>): Html =>
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
  const { cancel } = yield* FactorRecoveries
  if (yield* cancel(user)) yield* SecurityLog.record(user, { _tag: "FactorRecoveryCancelled", by: "factor" })
})
