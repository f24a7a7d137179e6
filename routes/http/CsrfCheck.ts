// The CSRF token of a form. Every route of `Pipeline.pages` that changes something checks it.
import { Effect } from "effect"
import * as Csrf from "../../src/auth/Csrf.ts"
import * as SessionCookie from "./SessionCookie.ts"

/** The token for a form on this page. It is masked: a different text each time. */
export const token: Effect.Effect<string, never, Csrf.Csrf | SessionCookie.Needs> = Effect.gen(function* () {
  const csrf = yield* Csrf.Csrf
  return yield* csrf.token(yield* SessionCookie.current)
})
