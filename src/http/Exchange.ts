// One request and the answer being made for it: the facts every step shares, and what steps add to the answer.
import { Context, type Effect } from "effect"
import type { Fields } from "./Fields.ts"

/** Made once per request before its fiber starts; steps read the facts and add to the answer. */
export interface State {
  /** The request id: the client's when it is well formed, else ours. */
  readonly id: string
  readonly method: string
  /** The path as it was asked, without the query. May hold a verifier: never log it, log `route`. */
  readonly path: string
  /** The pattern of the route that answers (`/verify/:selector/:verifier`), or an empty text when there is none. */
  readonly route: string
  /** The canonical address of the client, behind trusted proxies. */
  readonly peer: string
  /** When the server was given the request, in milliseconds of `performance.now()`. */
  readonly arrived: number
  /** `Set-Cookie` lines by cookie name: the last one for a name wins, and failures carry them too. */
  readonly cookies: Map<string, string>
  /** Headers that every answer to this request carries, whoever makes it; names in lower case. */
  readonly headers: Map<string, string>
  /** Whether the response depends on who asks. Then nothing keeps it, unless it says something else about caching. */
  personal: boolean
  /** The body's fields, once someone has read them: a body can be read only once. */
  fields: Fields | undefined
  /** Whether another response is signing this client in at this moment: this one leaves its session alone. */
  lostRace: boolean
  /**
   * Runs when the session has been written and before the response is sent; a step whose response has to wait sets it.
   * A streamed response is sent from its first byte on, any other one when the scope of the request closes.
   */
  beforeResponse: ((streamed: boolean) => Effect.Effect<void>) | undefined
}

/** The exchange of the request at hand, given to every handler. */
export class Exchange extends Context.Tag("effect-framework/http/Exchange")<Exchange, State>() {}

/** What a server knows of a request before it is routed. */
export interface RequestHead {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly remoteAddress: string | undefined
  readonly route: string
  /** When it came, where that was before now: a pipelined request waits for the response before its own. */
  readonly arrived?: number | undefined
}

/** Opens the exchange of a request: the id that is made here, and the proxies that are believed, belong to the program. */
export class Exchanges extends Context.Tag("effect-framework/http/Exchanges")<
  Exchanges,
  { readonly open: (facts: RequestHead) => State }
>() {}
