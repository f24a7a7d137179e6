// One request and its response in the making: what every step reads, and what steps add to the response.
import { type Cause, Context, type Effect, Option } from "effect"
import type { Fields } from "./Fields.ts"

/** The parts of a request from which a server makes its state. */
export interface RequestHead {
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly remoteAddress: string | undefined
  readonly route: string
  /** When it arrived, if not now: it is begun at the end of its turn, or after the response before its own. */
  readonly arrived?: number | undefined
}

/** The scheme and the host that a proxy was asked for. */
export interface Forwarded {
  readonly scheme?: "http" | "https"
  readonly host?: string
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/

/** The client's request id when it is 1–128 token characters, else `undefined`: anything else could forge a log line. */
export const parseId = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" && token.test(header) ? header : undefined

/** Created once per request, before its fiber starts. Steps read it and add to the response. */
export interface State {
  /** The request id: the client's when it is well formed, else ours. */
  readonly id: string
  readonly method: string
  /** The requested path without the query. It may contain a verifier: log `route` instead. */
  readonly path: string
  /** The pattern of the matched route (`/verify/:selector/:verifier`), or an empty string. */
  readonly route: string
  /** What the client has sent before its body. */
  readonly head: Pick<RequestHead, "headers" | "url">
  /** The canonical address of the client, behind trusted proxies. */
  readonly clientAddress: string
  /** What the nearest trusted proxy says of the address that the client has asked; empty where none does. */
  readonly forwarded: Forwarded
  /** The W3C `baggage` of the client; empty when there is none, or a malformed one. */
  readonly baggage: string
  /** When the request arrived, in milliseconds of `performance.now()`. */
  readonly arrived: number
  /** `Set-Cookie` lines by cookie name: the last one for a name wins, and failures carry them too. */
  readonly cookies: Map<string, string>
  /** Headers that every response to this request carries, also an error page; names in lower case. */
  readonly headers: Map<string, string>
  /** Origins to which the page may send forms besides those of its own policy. */
  formOrigins?: ReadonlyArray<string> | undefined
  /** Whether the response depends on the user. Then it is sent with `no-store`, unless it sets its own cache-control. */
  personal: boolean
  /** The language of the texts in the response, once one was chosen among several. */
  language?: string | undefined
  /** The fields of the body once they are read: a body can be read only once. */
  fields: Fields | undefined
  /** The span of the request where spans are collected, else the client's own from `traceparent`. */
  trace?: { readonly traceId: string; readonly spanId: string } | undefined
  /** Why the request failed: the first cause that was reported, and what no text of it may repeat. */
  exception?: { readonly cause: Cause.Cause<unknown>; readonly secrets: () => ReadonlyArray<string> } | undefined
  /** What was reported of this request; each once. */
  reported?: Set<object> | undefined
  /** The id of the signed-in account, once the session was read. */
  account?: string | undefined
  /** The `WWW-Authenticate` of a 401 or 403 from an API, once its guard has refused the request. */
  challenge?: string | undefined
  /** Writes the session of this request, once a handler has asked for it. */
  session?: PendingSession | undefined
  /** Whether another response is signing this client in at this moment: this one leaves its session alone. */
  lostRace: boolean
  /**
   * Runs when the session has been written and before the response is sent; a step whose response has to wait sets it.
   * A streamed response is sent from its first byte on, any other one when the scope of the request closes.
   */
  beforeResponse: ((streamed: boolean) => Effect.Effect<void>) | undefined
}

/** What happens to a session at the end of its request. */
interface PendingSession {
  /** Writes a row, a `Set-Cookie` line, both, or neither if nothing has changed. */
  readonly commit: Effect.Effect<void>
  /** Deletes the row of a sign-in: no response will carry its id. */
  readonly discard: Effect.Effect<void>
}

/** The state of the current request. */
export class RequestState extends Context.Tag("effect-framework/http/RequestState")<RequestState, State>() {}

/** The id of the request; `undefined` outside of one. */
export const idOf = (services: Context.Context<never>): string | undefined =>
  Option.getOrUndefined(Context.getOption(services, RequestState))?.id

/** Makes the state of a request: generates its id and applies the trusted proxies. */
export class RequestStates extends Context.Tag("effect-framework/http/RequestStates")<
  RequestStates,
  { readonly open: (head: RequestHead) => State }
>() {}
