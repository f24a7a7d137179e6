// The listeners between node:http and the routes. A route is looked up before a fiber starts.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import type { Context, Effect, Runtime } from "effect"
import type * as Http from "node:http"
import type { Duplex } from "node:stream"
import { Exchange, type Exchanges } from "../../src/http/Exchange.ts"
import * as RouteOptions from "../../src/http/RouteOptions.ts"
import type { RequestEvents } from "../../src/observability/RequestEvents.ts"
import { type Bounds, type Connection, Connections, hasUnreadBody } from "./Connections.ts"
import { EdgeRequest, type Expectation } from "./EdgeRequest.ts"
import type { HttpApp, Provided } from "./HttpApp.ts"
import { makeInFlight } from "./InFlight.ts"
import type { Probe } from "./NativeProbe.ts"
import * as Refusal from "./Refusal.ts"
import { isOtherProtocol, mayBeOtherProtocol, type RequestCheck } from "./RequestCheck.ts"
import { RequestServices } from "./RequestServices.ts"
import type { RequestSpans } from "./RequestSpans.ts"
import { makeRouting } from "./Routing.ts"

interface Options<R> {
  readonly app: HttpApp<R>
  readonly runtime: Runtime.Runtime<Exclude<R, Provided>>
  readonly exchanges: Context.Tag.Service<Exchanges>
  readonly events: Context.Tag.Service<RequestEvents>
  readonly bodyLimit: number
  readonly bounds: Bounds
  readonly check: RequestCheck
  /** Milliseconds that a request may take to arrive, unless its route says otherwise. */
  readonly requestTimeout: number
  readonly probe: Probe | undefined
  /** `undefined` where spans are not collected. */
  readonly spans: RequestSpans | undefined
}

type Listener = (req: Http.IncomingMessage, res: Http.ServerResponse) => void

export interface Edge {
  readonly request: Listener
  /** The client waits for "100 Continue" before it sends its body. */
  readonly checkContinue: Listener
  /** The client expects something else. */
  readonly checkExpectation: Listener
  /** The client takes this server for a proxy. */
  readonly connect: (req: Http.IncomingMessage, socket: Duplex) => void
  /** Bytes that are no request, or a request that took too long. */
  readonly clientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** From now on every response closes its connection. */
  readonly close: () => void
  /** The number of requests in flight. */
  readonly inFlight: () => number
  /** Interrupts the requests in flight. */
  readonly interruptAll: Effect.Effect<void>
}

/** What is known of a request before it is routed. */
interface Given {
  readonly expectation?: Expectation
  readonly refusal?: number
  readonly arrived?: number
}

/** A request whose body may still be on its way. */
interface Arriving {
  readonly connection: Connection
  readonly req: Http.IncomingMessage
  readonly res: Http.ServerResponse
}

const unknown: Given = {}

