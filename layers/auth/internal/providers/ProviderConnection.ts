// The configuration of one provider as `openid-client` has it: read once, kept, and read again where it is old or was not
// there. Many people at once cause one request, and a provider that is down causes one in half a minute.
import { Clock, Duration, Effect, Redacted } from "effect"
import type * as OpenId from "openid-client"
import * as OptionalPackage from "../../../../src/config/internal/OptionalPackage.ts"
import * as Url from "../../../../src/config/internal/Url.ts"
import { type Flow, type Provider, ProviderRefused, ProviderUnavailable } from "../../../../src/auth/Providers.ts"
import { challengeOf, sha256 } from "../../../session/internal/Digest.ts"
import type { Network } from "../../../../src/auth/internal/providers/ProviderConfig.ts"
import * as ProviderMetrics from "../../../../src/auth/internal/providers/ProviderMetrics.ts"
import * as GuardedFetch from "./GuardedFetch.ts"
import { InvalidProvider } from "./InvalidProvider.ts"

/** How long a configuration is used before it is read again. */
const lifetime = Duration.hours(1)

/** How long a provider that did not respond is left alone. */
const pause = Duration.seconds(30)

/** The settings that every provider has. */
interface Client {
  readonly id: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly network?: Network
}

const load = OptionalPackage.load("Sign-in with a provider", "openid-client", () => import("openid-client"))

/** Refuses settings with which nobody could ever sign in. */
export const validated = Effect.fnUntraced(function* <A extends Client>(options: A, urls: ReadonlyArray<string>) {
  const { clientId, clientSecret, id, network = "public" } = options
  const invalid = (reason: string) => new InvalidProvider({ provider: id, reason })
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(id)) return yield* invalid("needs an id of lower-case letters, digits and dashes")
  if (clientId.trim() === "") return yield* invalid("needs a client id")
  if (Redacted.value(clientSecret).trim() === "") return yield* invalid("needs a client secret")
  for (const text of urls) {
    const url = Url.parse(text)
    if (url === undefined || !GuardedFetch.isAcceptable(url, network)) {
      return yield* invalid(`needs an https address in place of ${JSON.stringify(text.slice(0, 200))}`)
    }
    if (url.pathname.includes("/.well-known/"))
      return yield* invalid("needs its issuer, not the address of its discovery")
    if (isOfAnyTenant(url)) return yield* invalid("needs the id of a tenant in its issuer: anyone can make a tenant")
  }
  return options
})

// Entra's issuers for the accounts of every tenant, in each of its clouds.
const isOfAnyTenant = ({ hostname, pathname }: URL): boolean =>
  /(^|\.)(microsoftonline\.(com|us|cn)|windows\.net)$/.test(hostname) &&
  /^\/(common|organizations|consumers)(\/|$)/i.test(pathname)

type Held =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Ready"; readonly config: OpenId.Configuration; readonly until: number }
  | { readonly _tag: "Failed"; readonly error: ProviderUnavailable; readonly until: number }

const authenticationOf =
  (openid: typeof OpenId, secret: Redacted.Redacted): OpenId.ClientAuth =>
  (server, ...rest) => {
    const hasPost = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true
    const method = hasPost ? openid.ClientSecretPost : openid.ClientSecretBasic
    return method(Redacted.value(secret))(server, ...rest)
  }

/** How a configuration is made: by discovery at an issuer, or from addresses that the program names. */
type Source = { readonly issuer: string } | { readonly server: OpenId.ServerMetadata }

/** The connection to one provider. */
interface ProviderConnection {
  readonly openid: typeof OpenId
  readonly config: Effect.Effect<OpenId.Configuration, ProviderUnavailable>
  /** Runs a call of the library, whose failures become typed. */
  readonly call: <A>(
    run: (config: OpenId.Configuration) => Promise<A>
  ) => Effect.Effect<A, ProviderUnavailable | ProviderRefused>
  readonly authorize: (
    flow: Flow,
    parameters: Readonly<Record<string, string>>
  ) => Effect.Effect<URL, ProviderUnavailable>
  /** The origin that the browser is sent to, once it is known. */
  readonly origin: Effect.Effect<ReadonlyArray<string>>
  readonly state: Provider["state"]
}

