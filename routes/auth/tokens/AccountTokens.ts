// The API tokens of an account, for the page and for the API: how their owner makes and revokes them.
import { HttpApiEndpoint, OpenApi } from "@effect/platform"
import { Duration, Effect, Schema } from "effect"
import { OfferedScopes } from "../../../src/auth/internal/OfferedScopes.ts"
import { defaultTtl, lifetimes } from "../../../src/auth/internal/ApiTokenRules.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { ConfirmationRequired } from "../../../src/auth/AuthError.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { english as validation } from "../../../src/session/FormTexts.ts"
import * as Form from "../../../src/auth/internal/Form.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as FormState from "../../session/FormState.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as Offered from "../internal/Offered.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import { PasswordSubmission } from "../api/AccountFailures.ts"
import * as Schemas from "../api/AccountSchemas.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"

/** The operation where the program offers scopes; 404 where it does not, because a token could do nothing. */
export const whenOffered = Offered.when(Effect.map(OfferedScopes, (scopes) => Object.keys(scopes).length > 0))

const days: ReadonlySet<string> = new Set(lifetimes.map(String))

const Wanted = Schema.Struct({
  name: Form.Name(validation.tokenNameMissing, validation.tokenNameTooLong),
  days: Schema.optionalWith(
    Schema.String.pipe(Schema.filter((given) => days.has(given) || validation.tokenLifetimeInvalid)),
    { default: () => String(Duration.toDays(defaultTtl)) }
  ),
  /** A confirmation, where the session has none: a stolen session must not become a token that outlives it. */
  current: Schema.optional(Form.CurrentPassword)
})

/** The checkbox of a scope. A client of the API may send all of them as `scopes`, a list or separated by blanks. */
export const fieldOf = (scope: string): string => `scope ${scope}`

/** The scopes that this request asks for. */
export const asked = Effect.gen(function* () {
  const fields = yield* FormFields.read
  const offered = Object.keys(yield* OfferedScopes)
  const listed = fields.list("scopes") ?? (fields.get("scopes") ?? "").split(" ").filter((scope) => scope !== "")
  const known = offered.filter((scope) => fields.has(fieldOf(scope)) || listed.includes(scope))
  return { known, isComplete: known.length > 0 && listed.every((scope) => offered.includes(scope)) }
})

const invalid = (name: string, message: string) =>
  FormState.invalid(Wanted, { error: message, fieldErrors: { [name]: message } })

// Shares the limit of the password form: it is as good a place to guess the password.
const limited = RateLimit.middleware(AuthRateLimits.rules.password)

const confirmed = Effect.fnUntraced(function* (current: (typeof Wanted.Type)["current"]) {
  if (current === undefined) {
    const fields = yield* FormFields.read
    // A password of another type is a mistake, not a request without one.
    if (fields.list("current") !== undefined) return yield* invalid("current", validation.passwordMissing)
    return yield* Confirmation.required
  }
  const { id } = yield* CurrentIdentity
  yield* RateLimit.spend(AuthRateLimits.rules.confirmPerAccount, id)
  const users = yield* Users
  if (yield* users.check(id, current)) return
  return yield* invalid("current", (yield* PageTexts.texts).validation.passwordWrong)
})

/**
 * Makes the token that the form in this request asks for, limited by client. Needs a recent confirmation, or the password,
 * whose guesses are limited by account.
 */
export const create = limited(
  Effect.gen(function* () {
    const wanted = yield* FormState.read(Wanted)
    const { isComplete, known } = yield* asked
    if (!isComplete) return yield* invalid("scopes", validation.tokenScopesMissing)
    yield* confirmed(wanted.current)
    const { id } = yield* CurrentIdentity
    yield* RateLimit.spend(AuthRateLimits.rules.credentialsPerAccount, id)
    const texts = yield* PageTexts.texts
    const tokens = yield* ApiTokens
    const ttl = Duration.days(Number(wanted.days))
    const created = tokens.create(id, { name: wanted.name, scopes: known, ttl }).pipe(
      Effect.catchTag("TooManyApiTokens", ({ limit }) => invalid("name", texts.tokens.tooMany(limit))),
      Effect.catchTag("InvalidTokenRequest", Effect.die)
    )
    return yield* LiveSession.store(created, {
      undo: ({ handle }) => tokens.revoke(id, handle),
      tell: (made) => SecurityLog.record(id, { _tag: "TokenCreated", name: made.name }, { since: made.created })
    })
  })
)

/** Whether the signed-in account has a password to confirm with. */
export const hasPassword = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return (yield* Effect.flatMap(Users, ({ passwordState }) => passwordState(id))) === "set"
})

/** Refuses the form of a session that is not confirmed: it asks for the password. */
export const askPassword = () => invalid("current", validation.passwordMissing)

/** The tokens of the signed-in account. */
export const list = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(ApiTokens, ({ list: listed }) => listed(id))
})

/** Revokes one token of the signed-in account; `false` for an unknown one. No response reveals which. */
export const revoke = Effect.fnUntraced(function* (handle: string) {
  const { id } = yield* CurrentIdentity
  const tokens = yield* ApiTokens
  const name = (yield* tokens.list(id)).find((token) => token.handle === handle)?.name
  const isRevoked = yield* tokens.revoke(id, handle)
  if (isRevoked) yield* SecurityLog.record(id, { _tag: "TokenRevoked", name })
  return isRevoked
}, Effect.uninterruptible)

const onlyWithScopes = "404 in a program that offers no scopes."

export const tokens = HttpApiEndpoint.get("tokens", "/tokens")
  .addSuccess(Schema.Array(Schemas.ApiToken))
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List the API tokens of the account, the newest first")
  .annotate(OpenApi.Description, onlyWithScopes)

export const createToken = HttpApiEndpoint.post("createToken", "/tokens")
  .setPayload(Schemas.TokenRequest)
  .addSuccess(Schemas.NewApiToken, Schemas.Created)
  .addError(PasswordSubmission)
  .addError(ConfirmationRequired)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Make an API token")
  .annotate(
    OpenApi.Description,
    `Needs a session that was confirmed recently, or the current password, and returns the secret once. No API token can call it. ${onlyWithScopes}`
  )

export const revokeToken = HttpApiEndpoint.del("revokeToken", "/tokens/:handle")
  .setPath(Schemas.One)
  .addSuccess(Schemas.Message)
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "Revoke an API token of the account")
  .annotate(OpenApi.Description, `The response is the same for a token that does not exist. ${onlyWithScopes}`)
