// The events of a request, and what listens to them.

/** A request was received. */
export interface Received {
  /** May be chosen by the client, so two requests can have the same id. */
  readonly id: string
  readonly method: string
  /** In milliseconds of `performance.now()`. */
  readonly at: number
}

/** A request has ended, with a response or without one. */
export interface Handled {
  readonly id: string
  /** When it was received, in milliseconds of `performance.now()`. */
  readonly at: number
  readonly method: string
  /** The pattern of the route, never the path: a path can contain a secret token. Empty when no route matched. */
  readonly route: string
  /** `undefined` when the client disconnected before the response began. */
  readonly status: number | undefined
  /** Seconds since it was received. */
  readonly duration: number
  readonly aborted: boolean
  /** The id of the trace that it belongs to. */
  readonly trace?: string | undefined
  /** Whether this trace is collected. */
  readonly sampled?: boolean
  /** The id of the signed-in account. */
  readonly account?: string | undefined
  /** The body failed after the headers were sent: the client has a partial response. */
  readonly failed?: boolean
}

/** Called synchronously for each event, so it must be fast. */
export interface Listener {
  readonly received?: (event: Received) => void
  readonly handled?: (event: Handled) => void
}
