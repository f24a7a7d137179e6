// Forms that only our own pages can have made: a secret bound to the session, masked anew for every page.
import { Context, type Effect, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import type { Session } from "./Session.ts"

/** The form field that carries the token. */
export const field = "_token"

/** The header that carries the token of a program, which sends no form. */
export const header = "x-csrf-token"

/** The request may have been made by another site. */
export class CsrfMismatch extends Schema.TaggedError<CsrfMismatch>("effect-framework/auth/CsrfMismatch")(
  "CsrfMismatch",
  {
    reason: Schema.Literal("origin", "token")
  }
) {
  override get message() {
    return "Invalid CSRF token"
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, { message: this.message })
  }
}

/** Makes and checks the tokens of forms, without state of its own: the secret is the session's. */
export class Csrf extends Context.Tag("effect-framework/auth/Csrf")<
  Csrf,
  {
    /** The token for a form of this session: another text each time. */
    readonly token: (session: Session) => Effect.Effect<string>
    /** Whether the text is a token of this session. */
    readonly check: (session: Session, given: string) => Effect.Effect<boolean>
  }
>() {}
