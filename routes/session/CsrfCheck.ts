// The CSRF token of a form. Every route of `Pipeline.pages` that changes something checks it.
import { Context, type Effect } from "effect"
import * as Csrf from "../../src/session/Csrf.ts"
import * as SessionCookie from "./internal/SessionCookie.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

type Needs = Csrf.Csrf | SessionCookie.Needs

/** The token for a form on this page. It is masked: a different text each time. */
export const token: Effect.Effect<string, never, Csrf.Csrf | SessionCookie.Needs> = RequestServices.use(
  (services: Context.Context<Needs>) => Context.get(services, Csrf.Csrf).token(SessionCookie.of(services))
)
