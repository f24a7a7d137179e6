// The scopes that the page of API tokens offers.
import { Context } from "effect"

/** What a person reads beside a scope; a function of the reader's locale where the program has several languages. */
export type Description = string | ((locale: string) => string)

/** The scopes that `/account/tokens` offers; none unless the program provides `layer` of its scopes. */
export class OfferedScopes extends Context.Reference<OfferedScopes>()("effect-framework/auth/OfferedScopes", {
  defaultValue: (): Readonly<Record<string, Description>> => ({})
}) {}
