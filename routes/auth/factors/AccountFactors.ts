// The second factors of an account: how their owner adds and removes them. Every change needs a recent confirmation, which the
// routes ask for: a stolen session must not lock its owner out.
import { Effect, Redacted, Schema } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { english as validation } from "../../../src/session/FormTexts.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as FormState from "../../session/FormState.ts"
import { One } from "../api/AccountSchemas.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as FactorCode from "./FactorCode.ts"

const New = Schema.Struct({
  enrolment: Schema.Redacted(Schema.String),
  name: Form.Name(validation.factorNameMissing, validation.factorNameTooLong),
  code: FactorCode.Form.fields.code
})

const limited = RateLimit.middleware(AuthRateLimits.rules.factor)

/** The factors of the signed-in account, how many recovery codes are left, and whether trusted devices are asked. */
export const overview = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const factors = yield* Factors
  const apps = yield* factors.list(id)
  const recoveryCodes = yield* factors.countRecoveryCodes(id)
  return { apps, recoveryCodes, everyDevice: (yield* factors.required(id)).onEveryDevice }
})

/** A new secret for the signed-in account. */
export const begin = Effect.gen(function* () {
  const factors = yield* Factors
  return yield* factors.begin(yield* CurrentIdentity)
})

/** The secret of the form in this request: a mistyped code is no reason to scan another picture. */
export const again = Effect.gen(function* () {
  const factors = yield* Factors
  const sent = (yield* FormFields.read).get("enrolment") ?? ""
  return yield* factors.begin(yield* CurrentIdentity, Redacted.make(sent))
})

/** Adds the authenticator app of the form in this request, by a code that it shows; limited by client. */
export const add = limited(
  Effect.gen(function* () {
    const { code, enrolment, name } = yield* FormState.read(New)
    const { id } = yield* CurrentIdentity
    const factors = yield* Factors
    const { factors: texts } = yield* PageTexts.texts
    yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
    const confirmed = factors.confirm(id, enrolment, code, name).pipe(
      Effect.catchTags({
        InvalidEnrollment: ({ reason }) =>
          reason === "code"
            ? FormState.invalid(New, { fieldErrors: { code: validation.factorCodeWrong } })
            : FormState.invalid(New, { status: 410, error: texts.expired }),
        TooManyFactors: ({ limit }) => FormState.invalid(New, { error: texts.tooMany(limit) })
      })
    )
    // The owner, who has reset the password meanwhile, would be locked out.
    const added = yield* LiveSession.store(confirmed, {
      undo: ({ factor }) => factors.remove(id, factor.handle),
      tell: ({ factor: { created: since } }) =>
        SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" }, { since })
    })
    return { factor: added.factor, recoveryCodes: added.recoveryCodes.map(Redacted.value) }
  })
)

/** Removes an authenticator app of the signed-in account. No response reveals whether it was there. */
export const removeOne = Effect.fnUntraced(function* (handle: string) {
  const { id } = yield* CurrentIdentity
  const isRemoved = yield* Effect.flatMap(Factors, (factors) => factors.remove(id, handle))
  if (isRemoved) yield* SecurityLog.record(id, { _tag: "FactorRemoved", factor: "totp" })
}, Effect.uninterruptible)

/** Removes the authenticator app that the form names. */
export const remove = Effect.flatMap(FormState.read(One), ({ handle }) => removeOne(handle))

/** New recovery codes for the signed-in account, which has a factor; none without one. */
export const renewRecoveryCodes = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const factors = yield* Factors
  if ((yield* factors.required(id)).kinds.length === 0) return []
  yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
  const since = yield* EpochSeconds.seconds
  const codes = yield* LiveSession.store(factors.renewRecoveryCodes(id), {
    // The old ones are gone: what remains is of no use to anyone.
    undo: () => factors.renewRecoveryCodes(id),
    tell: () => SecurityLog.record(id, { _tag: "RecoveryCodesRenewed" }, { since })
  })
  return codes.map(Redacted.value)
})

const Choice = Schema.Struct({ every_device: Form.Checkbox })

/** Stores whether trusted devices are asked for a code too. */
export const choose = Effect.gen(function* () {
  const { every_device } = yield* FormState.read(Choice)
  const { id } = yield* CurrentIdentity
  yield* Effect.flatMap(Factors, (factors) => factors.askOnEveryDevice(id, every_device !== undefined))
})