/** Connects to a provider when it is first needed. */
export const make: (
  client: Client,
  source: Source
) => Effect.Effect<ProviderConnection, OptionalPackage.MissingPackage> = Effect.fnUntraced(function* (
  { clientId, clientSecret, id: provider, network = "public" }: Client,
  source: Source
) {
  const openid = yield* load
  yield* ProviderMetrics.prepare(provider)
  const authentication = authenticationOf(openid, clientSecret)
  const fetch = GuardedFetch.make(network)
  const seconds = 5
  // An id_token came over TLS, and its signature is checked all the same.
  const execute = [openid.enableNonRepudiationChecks, ...(network === "loopback" ? [openid.allowInsecureRequests] : [])]
  const unavailable = (reason: string) => new ProviderUnavailable({ provider, reason })

  const configure = (): Promise<OpenId.Configuration> => {
    if ("issuer" in source) {
      const options = { execute, timeout: seconds, [openid.customFetch]: fetch }
      return openid.discovery(new URL(source.issuer), clientId, undefined, authentication, options)
    }
    const config = new openid.Configuration(source.server, clientId, undefined, authentication)
    config.timeout = seconds
    config[openid.customFetch] = fetch
    if (network === "loopback") openid.allowInsecureRequests(config)
    return Promise.resolve(config)
  }

  // The library compares no issuer at Entra and B2C, nor where it is given the address of a discovery: its tokens would count.
  const isIssuer = ({ issuer }: OpenId.ServerMetadata) =>
    !("issuer" in source) || Url.parse(issuer)?.href === new URL(source.issuer).href

  // Browsers are sent there: a script address, or one without encryption, must not come from a discovery.
  const checked = (config: OpenId.Configuration) => {
    const metadata = config.serverMetadata()
    if (!isIssuer(metadata)) return unavailable("its discovery names another issuer")
    const url = Url.parse(metadata.authorization_endpoint ?? "")
    return url !== undefined && GuardedFetch.isAcceptable(url, network)
      ? Effect.succeed(config)
      : unavailable("its discovery names no acceptable address for the browser")
  }

  let held: Held = { _tag: "Unknown" }
  const gate = yield* Effect.makeSemaphore(1)

  const read = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (held._tag !== "Unknown" && held.until > now) return held
    const before = held
    const outcome = yield* Effect.tryPromise({ try: configure, catch: (error) => unavailable(reasonOf(error)) }).pipe(
      Effect.flatMap(checked),
      Effect.either
    )
    if (outcome._tag === "Right") {
      held = { _tag: "Ready", config: outcome.right, until: now + Duration.toMillis(lifetime) }
    } else if (before._tag === "Ready") {
      // What was read before goes on working while the provider does not tell it again.
      held = { ...before, until: now + Duration.toMillis(pause) }
    } else {
      held = { _tag: "Failed", error: outcome.left, until: now + Duration.toMillis(pause) }
    }
    yield* ProviderMetrics.setReady(provider, held._tag === "Ready")
    if (outcome._tag === "Left") yield* Effect.logWarning(outcome.left.message)
    return held
  })

  const config = Effect.flatMap(gate.withPermits(1)(read), (state) => {
    if (state._tag === "Ready") return Effect.succeed(state.config)
    return state._tag === "Failed" ? Effect.fail(state.error) : Effect.fail(unavailable("it was not asked yet"))
  })

  // The errors of the library contain what the provider has sent: only their kind goes on.
  const failure = (error: unknown): ProviderUnavailable | ProviderRefused => {
    const refused = causeOf(error, (one) => one instanceof GuardedFetch.FetchRefused)
    if (refused !== undefined) return unavailable(reasonOf(refused))
    const told = toldOf(error)
    if (told !== undefined && theirs.has(told.error)) return unavailable("it reports an error of its own")
    return new ProviderRefused({ provider, reason: problemOf(told) })
  }

  return {
    openid,
    config,
    call: <A>(run: (config: OpenId.Configuration) => Promise<A>) =>
      Effect.flatMap(config, (one) => Effect.tryPromise({ try: () => run(one), catch: failure })),
    authorize: (flow: Flow, parameters: Readonly<Record<string, string>>) =>
      Effect.map(config, (one) =>
        openid.buildAuthorizationUrl(one, {
          ...parameters,
          redirect_uri: flow.redirectUri,
          state: flow.state,
          code_challenge: challengeOf(Redacted.value(flow.verifier)),
          code_challenge_method: "S256"
        })
      ),
    origin: Effect.sync(() =>
      held._tag === "Ready" ? [new URL(held.config.serverMetadata().authorization_endpoint ?? "").origin] : []
    ),
    state: Effect.sync(() => (held._tag === "Ready" ? "ready" : held._tag === "Failed" ? "unavailable" : "unknown"))
  }
})

/** The nonce of a flow: the verifier stays unknown to whoever reads it. */
export const nonceOf = ({ verifier }: Flow): string => sha256(`nonce\0${Redacted.value(verifier)}`)

/** The address that the browser came back to. */
export const returned = ({ redirectUri }: Flow, parameters: URLSearchParams): URL =>
  new URL(`${redirectUri}?${parameters.toString()}`)

const causeOf = (error: unknown, is: (error: unknown) => boolean): unknown => {
  let inner = error
  for (let depth = 0; depth < 8; depth++) {
    if (is(inner)) return inner
    if (!(inner instanceof Error)) return undefined
    inner = inner.cause
  }
  return undefined
}

const reasonOf = (error: unknown): string => {
  const refused = causeOf(error, (one) => one instanceof GuardedFetch.FetchRefused)
  return refused instanceof Error ? refused.message : "its configuration cannot be used"
}

// RFC 6749: these mean that the program's own settings are wrong.
const ours = new Set(["invalid_client", "unauthorized_client", "invalid_scope", "unsupported_response_type"])

// The provider does not work: nobody has declined.
const theirs = new Set(["server_error", "temporarily_unavailable"])

const toldOf = (error: unknown) => {
  const found = causeOf(error, (one) => one instanceof Error && "error" in one && typeof one.error === "string")
  if (!(found instanceof Error) || !("error" in found) || typeof found.error !== "string") return undefined
  return { name: found.name, error: found.error }
}

const problemOf = (told: ReturnType<typeof toldOf>): ProviderRefused["reason"] => {
  if (told === undefined) return "invalid"
  if (ours.has(told.error)) return "configuration"
  return told.name === "AuthorizationResponseError" ? "declined" : "invalid"
}
