// Cross-site request forgery: a token bound to the session proves that our own page made the form.
import { Context, type Effect, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import type { Session } from "./Session.ts"

/**
 * The request may have been forged by another site.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import type { Csrf } from "effect-framework/session"
 *
 * // `send` calls an endpoint with the token of the page, and `refresh` reads a new one from `/csrf`: a sign-in replaces it.
 * export const order = (send: Effect.Effect<void, Csrf.CsrfMismatch>, refresh: Effect.Effect<void>) =>
 *   Effect.catchTag(send, "CsrfMismatch", (error: Csrf.CsrfMismatch) =>
 *     error.reason === "token" ? Effect.zipRight(refresh, send) : Effect.fail(error)
 *   )
 * ```
 */
export class CsrfMismatch extends Schema.TaggedError<CsrfMismatch>("effect-framework/session/CsrfMismatch")(
  "CsrfMismatch",
  {
    reason: Schema.Literal("origin", "token")
  },
  ErrorResponse.declared(403, "The header x-csrf-token has no token of this session.")
) {
  override get message() {
    return english.refusal.csrf
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, {
      message: this.message,
      translate: ({ texts }) => texts(HttpTexts).refusal.csrf
    })
  }
}

/**
 * Makes and checks form tokens. It has no state of its own: the secret belongs to the session.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Csrf } from "effect-framework/session"
 * import { TestApp } from "effect-framework/testing"
 *
 * // For tests that compare whole pages: the hidden fields of forms are the same each time.
 * const constant = Layer.succeed(Csrf.Csrf, {
 *   token: () => Effect.succeed("constant"),
 *   check: (_session, given) => Effect.succeed(given === "constant")
 * })
 *
 * export const layer = TestApp.layer([], { services: constant })
 * ```
 */
export class Csrf extends Context.Tag("effect-framework/session/Csrf")<
  Csrf,
  {
    /** A token for a form of this session, different each time. */
    readonly token: (session: Session) => Effect.Effect<string>
    /** Whether this is a token of this session. */
    readonly check: (session: Session, given: string) => Effect.Effect<boolean>
  }
>() {}
