// Microsoft Entra as a provider, for the accounts of one tenant.
import { Layer, Option, type Redacted } from "effect"
import * as Claims from "../../src/auth/internal/providers/Claims.ts"
import * as OidcProvider from "./OidcProvider.ts"
import { InvalidProvider } from "./internal/providers/InvalidProvider.ts"

/** The settings of one tenant. */
export interface Options {
  /** The id of the tenant, a UUID. Anyone can make a tenant of their own: there is no default, and no `common`. */
  readonly tenant: string
  /** `microsoft` unless stated; a second tenant needs another one. */
  readonly id?: string
  /** On the button; `Microsoft` unless stated. */
  readonly name?: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly countsSecondFactor?: boolean
  /** Whether the application has the optional claim `auth_time`: then people can confirm by it. Not unless stated. */
  readonly asksAgain?: boolean
  readonly origins?: ReadonlyArray<string>
  readonly fields?: NonNullable<OidcProvider.Options["fields"]>
}

/**
 * "Sign in with Microsoft". An administrator of a tenant can give its accounts any address, so that no address of Entra is ever
 * taken as proved.
 *
 * @example
 * ```ts
 * import { Redacted } from "effect"
 * import { Microsoft } from "effect-framework/layers/auth"
 *
 * export const microsoft = Microsoft.layer({
 *   tenant: "11111111-2222-3333-4444-555555555555",
 *   clientId: "66666666-7777-8888-9999-000000000000",
 *   clientSecret: Redacted.make("secret")
 * })
 * ```
 */
export const layer = ({ asksAgain = false, id = "microsoft", name = "Microsoft", tenant, ...options }: Options) => {
  const entra = Claims.entra(tenant)
  return Option.isSome(entra)
    ? OidcProvider.layer({ ...options, ...entra.value, id, name, asksAgain })
    : Layer.fail(new InvalidProvider({ provider: id, reason: "needs the id of a tenant, a UUID in lower case" }))
}
