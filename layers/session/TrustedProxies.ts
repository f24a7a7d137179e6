// The proxies in front of the program, and requests as they arrive through them: the address of the client, and an id that
// is unique across workers and machines.
import { Effect, type Either, Layer } from "effect"
import { randomBytes } from "node:crypto"
import * as ForwardedFor from "../../src/session/internal/ForwardedFor.ts"
import { parseId, type RequestHead, RequestStates, type State } from "../../src/http/internal/RequestState.ts"
import type { Fields } from "../../src/http/internal/Fields.ts"
import * as TraceContext from "../../src/http/internal/TraceContext.ts"

export type { InvalidNetwork, Network } from "../../src/session/internal/ForwardedFor.ts"

class Opened implements State {
  readonly id: string
  readonly method: string
  readonly route: string
  readonly cookies = new Map<string, string>()
  readonly headers = new Map<string, string>()
  personal = false
  language: string | undefined = undefined
  readonly arrived: number
  fields: Fields | undefined = undefined
  session: State["session"] = undefined
  lostRace = false
  account: string | undefined = undefined
  beforeResponse: State["beforeResponse"] = undefined
  readonly head: RequestHead
  readonly #trusted: ReadonlyArray<ForwardedFor.Network>
  #clientAddress: string | undefined = undefined
  #span: State["trace"] = undefined

  constructor(id: string, head: RequestHead, trusted: ReadonlyArray<ForwardedFor.Network>) {
    this.id = id
    this.method = head.method
    this.route = head.route
    this.arrived = head.arrived ?? performance.now()
    this.head = head
    this.#trusted = trusted
  }
  get path() {
    const query = this.head.url.indexOf("?")
    return query === -1 ? this.head.url : this.head.url.slice(0, query)
  }
  get trace() {
    return this.#span ?? TraceContext.parse(this.head.headers["traceparent"])
  }
  set trace(span: State["trace"]) {
    this.#span = span
  }
  get baggage() {
    return TraceContext.parseBaggage(this.head.headers["baggage"])
  }
  get forwarded() {
    const { headers, remoteAddress } = this.head
    if (!ForwardedFor.isTrusted(remoteAddress, this.#trusted)) return {}
    return ForwardedFor.forwarded(headers["x-forwarded-proto"], headers["x-forwarded-host"])
  }
  get clientAddress() {
    const forwarded = this.head.headers["x-forwarded-for"]
    const list = typeof forwarded === "string" || forwarded === undefined ? forwarded : forwarded.join(",")
    return (this.#clientAddress ??= ForwardedFor.resolve(this.head.remoteAddress, list, this.#trusted))
  }
}

const make = (trusted: ReadonlyArray<ForwardedFor.Network>) => {
  const process = randomBytes(6).toString("hex")
  let count = 0
  return RequestStates.of({
    open: (head) => {
      const id = parseId(head.headers["x-request-id"]) ?? `${process}-${(count++).toString(36)}`
      return new Opened(id, head, trusted)
    }
  })
}

/**
 * Parses addresses and CIDR ranges, without host names.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { TrustedProxies } from "effect-framework/layers/session"
 *
 * // The start fails with one line for an address such as `10.0.0.0/99`.
 * export const proxies = (addresses: ReadonlyArray<string>) =>
 *   Layer.unwrapEffect(Effect.map(TrustedProxies.parse(addresses), TrustedProxies.layerWith))
 * ```
 */
export const parse = (
  networks: ReadonlyArray<string>
): Either.Either<ReadonlyArray<ForwardedFor.Network>, ForwardedFor.InvalidNetwork> =>
  ForwardedFor.parseNetworks(networks)

/** Only the `X-Forwarded-…` headers of these proxies are trusted. */
export const layerWith = (trusted: ReadonlyArray<ForwardedFor.Network>): Layer.Layer<RequestStates> =>
  Layer.sync(RequestStates, () => make(trusted))

/** Only the `X-Forwarded-…` headers of the proxies that `TRUSTED_PROXIES` names are trusted. */
export const layer = Layer.effect(RequestStates, Effect.map(ForwardedFor.config, make))
