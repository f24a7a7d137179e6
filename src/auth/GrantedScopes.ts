// What the bearer of a request may do.
import { Context } from "effect"

/** The scopes of the token that this request came with; `All` where a session or nobody is behind it. */
export class GrantedScopes extends Context.Reference<GrantedScopes>()("effect-framework/auth/GrantedScopes", {
  defaultValue: (): "All" | ReadonlySet<string> => "All"
}) {}
