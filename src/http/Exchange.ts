// One request and the answer being made for it: the facts every step shares, and what steps add to the answer.
import { Context } from "effect"

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
  /** `Set-Cookie` lines by cookie name: the last one for a name wins, and failures carry them too. */
  readonly cookies: Map<string, string>
  /** Headers that every answer to this request carries, whoever makes it. */
  readonly headers: Map<string, string>
}

export class Exchange extends Context.Tag("http/Exchange")<Exchange, State>() {}
