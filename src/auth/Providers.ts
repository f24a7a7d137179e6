// The providers that people sign in with: what each of them does, and how it fails.
import { Context, type Effect, type Redacted, Schema, type Scope } from "effect"
import type { Subject } from "./LinkedIdentities.ts"

/**
 * The provider does not respond, or responds in a way that no provider does.
 *
 * @example
 * ```ts
 * import { HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
 * import { Effect, Schema } from "effect"
 * import { Providers } from "effect-framework/auth"
 *
 * const Badge = Schema.Struct({ number: Schema.String, email: Schema.String })
 *
 * // What the `identify` of a provider of one's own asks a directory, and how both of its failures come about.
 * export const badgeOf = (token: string) =>
 *   HttpClient.execute(HttpClientRequest.bearerToken(HttpClientRequest.get("https://badges.example/me"), token)).pipe(
 *     Effect.flatMap(HttpClientResponse.filterStatusOk),
 *     Effect.flatMap(HttpClientResponse.schemaBodyJson(Badge)),
 *     Effect.timeout("5 seconds"),
 *     Effect.mapError((error) =>
 *       error._tag === "ParseError"
 *         ? new Providers.ProviderRefused({ provider: "badge", reason: "claims" })
 *         : new Providers.ProviderUnavailable({ provider: "badge", reason: "the directory does not respond" })
 *     )
 *   )
 * ```
 */
export class ProviderUnavailable extends Schema.TaggedError<ProviderUnavailable>(
  "effect-framework/auth/ProviderUnavailable"
)("ProviderUnavailable", { provider: Schema.String, reason: Schema.String }) {
  override get message() {
    return `The provider ${this.provider} is not available: ${this.reason}.`
  }
}

/** What was wrong with the response of a provider. */
const Problem = Schema.Literal(
  /** The person or the provider has declined. */
  "declined",
  /** The provider does not accept the credentials or the settings of this program. */
  "configuration",
  /** The response, its token or its signature is not that of the flow. */
  "invalid",
  /** What it says of the person cannot be used. */
  "claims"
)

// For whoever reads the log. What the provider itself has written stays out of it.
const meanings: Readonly<Record<typeof Problem.Type, string>> = {
  declined: "the person, or the provider for them, has declined",
  configuration: "it does not accept the client id, the secret or the callback of this program",
  invalid: "its response, its token or its signature is not that of the flow",
  claims: "what it says of the person cannot be used"
}

/** The provider has not said who the person is. A response must not repeat its words. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>("effect-framework/auth/ProviderRefused")(
  "ProviderRefused",
  { provider: Schema.String, reason: Problem }
) {
  override get message() {
    return `The provider ${this.provider} has signed nobody in (${this.reason}): ${meanings[this.reason]}.`
  }
}

/**
 * A return from a provider that belongs to no flow of this browser: it is late, used, or of another one.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Providers } from "effect-framework/auth"
 *
 * // A store of one's own for the flows of a command-line tool: `claim` returns a flow once, and only for some minutes.
 * type Claim = (state: string) => Effect.Effect<Option.Option<Providers.Flow>>
 *
 * export const returned = (provider: Providers.Provider, parameters: URLSearchParams, claim: Claim) =>
 *   Effect.gen(function* () {
 *     const found = yield* claim(parameters.get("state") ?? "")
 *     if (Option.isNone(found)) return yield* new Providers.FlowExpired()
 *     return yield* provider.identify(parameters, found.value)
 *   })
 * ```
 */
export class FlowExpired extends Schema.TaggedError<FlowExpired>("effect-framework/auth/FlowExpired")(
  "FlowExpired",
  {}
) {
  override get message() {
    return "The sign-in with the provider has expired."
  }
}

/** The secrets of one flow, and where the provider sends the browser back to. */
export interface Flow {
  readonly state: string
  /** The PKCE verifier. The nonce is derived from it. */
  readonly verifier: Redacted.Redacted
  readonly redirectUri: string
  /** Whether the provider has to ask the person again. */
  readonly isFresh: boolean
}

/** What a provider says of a person. */
export interface Person extends Subject {
  /** `undefined` when there is none, or none that can be used. */
  readonly email: string | undefined
  /** Whether the provider says, as a boolean, that the address is the person's. */
  readonly isVerified: boolean
  /** What the person knows the identity by. */
  readonly label: string
  /** Whether the provider has asked for a second factor. */
  readonly hasSecondFactor: boolean
  /** Epoch seconds at which the provider has last asked the person. */
  readonly authenticated: number | undefined
  /** Values for the sign-up form, by the name of their field. */
  readonly fields: Readonly<Record<string, string>>
}

/** A provider of this program. */
export interface Provider {
  /** In addresses, settings and metrics, such as `google`. */
  readonly id: string
  /** On its button, such as `Google`. */
  readonly name: string
  /** What its identities have as their issuer. It stays when the id changes. */
  readonly issuer: string
  /** The origins that a browser is sent to, for the `form-action` of a page with its button. */
  readonly origins: Effect.Effect<ReadonlyArray<string>>
  /** Where the browser is sent to. */
  readonly authorize: (flow: Flow) => Effect.Effect<URL, ProviderUnavailable>
  /** Who has come back, by the parameters of the return. */
  readonly identify: (
    parameters: URLSearchParams,
    flow: Flow
  ) => Effect.Effect<Person, ProviderUnavailable | ProviderRefused>
  /** Whether it speaks for the mailboxes of this domain. */
  readonly isAuthoritativeFor: (domain: string) => boolean
  /** Whether its second factor counts as that of the account. */
  readonly countsSecondFactor: boolean
  /** Whether it asks the person again when it is told to, and says when: a provider that does not confirms nobody. */
  readonly asksAgain: boolean
  /** Whether its configuration was read: `unknown` before the first try. */
  readonly state: Effect.Effect<"ready" | "unavailable" | "unknown">
}

/** The providers of a program. */
export class Providers extends Context.Tag("effect-framework/auth/Providers")<
  Providers,
  {
    /** Adds a provider until the scope closes; one of the same id takes its place. */
    readonly add: (provider: Provider) => Effect.Effect<void, never, Scope.Scope>
    /** All of them, in the order in which they were added. */
    readonly all: Effect.Effect<ReadonlyArray<Provider>>
  }
>() {}
