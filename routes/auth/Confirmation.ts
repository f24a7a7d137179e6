// Recent confirmation, for the page and for the API: the session keeps when its owner last entered the password.
import { Clock, Effect, Option, Schema } from "effect"
import * as AuthRateLimits from "../../src/auth/AuthRateLimits.ts"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { AuthTexts } from "../../src/auth/AuthTexts.ts"
import { ConfirmationRequired } from "../../src/auth/ConfirmationRequired.ts"
import * as ConfirmationState from "../../src/auth/ConfirmationState.ts"
import * as Form from "../../src/auth/Form.ts"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import { Users } from "../../src/auth/Users.ts"
import * as Quota from "../http/Quota.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Texts from "../http/Texts.ts"
import * as Throttle from "../http/Throttle.ts"
import { confirm as path } from "./AuthPaths.ts"
import * as FormRequest from "./FormRequest.ts"
import * as PageTexts from "./PageTexts.ts"
import * as SecurityLog from "./SecurityLog.ts"

const Confirmation = Schema.Struct({ current: Form.CurrentPassword })

const seconds = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

/** What a session holds that begins with a confirmation. */
export const initial = Effect.map(seconds, (now) => ({ [ConfirmationState.key]: String(now) }))

/** Marks the session of this request as confirmed now. Only for a signed-in one: a guest's data is in their cookie. */
export const renew = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  if (Option.isSome(yield* session.identity)) yield* session.set(ConfirmationState.key, String(yield* seconds))
})

/** Whether the session of this request was confirmed recently. */
export const isRecent = Effect.gen(function* () {
  const { confirmationTtl } = yield* AuthSettings
  const session = yield* SessionCookie.current
  const stored = yield* session.get(ConfirmationState.key)
  const isMember = Option.isSome(yield* session.identity)
  return isMember && ConfirmationState.isRecent(Option.getOrUndefined(stored), yield* seconds, confirmationTtl)
})

/** The refusal of a request that needs a confirmation first. */
export const refusal = Effect.map(
  Texts.of(AuthTexts),
  ({ confirm }) => new ConfirmationRequired({ error: confirm.required, confirm: path })
)

/** Fails when the session of this request was not confirmed recently. */
export const required = Effect.flatMap(isRecent, (isDone) => (isDone ? Effect.void : Effect.flip(refusal)))

const limited = Throttle.limited(AuthRateLimits.rules.confirm)

/** Confirms the session by the password in this request, limited by client and by account. Its id changes. */
export const submit = limited(
  Effect.gen(function* () {
    const { current } = yield* FormRequest.read(Confirmation)
    const { id } = yield* CurrentIdentity
    yield* Quota.spend(AuthRateLimits.rules.confirmPerAccount, id)
    const users = yield* Users
    if (!(yield* users.check(id, current))) {
      yield* SecurityLog.record(id, { _tag: "Confirmed", by: "password" }, { outcome: "failure" })
      const { passwordWrong: error } = (yield* PageTexts.texts).validation
      return yield* FormRequest.invalid(Confirmation, { error, fieldErrors: { current: error } })
    }
    const session = yield* SessionCookie.current
    yield* session.regenerate
    yield* renew
    yield* SecurityLog.record(id, { _tag: "Confirmed", by: "password" })
  })
)
