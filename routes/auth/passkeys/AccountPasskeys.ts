// The passkeys of an account, for the page and for the API: how their owner adds, names and removes them.
import { Effect, Redacted, Schema } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { english as validation } from "../../../src/session/FormTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as FormState from "../../session/FormState.ts"
import { One } from "../api/AccountSchemas.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

const Name = Form.Name(validation.passkeyNameMissing, validation.tokenNameTooLong)

const Made = Schema.Struct({ name: Name, credential: Schema.Redacted(Schema.String) })

const Renamed = Schema.Struct({ handle: Schema.String, name: Name })

const Named = Schema.Struct({ name: Name })

/** The passkeys of the signed-in account. */
export const list = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(Passkeys, (passkeys) => passkeys.list(id))
})

// Someone who signs up with the address of another person must not leave a passkey for the day its owner takes the account.
const verifiedOnly = Effect.gen(function* () {
  const { verified } = yield* CurrentIdentity
  if (verified) return
  return yield* FormState.invalid(Made, { status: 403, error: (yield* PageTexts.texts).passkeys.unverified })
})

/** The options for a new passkey of the signed-in account, limited by client. */
export const options = RateLimit.middleware(AuthRateLimits.rules.passkeyOptions)(
  Effect.gen(function* () {
    yield* verifiedOnly
    const passkeys = yield* Passkeys
    return yield* passkeys.creationOptions(yield* CurrentIdentity, yield* SessionCookie.current)
  })
)

/** Stores the passkey that the form in this request contains, limited by client. */
export const add = RateLimit.middleware(AuthRateLimits.rules.passkey)(
  Effect.gen(function* () {
    yield* verifiedOnly
    const { credential, name } = yield* FormState.read(Made)
    const { id } = yield* CurrentIdentity
    yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
    const passkeys = yield* Passkeys
    const { passkeys: texts } = yield* PageTexts.texts
    const session = yield* SessionCookie.current
    const enrolled = passkeys.enroll(id, session, { name, credential: Redacted.value(credential) }).pipe(
      Effect.catchTag("PasskeyRefused", ({ reason }) =>
        FormState.invalid(Made, { error: reason === "duplicate" ? texts.known : texts.refused })
      ),
      Effect.catchTag("TooManyPasskeys", ({ limit }) => FormState.invalid(Made, { error: texts.tooMany(limit) }))
    )
    return yield* LiveSession.store(enrolled, {
      undo: ({ handle }) => passkeys.remove(id, handle),
      tell: (made) => SecurityLog.record(id, { _tag: "PasskeyAdded", name: made.name }, { since: made.created })
    })
  })
)

const renameTo = Effect.fnUntraced(function* (handle: string, name: string) {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(Passkeys, (passkeys) => passkeys.rename(id, handle, name))
})

/** Gives a passkey of the signed-in account the name in this request; `false` for an unknown one, which no response reveals. */
export const renameOne = (handle: string) => Effect.flatMap(FormState.read(Named), ({ name }) => renameTo(handle, name))

/** Names the passkey of the form in this request. */
export const rename = Effect.flatMap(FormState.read(Renamed), ({ handle, name }) => renameTo(handle, name))

/** Removes a passkey of the signed-in account, unless it is the last way in; `false` for an unknown one, which no response reveals. */
export const removeOne = Effect.fnUntraced(function* (handle: string) {
  const { id } = yield* CurrentIdentity
  const passkeys = yield* Passkeys
  const methods = yield* SignInMethods
  const found = (yield* passkeys.list(id)).find((one) => one.handle === handle)
  if (found === undefined || !(yield* methods.remove(id, passkeys.remove(id, handle)))) {
    return false
  }
  yield* SecurityLog.record(id, { _tag: "PasskeyRemoved", name: found.name })
  return true
}, Effect.uninterruptible)

/** Removes the passkey of the form in this request. */
export const remove = Effect.flatMap(FormState.read(One), ({ handle }) => removeOne(handle))