const timedOut = () => Object.assign(new Error("The request took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

// The limit of a route with uploads is the one of its files; they are streamed, and not read as a whole.
const limitOf = (route: object, standard: number): number => {
  const { bodyLimit = standard, multipart = false } = RouteOptions.of(route)
  return multipart ? standard : bodyLimit
}

export const makeEdge = <R>({ app, bodyLimit, check, events, exchanges, probe, ...rest }: Options<R>): Edge => {
  const { bounds, requestTimeout, runtime, spans } = rest
  const connections = new Connections(bounds)
  const routing = makeRouting(app.routes)
  const requests = makeInFlight({ app, bodyLimit, events, runtime, spans })

  /** Emits the events of a request that never reached the routes. */
  const announceRefused = (method: string, status: number, remoteAddress: string | undefined): void => {
    if (!events.listening) return
    const { id } = exchanges.open({ method, url: "", headers: {}, remoteAddress, route: "" })
    const at = performance.now()
    events.received({ id, method, at })
    events.handled({ id, method, at, route: "", status, aborted: false, duration: 0 })
  }

  // Node has one timeout for all requests. It is the longest of the routes, and each route has its own timer.
  const hasTimeouts = app.routes.some((route) => RouteOptions.of(route).requestTimeout !== undefined)

  const watchArrival = ({ connection, req, res }: Arriving, route: object | undefined): void => {
    if (!hasUnreadBody(req)) return
    const timeout = (route === undefined ? undefined : RouteOptions.of(route).requestTimeout) ?? requestTimeout
    const timer = setTimeout(() => {
      if (!req.complete && connection.req === req) clientError(timedOut(), req.socket)
    }, timeout)
    res.once("close", () => clearTimeout(timer))
  }

  const begin = (connection: Connection, req: Http.IncomingMessage, res: Http.ServerResponse, given: Given): void => {
    const refusal = given.refusal ?? (connection.req === req ? connection.broken : undefined)
    if (refusal !== undefined) {
      announceRefused(req.method ?? "-", refusal, connection.remoteAddress)
      return Refusal.refuse({ connection, req, res }, refusal)
    }
    if (probe !== undefined && probe(req, res)) {
      if (hasUnreadBody(req)) connection.discardRest(req, res, !res.shouldKeepAlive)
      return
    }
    const { arrived, expectation } = given
    const { headers, method = "GET", url = "/" } = req
    const found = routing(method, url)
    const route = found._tag === "Found" ? found.route.path : ""
    const { remoteAddress } = connection
    const exchange = exchanges.open({ method, url, headers, remoteAddress, route, arrived })
    const services = new RequestServices(runtime.context)
    const limit = found._tag === "Found" ? limitOf(found.route, bodyLimit) : bodyLimit
    services.set(HttpServerRequest.HttpServerRequest.key, new EdgeRequest(req, res, limit, expectation))
    services.set(Exchange.key, exchange)
    const request = { req, res, connection, expectation, exchange, services }
    if (hasTimeouts) watchArrival(request, found._tag === "Found" ? found.route : undefined)
    if (found._tag !== "Found") return requests.start(request, app.fallback(found))
    services.set(HttpServerRequest.ParsedSearchParams.key, found.query)
    services.set(HttpLayerRouter.RouteContext.key, found.context)
    requests.start(request, found.route.handler)
  }

  const accept = (req: Http.IncomingMessage, res: Http.ServerResponse, given: Given): void => {
    const connection = connections.of(req.socket)
    if (connection.last) return
    const { idle } = connection
    const isFirst = connection.req === undefined
    const isOther = mayBeOtherProtocol(req, isFirst, !idle) && isOtherProtocol(req, isFirst)
    const refusal = given.refusal ?? check(req) ?? (isOther ? 400 : undefined)
    const known = refusal === undefined ? given : { refusal }
    if (refusal !== undefined || !res.shouldKeepAlive) connection.last = true
    if (!idle) {
      const arrived = performance.now()
      connection.wait(() => begin(connection, req, res, { ...known, arrived }))
    }
    connection.req = req
    connection.res = res
    if (idle) begin(connection, req, res, known)
  }

  /** Refuses bytes that are no request, after the responses before them. */
  const refuseBytes = (connection: Connection, status: number, method: string): void =>
    connection.wait(() => {
      announceRefused(method, status, connection.remoteAddress)
      connection.close(Refusal.response(status))
    })

  const clientError: Edge["clientError"] = (error, socket) => {
    const connection = connections.of(socket)
    const { req, res } = connection
    if (connection.refused) return
    // Browsers open connections that they never use: that is no request.
    if (!socket.writable || error.code === "ECONNRESET" || connection.bytesRead === 0) return void socket.destroy()
    const status = Refusal.statusOf(error)
    if (req === undefined || res === undefined || req.complete) {
      if (connection.last) return
      connection.refused = true
      return refuseBytes(connection, status, "-")
    }
    // The body of the last request is broken.
    connection.refused = true
    connection.last = true
    if (connection.waiting > 0) connection.broken = status
    else if (res.writableFinished) connection.close()
    else if (res.headersSent) res.once("finish", () => connection.close())
    else {
      requests.interrupt(res, status)
      Refusal.refuse({ connection, req, res }, status)
    }
  }

  return {
    request: (req, res) => accept(req, res, unknown),
    checkContinue: (req, res) => accept(req, res, { expectation: { pending: true } }),
    checkExpectation: (req, res) => accept(req, res, { refusal: 417 }),
    connect: (req, socket) => {
      const connection = connections.of(socket)
      if (!connection.last) refuseBytes(connection, 501, req.method ?? "CONNECT")
    },
    clientError,
    close: requests.close,
    inFlight: requests.size,
    interruptAll: requests.interruptAll
  }
}
