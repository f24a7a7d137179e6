// Refusals of a request: by nobody, by the wrong user, or without a recent confirmation.
import { Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { AuthTexts, english } from "./AuthTexts.ts"
import { challenge, defaultRealm } from "../http/internal/Authorization.ts"

/** The request needs a signed-in user: 401 for JSON clients, a redirect to the sign-in page for browsers. */
export class Unauthenticated extends Schema.TaggedError<Unauthenticated>("effect-framework/auth/Unauthenticated")(
  "Unauthenticated",
  {
    realm: Schema.optionalWith(Schema.String, { default: () => defaultRealm })
  },
  ErrorResponse.declared(401, "Nobody is signed in, or the bearer is not valid.")
) {
  override get message() {
    return english.login.required
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(401, { headers: { "www-authenticate": challenge(this.realm) } })
  }
}

/**
 * The signed-in user has to confirm who they are before this: 403 for JSON clients, a redirect to `confirm` for browsers.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiClient, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Effect, Match } from "effect"
 * import type { AuthError } from "effect-framework/auth"
 * import { ApiAuthentication } from "effect-framework/routes/auth"
 *
 * const close = HttpApiEndpoint.post("close", "/close").middleware(ApiAuthentication.ConfirmedAuthentication)
 * const Api = HttpApi.make("shop").add(HttpApiGroup.make("shop").add(close))
 *
 * // In a client of the API: where the person has to go before the shop can be closed.
 * const next = (refusal: AuthError.Unauthenticated | AuthError.ConfirmationRequired | AuthError.FactorRequired) =>
 *   Match.valueTags(refusal, {
 *     Unauthenticated: () => "/login",
 *     ConfirmationRequired: ({ confirm }) => confirm,
 *     FactorRequired: () => "/account/factors"
 *   })
 *
 * export const closed = Effect.flatMap(HttpApiClient.make(Api), ({ shop }) => shop.close()).pipe(
 *   Effect.as("/closed"),
 *   Effect.catchTag("Unauthenticated", "ConfirmationRequired", "FactorRequired", (refusal) =>
 *     Effect.succeed(next(refusal))
 *   )
 * )
 * ```
 */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>(
  "effect-framework/auth/ConfirmationRequired"
)(
  "ConfirmationRequired",
  {
    error: Schema.optionalWith(Schema.String, { default: () => english.confirm.required }),
    /** The path of the page, which also accepts JSON. */
    confirm: Schema.optionalWith(Schema.String, { default: () => "/confirm" })
  },
  ErrorResponse.declared(403, "The session has to be confirmed first: see POST /confirm.")
) {
  override get message() {
    return this.error
  }
  get [ErrorResponse.symbol]() {
    const { error: message } = this
    return ErrorResponse.of(403, { message, translate: ({ texts }) => texts(AuthTexts).confirm.required })
  }
}

/** The signed-in user may not do this: 403, with the reason when there is one. */
export class Forbidden extends Schema.TaggedError<Forbidden>("effect-framework/auth/Forbidden")(
  "Forbidden",
  {
    /** Shown to the client in place of the status text. */
    reason: Schema.optional(Schema.String)
  },
  ErrorResponse.declared(403, "The signed-in user may not do this.")
) {
  override get message() {
    return this.reason ?? "The signed-in user may not do this."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, this.reason === undefined ? {} : { message: this.reason })
  }
}

/** The account of this request has no second factor, which this needs: 403. */
export class FactorRequired extends Schema.TaggedError<FactorRequired>("effect-framework/auth/FactorRequired")(
  "FactorRequired",
  {},
  ErrorResponse.declared(403, "The account has no second factor.")
) {
  override get message() {
    return "This needs an account with a second factor."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403)
  }
}
