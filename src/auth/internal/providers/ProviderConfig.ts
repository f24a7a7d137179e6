// The providers that a program names by its environment: each is there when its id is set.
import { Config, ConfigError, Either, Redacted } from "effect"
import * as Setting from "../../../config/internal/Setting.ts"

/** The id and the secret that a provider has given to the program. */
export interface ClientSettings {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/**
 * Where a provider may be: `public` is https to public addresses, `private` also https to private ones, and `loopback` also
 * this machine, there without encryption, too.
 */
export type Network = "public" | "private" | "loopback"

/** The providers of the environment; those without an id are `undefined`. */
export interface ProviderConfig {
  readonly google: (ClientSettings & { readonly authoritativeFor: ReadonlyArray<string> }) | undefined
  readonly github: ClientSettings | undefined
  readonly microsoft: (ClientSettings & { readonly tenant: string; readonly asksAgain: boolean }) | undefined
  readonly oidc:
    | (ClientSettings & {
        readonly issuer: string
        readonly name: string
        readonly authoritativeFor: ReadonlyArray<string>
        readonly network: Network
        readonly asksAgain: boolean
      })
    | undefined
}

const incomplete = (name: string, beside: string) =>
  ConfigError.MissingData([name], `${name} is not set, expected a value where ${beside} is set`)

const domains = (name: string) =>
  Config.map(Setting.text(name, ""), (text) =>
    text
      .split(",")
      .map((domain) => domain.trim().toLowerCase())
      .filter((domain) => domain !== "")
  )

// All of these, or none of them: a button that leads nowhere is found at the start.
const complete = <A extends ClientSettings>(
  prefix: string,
  config: Config.Config<A>,
  others: Readonly<Record<string, (given: A) => string>> = {}
): Config.Config<A | undefined> =>
  Config.mapOrFail(config, (given) => {
    const required: Readonly<Record<string, (given: A) => string>> = {
      [`${prefix}_SECRET`]: ({ clientSecret }) => Redacted.value(clientSecret),
      ...others
    }
    const id = `${prefix}_ID`
    if (given.clientId === "") {
      const alone = Object.keys(required).find((name) => required[name]?.(given) !== "")
      return alone === undefined ? Either.right(undefined) : Either.left(incomplete(id, alone))
    }
    const missing = Object.keys(required).find((name) => required[name]?.(given) === "")
    return missing === undefined ? Either.right(given) : Either.left(incomplete(missing, id))
  })

const client = (prefix: string) => ({
  clientId: Setting.text(`${prefix}_ID`, ""),
  clientSecret: Setting.secret(`${prefix}_SECRET`)
})

const network: Config.Config<Network> = Setting.choice("AUTH_OIDC_NETWORK", "public", ["public", "private", "loopback"])

/** The variables of every provider. */
export const config: Config.Config<ProviderConfig> = Config.all({
  google: complete(
    "AUTH_GOOGLE",
    Config.all({ ...client("AUTH_GOOGLE"), authoritativeFor: domains("AUTH_GOOGLE_DOMAINS") })
  ),
  github: complete("AUTH_GITHUB", Config.all(client("AUTH_GITHUB"))),
  microsoft: complete(
    "AUTH_MICROSOFT",
    Config.all({
      ...client("AUTH_MICROSOFT"),
      tenant: Setting.text("AUTH_MICROSOFT_TENANT", ""),
      asksAgain: Setting.flag("AUTH_MICROSOFT_ASKS_AGAIN", false)
    }),
    { AUTH_MICROSOFT_TENANT: ({ tenant }) => tenant }
  ),
  oidc: complete(
    "AUTH_OIDC",
    Config.all({
      ...client("AUTH_OIDC"),
      issuer: Setting.text("AUTH_OIDC_ISSUER", ""),
      name: Setting.text("AUTH_OIDC_NAME", "OpenID"),
      authoritativeFor: domains("AUTH_OIDC_DOMAINS"),
      network,
      asksAgain: Setting.flag("AUTH_OIDC_ASKS_AGAIN", true)
    }),
    { AUTH_OIDC_ISSUER: ({ issuer }) => issuer }
  )
})
