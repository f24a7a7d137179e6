// Options of one route, stored in the route value itself. The steps of a request read them from its state.
import { Context } from "effect"
import type { State } from "./RequestState.ts"
import type { Limits } from "./WebSocket.ts"

/** The longest body, unless a route says otherwise: 1 MiB is enough for any form, too little to fill the memory. */
export const defaultLimit = 1024 * 1024

/** The options of a route. */
export interface RouteOptions {
  /** The longest body in bytes. */
  readonly bodyLimit?: number
  /** Milliseconds that the whole request may take to arrive. */
  readonly requestTimeout?: number
  /** Whether it accepts multipart/form-data. */
  readonly multipart?: boolean
  /** Whether people open it: its error pages are in the layout of the program. */
  readonly isPage?: boolean
  /** Whether programs call it: its errors are JSON unless a client prefers a page. */
  readonly isApi?: boolean
  /** Whether machines ask it again and again whether the program is well, or for its metrics. */
  readonly isProbe?: boolean
  /** Whether people manage their own account there. */
  readonly isAccount?: boolean
  /** The paths of all routes of the program. */
  readonly mounted?: ReadonlySet<string>
  /** The limits of its WebSockets; without them its connections are not upgraded. */
  readonly webSocket?: Limits
}

/** The annotation of a group of endpoints by which people manage their own account. */
export class IsAccount extends Context.Tag("effect-framework/http/IsAccount")<IsAccount, true>() {}

const slot: unique symbol = Symbol.for("effect-framework/http/RouteOptions")

interface Annotated {
  readonly [slot]?: RouteOptions
}

const none: RouteOptions = {}

/** The options of a route, or of the route of a request. */
export const of = (route: object): RouteOptions => (route as Annotated)[slot] ?? none

/** A copy of the route with these options added. */
export const add = <Route extends object>(route: Route, options: RouteOptions): Route => ({
  ...route,
  [slot]: { ...of(route), ...options }
})

/** The route as a probe: it can be left out of the access log and of traces. */
export const probe = <Route extends object>(route: Route): Route => add(route, { isProbe: true })

/** Lets the steps of this request read the options. */
export const attach = (state: State, options: RouteOptions): void => {
  Object.assign(state, { [slot]: options })
}
