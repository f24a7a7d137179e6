// What the bearer of a request may do, and for how long.
import { Context, type Effect } from "effect"

/** The scopes of the token that this request came with; `All` where a session or nobody is behind it. */
export class GrantedScopes extends Context.Reference<GrantedScopes>()("effect-framework/auth/GrantedScopes", {
  defaultValue: (): "All" | ReadonlySet<string> => "All"
}) {}

/** Tells whether the API token that this request came with is still valid; `undefined` where a session is behind it. */
export class TokenValidity extends Context.Reference<TokenValidity>()("effect-framework/auth/TokenValidity", {
  defaultValue: (): Effect.Effect<boolean> | undefined => undefined
}) {}
