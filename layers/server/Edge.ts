// What happens between node:http and a route: lookup before the fiber, one fiber a request, one end for each.
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import {
  Cause,
  Context,
  Effect,
  Equal,
  Exit,
  Fiber,
  FiberId,
  FiberRef,
  FiberRefs,
  Runtime,
  RuntimeFlags,
  type Scope
} from "effect"
import type * as Http from "node:http"
import type { App } from "../../src/http/App.ts"
import { Exchange, type Exchanges, type State } from "../../src/http/Exchange.ts"
import type { RequestEvents } from "../../src/observability/RequestEvents.ts"
import type { Duplex } from "node:stream"
import { type Bounds, type Connection, Connections } from "./Connections.ts"
import { EdgeRequest, type Expectation } from "./EdgeRequest.ts"
import { writeNow, writeOver } from "./EdgeResponse.ts"
import * as ClientError from "./ClientError.ts"
import type { Probe } from "./NativeProbe.ts"
import { isOtherProtocol, type RequestCheck } from "./RequestCheck.ts"
import { RequestServices } from "./RequestServices.ts"
import { makeRouting } from "./Routing.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What the edge gives to every request. */
export type Provided =
  | HttpServerRequest.HttpServerRequest
  | HttpServerRequest.ParsedSearchParams
  | HttpLayerRouter.RouteContext
  | Scope.Scope
  | Exchange

export type HttpApp<R> = App<HttpLayerRouter.Route<never, R>, Response, R>

interface Parts<R> {
  readonly app: HttpApp<R>
  readonly runtime: Runtime.Runtime<Exclude<R, Provided>>
  readonly exchanges: Context.Tag.Service<Exchanges>
  readonly events: Context.Tag.Service<RequestEvents>
  readonly bodyLimit: number
  readonly bounds: Bounds
  readonly check: RequestCheck
  readonly probe: Probe | undefined
}

type Listener = (req: Http.IncomingMessage, res: Http.ServerResponse) => void

export interface Edge {
  readonly request: Listener
  /** A client that waits for leave to send its body. */
  readonly checkContinue: Listener
  /** A client that expects something else. */
  readonly checkExpectation: Listener
  /** A client that takes this server for a proxy. */
  readonly connect: (req: Http.IncomingMessage, socket: Duplex) => void
  /** Bytes that are no request, or a request that took too long. */
  readonly clientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /** From now on every answer closes its connection. */
  readonly close: () => void
  /** How many requests are on their way. */
  readonly inFlight: () => number
  /** Interrupts the requests that are on their way. */
  readonly interruptAll: Effect.Effect<void>
}

/** A request on its way. */
interface InFlight {
  readonly req: Http.IncomingMessage
  readonly connection: Connection
  readonly expectation: Expectation | undefined
  readonly res: Http.ServerResponse
  readonly exchange: State
  readonly services: RequestServices
  readonly started: number
  readonly announced: boolean
  fiber: Fiber.RuntimeFiber<unknown, never> | undefined
  landed: boolean
  /** A second response is being made, because the first could not be sent. */
  recovering: boolean
}

const unsent = Exit.interrupt(FiberId.none)

/** What is known of a request before it begins. */
interface Given {
  readonly expectation?: Expectation
  readonly refusal?: number
  readonly arrived?: number
}

const nothing: Given = {}

