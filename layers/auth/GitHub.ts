// GitHub as a provider: plain OAuth, without an id_token. Who the person is comes from its API, by the access token.
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import * as Claims from "../../src/auth/internal/providers/Claims.ts"
import { type Flow, type Provider, ProviderRefused, Providers } from "../../src/auth/Providers.ts"
import type { Network } from "../../src/auth/internal/providers/ProviderConfig.ts"
import * as ProviderConnection from "./internal/providers/ProviderConnection.ts"

/** The settings of GitHub. */
export interface Options {
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** `https://github.com` unless stated; that of a GitHub Enterprise Server otherwise. */
  readonly url?: string
  /** `https://api.github.com` unless stated. */
  readonly apiUrl?: string
  readonly network?: Network
  /** Values for the program's own fields of the sign-up form, by what `/user` says. */
  readonly fields?: (user: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
}

const User = Schema.Struct({ id: Schema.Int.pipe(Schema.positive()), login: Schema.String })

const Emails = Schema.Array(Schema.Struct({ email: Schema.String, primary: Schema.Boolean, verified: Schema.Unknown }))

const decodeUser = Schema.decodeUnknownOption(User)
const decodeEmails = Schema.decodeUnknownOption(Emails)
const decodeRecord = Schema.decodeUnknownOption(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const id = "github"
const refuse = (reason: ProviderRefused["reason"]) => new ProviderRefused({ provider: id, reason })

const make = Effect.fnUntraced(function* (given: Options) {
  const { apiUrl = "https://api.github.com", fields = () => ({}), url = "https://github.com" } = given
  const options = yield* ProviderConnection.validated({ ...given, id }, [url, apiUrl])
  const issuer = `${url}/login/oauth`
  const connection = yield* ProviderConnection.make(options, {
    server: {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/access_token`,
      token_endpoint_auth_methods_supported: ["client_secret_post"]
    }
  })
  const { openid } = connection

  const identify = Effect.fnUntraced(function* (parameters: URLSearchParams, flow: Flow) {
    const { access_token } = yield* connection.call((config) =>
      openid.authorizationCodeGrant(config, ProviderConnection.returned(flow, parameters), {
        expectedState: flow.state,
        pkceCodeVerifier: Redacted.value(flow.verifier),
        idTokenExpected: false
      })
    )
    const read = (path: string) =>
      connection.call(async (config): Promise<unknown> => {
        const response = await openid.fetchProtectedResource(config, access_token, new URL(apiUrl + path), "GET")
        return response.status === 200 ? response.json() : undefined
      })
    const told = yield* read("/user")
    const user = decodeUser(told)
    if (Option.isNone(user)) return yield* refuse("claims")
    const primary = Option.getOrElse(decodeEmails(yield* read("/user/emails")), () => []).filter((one) => one.primary)
    const [address] = primary.length === 1 ? primary : []
    const claims = {
      sub: String(user.value.id),
      preferred_username: user.value.login,
      email: address?.email,
      email_verified: address?.verified
    }
    const values = fields(Option.getOrElse(decodeRecord(told), () => ({})))
    return yield* Effect.mapError(Claims.person(issuer, claims, values), () => refuse("claims"))
  })

  const provider: Provider = {
    id,
    name: "GitHub",
    issuer,
    origins: Effect.succeed([new URL(url).origin]),
    authorize: (flow) => connection.authorize(flow, { scope: "read:user user:email" }),
    identify,
    // It has mailed a link to each address once, and does not look whether the mailbox has another owner by now.
    isAuthoritativeFor: () => false,
    countsSecondFactor: false,
    asksAgain: false,
    state: connection.state
  }
  return { provider, prepare: Effect.ignore(connection.config) }
})

/**
 * "Sign in with GitHub". Register an OAuth app with the callback `APP_URL/login/with/github/callback`.
 *
 * @example
 * ```ts
 * import { Redacted } from "effect"
 * import { GitHub } from "effect-framework/layers/auth"
 *
 * export const github = GitHub.layer({ clientId: "Iv1.0123456789abcdef", clientSecret: Redacted.make("secret") })
 * ```
 */
export const layer = (options: Options) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { prepare, provider } = yield* make(options)
      yield* Effect.flatMap(Providers, ({ add }) => add(provider))
      // There is no discovery: it is known at once.
      yield* prepare
    })
  )
