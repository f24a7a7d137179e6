// Any OpenID provider, by the discovery at its issuer.
import { Effect, Layer, Option, Redacted } from "effect"
import type { MissingPackage } from "../../src/config/internal/OptionalPackage.ts"
import * as Claims from "../../src/auth/internal/providers/Claims.ts"
import { type Flow, type Provider, ProviderRefused, Providers } from "../../src/auth/Providers.ts"
import type { Network } from "../../src/auth/internal/providers/ProviderConfig.ts"
import type { InvalidProvider } from "./internal/providers/InvalidProvider.ts"
import * as ProviderConnection from "./internal/providers/ProviderConnection.ts"

export type { InvalidProvider } from "./internal/providers/InvalidProvider.ts"
export type { Network } from "../../src/auth/internal/providers/ProviderConfig.ts"
export type { MissingPackage } from "../../src/config/internal/OptionalPackage.ts"

/** The settings of a provider. */
export interface Options {
  /** In the address of its callback, `/login/with/:id/callback`, and in metrics: lower-case letters, digits and dashes. */
  readonly id: string
  /** On its button; the id unless stated. */
  readonly name?: string
  /** The issuer, exactly as its discovery names it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  /** `openid email profile` unless stated. */
  readonly scope?: string
  /** The domains whose mailboxes this provider gives out itself. For no other address is its word taken. */
  readonly authoritativeFor?: ReadonlyArray<string>
  /** What the claims must say for its word besides, such as that the account is one of its directory; nothing unless stated. */
  readonly provesAddress?: (claims: Readonly<Record<string, unknown>>) => boolean
  /** Whether its second factor counts as that of the account, by the claim `amr`; not unless stated. */
  readonly countsSecondFactor?: boolean
  /** Whether it asks the person again for `max_age=0` and says when, by `auth_time`; it does unless stated. */
  readonly asksAgain?: boolean
  /** Further origins that its sign-in page redirects to, such as those of another directory. */
  readonly origins?: ReadonlyArray<string>
  /** Where it may be; `public` unless stated. */
  readonly network?: Network
  /** Values for the program's own fields of the sign-up form, which the person sees before they are stored. */
  readonly fields?: (claims: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  /** A further condition on the claims, such as a tenant; all are accepted unless stated. */
  readonly accepts?: (claims: Readonly<Record<string, unknown>>) => boolean
}

/**
 * The provider of these settings. Its discovery is read when somebody first needs it.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Redacted } from "effect"
 * import { Providers } from "effect-framework/auth"
 * import { OidcProvider } from "effect-framework/layers/auth"
 *
 * const clientSecret = Redacted.make("secret")
 * const settings = { id: "company", issuer: "https://id.example.com", clientId: "app", clientSecret }
 *
 * const refused = new Providers.ProviderRefused({ provider: settings.id, reason: "claims" })
 *
 * // As `OidcProvider.layer`, for people alone whom the provider has asked for a second factor.
 * export const company = Layer.scopedDiscard(
 *   Effect.gen(function* () {
 *     const { prepare, provider } = yield* OidcProvider.make(settings)
 *     const identify: Providers.Provider["identify"] = (parameters, flow) =>
 *       Effect.filterOrFail(provider.identify(parameters, flow), (person) => person.hasSecondFactor, () => refused)
 *     yield* Effect.flatMap(Providers.Providers, ({ add }) => add({ ...provider, identify }))
 *     yield* Effect.forkScoped(prepare)
 *   })
 * )
 * ```
 */
export const make = Effect.fnUntraced(function* (given: Options) {
  const options = yield* ProviderConnection.validated(given, [given.issuer])
  const {
    accepts = () => true,
    clientId,
    fields = () => ({}),
    id,
    issuer,
    name = id,
    provesAddress = () => true
  } = options
  const connection = yield* ProviderConnection.make(options, { issuer })
  const { openid } = connection
  const domains = new Set((options.authoritativeFor ?? []).map((domain) => domain.toLowerCase()))
  const refuse = (reason: ProviderRefused["reason"]) => new ProviderRefused({ provider: id, reason })

  const identify = Effect.fnUntraced(function* (parameters: URLSearchParams, flow: Flow) {
    const tokens = yield* connection.call((config) =>
      openid.authorizationCodeGrant(config, ProviderConnection.returned(flow, parameters), {
        expectedState: flow.state,
        expectedNonce: ProviderConnection.nonceOf(flow),
        pkceCodeVerifier: Redacted.value(flow.verifier),
        idTokenExpected: true
      })
    )
    const claims = tokens.claims() ?? {}
    const subject = Claims.subjectOf(claims["sub"])
    const isForUs = claims["azp"] === undefined || claims["azp"] === clientId
    if (Option.isNone(subject) || !isForUs || !accepts(claims)) return yield* refuse("claims")
    const told = claims["email"] === undefined ? yield* userInfo(tokens.access_token, subject.value) : {}
    const all = { ...told, ...claims }
    const person = yield* Effect.mapError(Claims.person(issuer, all, fields(all)), () => refuse("claims"))
    return { ...person, isVerified: person.isVerified && provesAddress(all) }
  })

  // Of what a provider tells there only the address and the names count: the rest is in the signed token.
  const userInfo = (accessToken: string, subject: string) =>
    connection.call(async (config) => {
      if (config.serverMetadata().userinfo_endpoint === undefined) return {}
      const { email, email_verified, name, preferred_username } = await openid.fetchUserInfo(
        config,
        accessToken,
        subject
      )
      return { email, email_verified, name, preferred_username }
    })

  const provider: Provider = {
    id,
    name,
    issuer,
    origins: Effect.map(connection.origin, (known) => [
      ...new Set([new URL(issuer).origin, ...(options.origins ?? []), ...known])
    ]),
    authorize: (flow) =>
      connection.authorize(flow, {
        scope: options.scope ?? "openid email profile",
        nonce: ProviderConnection.nonceOf(flow),
        ...(flow.isFresh && { max_age: "0", prompt: "login" })
      }),
    identify,
    isAuthoritativeFor: (domain) => domains.has(domain),
    countsSecondFactor: options.countsSecondFactor ?? false,
    asksAgain: options.asksAgain ?? true,
    state: connection.state
  }
  return { provider, prepare: Effect.ignore(connection.config) }
})

/**
 * Adds the provider to those of the program. A wrong setting, or a missing package, fails the start; a provider that does not
 * respond does not.
 *
 * @example
 * ```ts
 * import { Redacted } from "effect"
 * import { OidcProvider } from "effect-framework/layers/auth"
 *
 * export const company = OidcProvider.layer({
 *   id: "company",
 *   name: "Teapot Inc.",
 *   issuer: "https://id.example.com/realms/teapot",
 *   clientId: "app",
 *   clientSecret: Redacted.make("secret"),
 *   authoritativeFor: ["example.com"]
 * })
 * ```
 */
export const layer = (options: Options): Layer.Layer<never, InvalidProvider | MissingPackage, Providers> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { prepare, provider } = yield* make(options)
      yield* Effect.flatMap(Providers, ({ add }) => add(provider))
      // Known before the first person asks, so that their page can name the origin.
      yield* Effect.forkScoped(prepare)
    })
  )