/** A body that has not come to its end. Node calls every request incomplete until it has told of it. */
const isUnread = ({ complete, headers }: Http.IncomingMessage): boolean =>
  !complete && (headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0")

/** Every fiber copies these, so they are without what has its first value anyway and the context, which each has its own. */
const essential = (all: FiberRefs.FiberRefs): FiberRefs.FiberRefs => {
  let kept = all
  for (const ref of FiberRefs.fiberRefs(all)) {
    const isFirst = Equal.equals(FiberRefs.getOrDefault(all, ref), FiberRefs.getOrDefault(FiberRefs.empty(), ref))
    if (isFirst || ref === FiberRef.currentContext) kept = FiberRefs.delete(kept, ref)
  }
  return kept
}

export const makeEdge = <R>(parts: Parts<R>): Edge => {
  const { app, bodyLimit, check, events, exchanges, probe, runtime } = parts
  const connections = new Connections(parts.bounds)
  const routing = makeRouting(app.routes)
  const flights = new Set<InFlight>()
  const fiberRefs = essential(runtime.fiberRefs)
  // Effect's own fiber metrics cost a histogram write for each request; the request events tell more.
  const runtimeFlags = RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.RuntimeMetrics)
  const program = runtime.context.unsafeMap
  let closing = false

  // The context is the request's own: the type of what it holds is the compiler's business where the app is given.
  const run = <A>(flight: InFlight, effect: Effect.Effect<A, never, R>): Fiber.RuntimeFiber<A, never> =>
    Runtime.runFork(Runtime.make({ context: Context.unsafeMake<R>(flight.services), fiberRefs, runtimeFlags }), effect)

  const land = (flight: InFlight, exit: Exit.Exit<unknown>, status: number | undefined, failed = false): void => {
    if (flight.landed) return
    flight.landed = true
    flights.delete(flight)
    // The scope's exit tells whether the response was sent.
    const finalizers = flight.services.close(status === undefined ? unsent : exit)
    if (finalizers !== undefined) Runtime.runFork(runtime, finalizers)
    if (!flight.announced) return
    events.handled({
      id: flight.exchange.id,
      at: flight.started,
      method: flight.exchange.method,
      route: flight.exchange.route,
      status,
      aborted: status === undefined,
      failed,
      duration: (performance.now() - flight.started) / 1000
    })
  }

  /** Refuses a request in one short text, after which the connection ends. */
  const refuse = ({ connection, req, res }: Pick<InFlight, "connection" | "req" | "res">, status: number): void => {
    connection.refused = true
    connection.discardRest(req, res, true)
    ClientError.respond(res, status)
  }

  const collapse = (flight: InFlight, cause: Cause.Cause<never>): void => {
    const { res } = flight
    if (res.headersSent) {
      if (!Cause.isInterruptedOnly(cause)) run(flight, app.late(cause))
      // The client has half a response: only a broken connection tells it so.
      res.destroy()
      return land(flight, Exit.failCause(cause), res.statusCode, true)
    }
    // Node keeps the reason phrase of a head that it refused to send.
    res.statusMessage = ""
    if (!flight.recovering) {
      flight.recovering = true
      return settleWith(flight, run(flight, app.failed(cause)))
    }
    if (!Cause.isInterruptedOnly(cause)) run(flight, app.late(cause))
    refuse(flight, 500)
    land(flight, Exit.failCause(cause), 500)
  }

  const answer = (flight: InFlight, response: Response): void => {
    const { connection, expectation, req, res } = flight
    const { method } = flight.exchange
    const head = app.head(flight.exchange, response)
    const unread = isUnread(req)
    // A client that was not given leave may send its body or not: nobody can tell where the next request begins.
    const tooLong = response.status === 413 || Number(req.headers["content-length"]) > bodyLimit
    const closes = closing || (unread && (tooLong || expectation?.pending === true))
    if (closes) {
      head.push("connection", "close")
      connection.last = true
    }
    if (unread) connection.discardRest(req, res, closes || !res.shouldKeepAlive)
    if (writeNow(res, method, response, head)) return land(flight, Exit.void, response.status)
    const writing = run(flight, writeOver(res, method, response, head))
    flight.fiber = writing
    writing.addObserver((exit) => {
      if (flight.landed) return
      if (Exit.isFailure(exit)) collapse(flight, exit.cause)
      else land(flight, exit, response.status)
    })
  }

  const settle = (flight: InFlight, exit: Exit.Exit<Response>): void => {
    if (flight.landed || flight.res.destroyed) return land(flight, exit, undefined)
    try {
      if (Exit.isFailure(exit)) collapse(flight, exit.cause)
      else answer(flight, exit.value)
    } catch (thrown) {
      // node refuses a header with a line break in it: better no answer than a split one.
      collapse(flight, Cause.die(thrown))
    }
  }

  const settleWith = (flight: InFlight, fiber: Fiber.RuntimeFiber<Response, never>): void => {
    flight.fiber = fiber
    fiber.addObserver((exit) => settle(flight, exit))
  }

  const cutShort = (flight: InFlight, status: number | undefined): void => {
    if (flight.landed) return
    const { fiber } = flight
    land(flight, Exit.interrupt(Fiber.id(fiber ?? Fiber.void)), status)
    if (fiber !== undefined) Runtime.runFork(runtime, Fiber.interrupt(fiber))
  }

  const fly = (flight: InFlight, handler: Effect.Effect<Response, never, R>): void => {
    settleWith(flight, run(flight, handler))
    if (!flight.landed) flight.res.on("close", () => cutShort(flight, undefined))
  }

  /** Tells of a request that never reached the routes. */
  const announceRefused = (method: string, status: number, remoteAddress: string | undefined): void => {
    if (!events.listening) return
    const { id } = exchanges.open({ method, url: "", headers: {}, remoteAddress, route: "" })
    const at = performance.now()
    events.received({ id, method, at })
    events.handled({ id, method, at, route: "", status, aborted: false, duration: 0 })
  }

  const begin = (connection: Connection, req: Http.IncomingMessage, res: Http.ServerResponse, given: Given): void => {
    const refusal = given.refusal ?? (connection.req === req ? connection.broken : undefined)
    if (refusal !== undefined) {
      announceRefused(req.method ?? "-", refusal, req.socket.remoteAddress)
      return refuse({ connection, req, res }, refusal)
    }
    if (probe !== undefined && probe(req, res)) {
      if (isUnread(req)) connection.discardRest(req, res, !res.shouldKeepAlive)
      return
    }
    const { expectation } = given
    const method = req.method ?? "GET"
    const url = req.url ?? "/"
    const found = routing(method, url)
    const exchange = exchanges.open({
      method,
      url,
      headers: req.headers,
      remoteAddress: req.socket.remoteAddress,
      route: found._tag === "Found" ? found.route.path : "",
      arrived: given.arrived
    })
    const services = new RequestServices(program)
    services.set(HttpServerRequest.HttpServerRequest.key, new EdgeRequest(req, res, bodyLimit, expectation))
    services.set(Exchange.key, exchange)
    const announced = events.listening
    const started = announced ? performance.now() : 0
    const flight: InFlight = {
      req,
      res,
      connection,
      expectation,
      exchange,
      services,
      started,
      announced,
      fiber: undefined,
      landed: false,
      recovering: false
    }
    flights.add(flight)
    if (announced) events.received({ id: exchange.id, method, at: started })
    if (found._tag !== "Found") return fly(flight, app.fallback(found))
    services.set(HttpServerRequest.ParsedSearchParams.key, found.query)
    services.set(HttpLayerRouter.RouteContext.key, found.context)
    fly(flight, found.route.handler)
  }

  const enter = (req: Http.IncomingMessage, res: Http.ServerResponse, given: Given): void => {
    const connection = connections.of(req.socket)
    if (connection.last) return
    const { idle } = connection
    const isFirst = connection.req === undefined
    const looks = isFirst || !idle || req.httpVersionMinor === 0
    const refusal = given.refusal ?? check(req) ?? (looks && isOtherProtocol(req, isFirst) ? 400 : undefined)
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

  /** Refuses what is no request, when the responses before it have been sent. */
  const refuseBytes = (connection: Connection, status: number, method: string): void =>
    connection.wait(() => {
      announceRefused(method, status, connection.remoteAddress)
      connection.close(ClientError.response(status))
    })

  const clientError: Edge["clientError"] = (error, socket) => {
    const connection = connections.of(socket)
    const { req, res } = connection
    if (connection.refused) return
    // A connection that was opened and never used, as browsers do, is no request.
    if (!socket.writable || error.code === "ECONNRESET" || connection.bytesRead === 0) return void socket.destroy()
    const status = ClientError.statusOf(error)
    if (req === undefined || res === undefined || req.complete) {
      if (connection.last) return
      connection.refused = true
      return refuseBytes(connection, status, "-")
    }
    // The body of the request that came last is broken.
    connection.refused = true
    connection.last = true
    if (connection.waiting > 0) connection.broken = status
    else if (res.writableFinished) connection.close()
    else if (res.headersSent) res.once("finish", () => connection.close())
    else {
      for (const flight of flights) if (flight.res === res) cutShort(flight, status)
      refuse({ connection, req, res }, status)
    }
  }

  return {
    request: (req, res) => enter(req, res, nothing),
    checkContinue: (req, res) => enter(req, res, { expectation: { pending: true } }),
    checkExpectation: (req, res) => enter(req, res, { refusal: 417 }),
    connect: (req, socket) => {
      const connection = connections.of(socket)
      if (!connection.last) refuseBytes(connection, 501, req.method ?? "CONNECT")
    },
    clientError,
    close: () => {
      closing = true
    },
    inFlight: () => flights.size,
    interruptAll: Effect.suspend(() =>
      Effect.forEach(
        Array.from(flights),
        ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)),
        { discard: true }
      )
    )
  }
}
