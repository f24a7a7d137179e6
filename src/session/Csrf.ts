// Cross-site request forgery: a token bound to the session proves that our own page made the form.
import { Context, type Effect, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { english, HttpTexts } from "../http/HttpTexts.ts"
import type { Session } from "./Session.ts"

/** The request may have been forged by another site. */
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

/** Makes and checks form tokens. It has no state of its own: the secret belongs to the session. */
export class Csrf extends Context.Tag("effect-framework/session/Csrf")<
  Csrf,
  {
    /** A token for a form of this session, different each time. */
    readonly token: (session: Session) => Effect.Effect<string>
    /** Whether this is a token of this session. */
    readonly check: (session: Session, given: string) => Effect.Effect<boolean>
  }
>() {}
