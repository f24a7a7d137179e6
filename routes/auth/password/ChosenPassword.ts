// The check of a password that someone chooses, the same for sign-up, change and reset, for pages and for the API.
import { Effect, Option, Redacted } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { translate } from "../../../src/session/internal/FormSentences.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as PasswordRules from "../../../src/auth/internal/passwords/PasswordRules.ts"
import { RefusedPasswords } from "../../../src/auth/RefusedPasswords.ts"
import type { Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import * as Url from "../../../src/config/internal/Url.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as PageTexts from "../internal/PageTexts.ts"

/** The account that chooses; a new one has no id. */
interface Owner {
  readonly email: string
  readonly id?: AccountId
  /** The profile of a new account; that of another one is read. */
  readonly profile?: Row | undefined
}

/** The shortest password that this account may choose; without an account, that of a new one. */
const minimum = Effect.fnUntraced(function* (user?: AccountId) {
  const { passwordMin, passwordMinWithoutFactor } = yield* AuthConfig
  const longer = Math.max(passwordMin, passwordMinWithoutFactor)
  if (user === undefined || longer === passwordMin) return longer
  const factors = yield* Factors
  return (yield* factors.required(user)).kinds.length > 0 ? passwordMin : longer
})

const profileOf = ({ id, profile }: Owner) =>
  id === undefined
    ? Effect.succeed(profile)
    : Effect.map(AccountProfile.find(id), (found) => Option.getOrUndefined(found)?.row)

const words = Effect.fnUntraced(function* (owner: Owner) {
  const { appUrl } = yield* AuthConfig
  const { email } = owner
  const names = Object.values((yield* profileOf(owner)) ?? {}).filter((value) => typeof value === "string")
  return PasswordRules.wordsOf({ email, names, host: Url.parse(appUrl)?.hostname ?? "" })
})

/** What the form of a new password tells while it is typed; without an account, for a new one. */
export const hints = Effect.fnUntraced(function* (owner: Owner = { email: "" }) {
  return { min: yield* minimum(owner.id), words: yield* words(owner) }
})

/** Why the account may not choose this password, in the language of the request; `undefined` when it may. */
export const problem = Effect.fnUntraced(function* (owner: Owner, password: Redacted.Redacted) {
  const { validation } = yield* PageTexts.texts
  const text = Redacted.value(password)
  const broken = PasswordRules.problem(text, owner.email)
  if (broken !== undefined) return translate(broken, validation)
  const min = yield* minimum(owner.id)
  if ([...text].length < min) return validation.passwordTooShort(min)
  if (PasswordRules.isGuessable(text, yield* words(owner))) return validation.passwordGuessable
  const refused = yield* RefusedPasswords
  const refusal = yield* refused.find(password)
  if (Option.isNone(refusal)) return undefined
  return refusal.value === "Common" ? validation.passwordCommon : validation.passwordBreached
})
