// The CSRF token of a form. Every route of `Pipeline.pages` that changes something checks it.
import { Context, Effect } from "effect"
import * as Csrf from "../../src/session/Csrf.ts"
import * as SessionCookie from "./internal/SessionCookie.ts"

type Needs = Csrf.Csrf | SessionCookie.Needs

/** The token for a form on this page. It is masked: a different text each time. */
export const token: Effect.Effect<string, never, Csrf.Csrf | SessionCookie.Needs> = Effect.contextWithEffect(
  (services: Context.Context<Needs>) => Context.get(services, Csrf.Csrf).token(SessionCookie.of(services))
)
