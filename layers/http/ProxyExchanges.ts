// Exchanges with ids that are unique across workers and machines, and client addresses behind trusted proxies.
import { Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"
import type * as ClientAddress from "../../src/auth/ClientAddress.ts"
import * as ForwardedFor from "../../src/auth/ForwardedFor.ts"
import { Exchanges, type RequestHead, type State } from "../../src/http/Exchange.ts"
import type { Fields } from "../../src/http/Fields.ts"
import * as RequestId from "../../src/http/RequestId.ts"
import * as TrustedProxies from "./TrustedProxies.ts"

class Opened implements State {
  readonly id: string
  readonly method: string
  readonly route: string
  readonly cookies = new Map<string, string>()
  readonly headers = new Map<string, string>()
  personal = false
  readonly arrived: number
  fields: Fields | undefined = undefined
  lostRace = false
  beforeResponse: State["beforeResponse"] = undefined
  readonly #facts: RequestHead
  readonly #trusted: ReadonlyArray<ClientAddress.Network>
  #peer: string | undefined = undefined

  constructor(id: string, facts: RequestHead, trusted: ReadonlyArray<ClientAddress.Network>) {
    this.id = id
    this.method = facts.method
    this.route = facts.route
    this.arrived = facts.arrived ?? performance.now()
    this.#facts = facts
    this.#trusted = trusted
  }
  get path() {
    const query = this.#facts.url.indexOf("?")
    return query === -1 ? this.#facts.url : this.#facts.url.slice(0, query)
  }
  get clientAddress() {
    const forwarded = this.#facts.headers["x-forwarded-for"]
    const list = typeof forwarded === "string" || forwarded === undefined ? forwarded : forwarded.join(",")
    return (this.#peer ??= ForwardedFor.resolve(this.#facts.remoteAddress, list, this.#trusted))
  }
}

const make = (trusted: ReadonlyArray<ClientAddress.Network>) => {
  const process = randomBytes(6).toString("hex")
  let count = 0
  return Exchanges.of({
    open: (facts) => {
      const id = RequestId.parse(facts.headers["x-request-id"]) ?? `${process}-${(count++).toString(36)}`
      return new Opened(id, facts, trusted)
    }
  })
}

/** Exchanges behind these proxies: only their `X-Forwarded-For` is trusted. */
export const layerWith = (trusted: ReadonlyArray<ClientAddress.Network>): Layer.Layer<Exchanges> =>
  Layer.sync(Exchanges, () => make(trusted))

/** Exchanges behind the proxies that `TRUSTED_PROXIES` names. */
export const layer = Layer.effect(Exchanges, Effect.map(TrustedProxies.config, make))
