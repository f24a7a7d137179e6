// The listeners between node:http and the routes. A route is looked up before a fiber starts.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, type Runtime } from "effect"
import * as Http from "node:http"
import { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { RequestState, type RequestStates } from "../../../src/http/internal/RequestState.ts"
import { RequestServices } from "../../../src/http/internal/RequestServices.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import * as Turn from "../../../src/http/internal/Turn.ts"
import { isHandshake } from "../../../src/http/internal/WebSocket.ts"
import type { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { announcesBody, type Bounds, type Connection, Connections, hasUnreadBody } from "./Connections.ts"
import { EdgeRequest, type Expectation } from "./EdgeRequest.ts"
import type { HttpApp, Provided } from "./HttpApp.ts"
import { makeInFlight } from "./InFlight.ts"
import type { Probe } from "./NativeProbe.ts"
import * as Refusal from "./Refusal.ts"
import type { RequestCheck } from "./RequestCheck.ts"
import type { RequestSpans } from "./RequestSpans.ts"
import { makeRouting } from "./Routing.ts"
import type { WebSockets } from "./WebSockets.ts"

interface Options<R> {
  readonly app: HttpApp<R>
  readonly runtime: Runtime.Runtime<Exclude<R, Provided>>
  readonly states: Context.Tag.Service<RequestStates>
  readonly events: Context.Tag.Service<RequestEvents>
  readonly bodyLimit: number
  readonly bounds: Bounds
  readonly check: RequestCheck
  /** Milliseconds that a request may take to arrive, unless its route says otherwise. */
  readonly requestTimeout: number
  readonly probe: Probe | undefined
  /** Whether probes are in the access log and in traces. */
  readonly recordsProbes: boolean
  /** `undefined` where spans are not collected. */
  readonly spans: RequestSpans | undefined
  /** `undefined` where no route has WebSockets. */
  readonly webSockets: WebSockets | undefined
  /** Has this connection parsed once more, by a server that calls `declined`. */
  readonly decline: (socket: Socket) => void
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
  readonly upgrade: (req: Http.IncomingMessage, socket: Duplex, head: Buffer) => void
  /** A request whose offer of another protocol was not taken: another server of node has parsed it again. */
  readonly declined: Listener
  /** Bytes that are no request, or a request that took too long. */
  readonly clientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** A client sends nothing more, for which node closes its connection: what is ready by now still gets through. */
  readonly clientEnd: () => void
  /** From now on every response closes its connection. */
  readonly close: () => void
  /** The number of requests in flight. */
  readonly inFlight: () => number
  /** Interrupts the requests in flight. */
  readonly interruptAll: Effect.Effect<void>
  /** Cuts the WebSockets, and the connections that were to become one. */
  readonly cutUpgraded: () => void
}

/** What is known of a request before it is routed. */
interface Given {
  readonly expectation?: Expectation
  readonly refusal?: number
  readonly upgraded?: Duplex
  /** Node does not watch how long this request takes to come. */
  readonly isUntimed?: boolean
}

/** A request whose body may still be on its way. */
interface Arriving {
  readonly connection: Connection
  readonly req: Http.IncomingMessage
  readonly res: Http.ServerResponse
}

/** A request that was read, with its moments in milliseconds of `performance.now()`. */
interface Arrival extends Arriving {
  readonly given: Given
  readonly arrived: number
  /** Later where it waits for the response before its own. */
  readonly startedAt: number
}

const unknown: Given = {}

/** The head of a request as it came. */
const headOf = ({ httpVersion, method = "GET", rawHeaders, url = "/" }: Http.IncomingMessage): Buffer => {
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  const lines = names.map((name, index) => `${name}: ${rawHeaders[2 * index + 1] ?? ""}\r\n`).join("")
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines}\r\n`, "latin1")
}

const timedOut = () => Object.assign(new Error("The request took too long."), { code: "ERR_HTTP_REQUEST_TIMEOUT" })

// The limit of a route with uploads is the one of its files; they are streamed, and not read as a whole.
const limitOf = (route: object, standard: number): number => {
  const { bodyLimit = standard, multipart = false } = RouteOptions.of(route)
  return multipart ? standard : bodyLimit
}

export const makeEdge = <R>({ app, bodyLimit, check, events, states, probe, ...rest }: Options<R>): Edge => {
  const { bounds, decline, recordsProbes, requestTimeout, runtime, spans, webSockets } = rest
  const connections = new Connections(bounds)
  let isClosing = false
  const routing = makeRouting(app.routes)
  const program = Context.merge(app.services, runtime.context)
  const requests = makeInFlight({ app, bodyLimit, events, runtime, spans, webSockets })

  /** Emits the events of a request that never reached the routes. */
  const announceRefused = (method: string, status: number, remoteAddress: string | undefined): void => {
    if (!events.listening) return
    const { id } = states.open({ method, url: "", headers: {}, remoteAddress, route: "" })
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

  const begin = ({ arrived, connection, given, req, res, startedAt }: Arrival): void => {
    connection.begun = req
    const refusal = given.refusal ?? (connection.req === req ? connection.broken : undefined)
    if (refusal !== undefined) {
      announceRefused(req.method ?? "-", refusal, connection.remoteAddress)
      return Refusal.refuse({ connection, req, res }, refusal)
    }
    if (isClosing) res.shouldKeepAlive = false
    if (probe !== undefined && probe(req, res)) {
      if (hasUnreadBody(req)) connection.discardRest(req, res, !res.shouldKeepAlive)
      return
    }
    const { expectation } = given
    const { headers, method = "GET", url = "/" } = req
    const found = routing(method, url)
    const route = found._tag === "Found" ? found.route.path : ""
    const { remoteAddress } = connection
    const state = states.open({ method, url, headers, remoteAddress, route, arrived })
    const services = new RequestServices(program)
    const limit = found._tag === "Found" ? limitOf(found.route, bodyLimit) : bodyLimit
    const handshake = found._tag === "Found" && given.upgraded ? handshakeOf(found.route, given.upgraded) : undefined
    const upgrading = handshake === undefined ? undefined : () => requests.socketOf(res)
    const edgeRequest = new EdgeRequest(req, res, limit, expectation, undefined, upgrading)
    services.add(HttpServerRequest.HttpServerRequest, edgeRequest)
    services.add(RequestState, state)
    const isQuiet = !recordsProbes && found._tag === "Found" && RouteOptions.of(found.route).isProbe === true
    const request = { req, res, connection, expectation, state, services, startedAt, handshake, isQuiet }
    if (hasTimeouts || given.isUntimed === true) watchArrival(request, found._tag === "Found" ? found.route : undefined)
    if (found._tag !== "Found") return requests.start(request, app.fallback(found))
    services.add(HttpServerRequest.ParsedSearchParams, found.query)
    services.add(HttpLayerRouter.RouteContext, found.context)
    const { handler } = found.route
    // A span of what it does would be the root of a trace.
    requests.start(request, isQuiet ? Effect.withTracerEnabled(handler, false) : handler)
  }

  const arrivals = Turn.make(begin, requests.together)

  const accept = (req: Http.IncomingMessage, res: Http.ServerResponse, given: Given): void => {
    const connection = connections.of(req.socket)
    if (connection.last) return
    const { idle } = connection
    const refusal = given.refusal ?? check(req)
    const known = refusal === undefined ? given : { refusal }
    if (refusal !== undefined || !res.shouldKeepAlive) connection.last = true
    const arrived = performance.now()
    const arrival: Arrival = { connection, req, res, given: known, arrived, startedAt: arrived }
    if (!idle) connection.wait(() => begin({ ...arrival, startedAt: performance.now() }))
    connection.req = req
    connection.res = res
    if (idle) arrivals.add(arrival)
  }

  // Node forgets the connections that it has left to us.
  const taken = new Set<Socket>()

  const handshakeOf = (route: object, connection: Duplex) => {
    const limits = RouteOptions.of(route).webSocket
    return limits === undefined ? undefined : { connection, limits }
  }

  /** The response to a handshake, which node has left to us: when it has been sent, the connection closes. */
  const responseOn = (connection: Connection, req: Http.IncomingMessage, socket: Socket): Http.ServerResponse => {
    const res = new Http.ServerResponse(req)
    res.shouldKeepAlive = false
    res.assignSocket(socket)
    const drained = () => res.emit("drain")
    socket.setTimeout(0).on("drain", drained)
    res.once("finish", () => {
      res.detachSocket(socket)
      connection.close()
      res.emit("close")
    })
    res.once("close", () => socket.off("drain", drained))
    return res
  }

  /** Refuses bytes that are no request, after the responses before them. */
  const refuseBytes = (connection: Connection, status: number, method: string): void =>
    connection.wait(() => {
      announceRefused(method, status, connection.remoteAddress)
      connection.close(Refusal.response(status))
    })

  const isWebSocket = (req: Http.IncomingMessage): boolean => {
    if (!isHandshake(req.method, req.headers) || req.httpVersion !== "1.1" || check(req) !== undefined) return false
    if (announcesBody(req) || req.headers.expect !== undefined) return false
    const found = routing("GET", req.url ?? "/")
    return found._tag === "Found" && RouteOptions.of(found.route).webSocket !== undefined
  }

  const upgrade: Edge["upgrade"] = (req, socket, head) => {
    const connection = connections.of(socket)
    // Node has taken its own listener off: without one, a connection that breaks would end the process.
    socket.on("error", () => undefined)
    if (connection.last) return
    // Until a response is closed, node holds the connection for it; and it has taken the listener off that tells it to go on.
    if (connection.res?.closed === false || !(socket instanceof Socket)) {
      socket.on("drain", () => connection.res?.emit("drain"))
      return refuseBytes(connection, 400, req.method ?? "GET")
    }
    if (!isWebSocket(req)) {
      socket.unshift(Buffer.concat([headOf(req), head]))
      decline(socket)
      return
    }
    // A client waits for the response before it sends a frame.
    if (head.length > 0) return refuseBytes(connection, 400, req.method ?? "GET")
    taken.add(socket.once("close", () => taken.delete(socket)))
    const res = responseOn(connection, req, socket)
    connection.last = true
    connection.req = req
    connection.res = res
    const arrived = performance.now()
    begin({ connection, req, res, given: { upgraded: socket }, arrived, startedAt: arrived })
    watchHandshake({ connection, req, res }, routing("GET", req.url ?? "/"))
  }

  const watchHandshake = ({ connection, req, res }: Arriving, found: ReturnType<typeof routing>): void => {
    if (res.closed || found._tag !== "Found") return
    const timer = setTimeout(() => {
      if (!requests.interrupt(res, 503)) return
      if (res.headersSent) req.socket.destroy()
      else Refusal.refuse({ connection, req, res }, 503)
    }, RouteOptions.of(found.route).webSocket?.handshakeTimeout)
    res.once("close", () => clearTimeout(timer))
  }

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
    if (connection.begun !== req) connection.broken = status
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
    upgrade,
    declined: (req, res) => {
      // It stands in no list of idle connections that a stop would close.
      res.shouldKeepAlive = false
      accept(req, res, { isUntimed: true })
    },
    clientError,
    clientEnd: () => {
      arrivals.run()
      requests.flush()
    },
    close: () => {
      isClosing = true
      requests.close()
      webSockets?.closeAll(1001)
    },
    inFlight: () => requests.size() + arrivals.size(),
    interruptAll: requests.interruptAll,
    cutUpgraded: () => taken.forEach((socket) => socket.destroy())
  }
}
