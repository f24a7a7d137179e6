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
import { EdgeRequest } from "./EdgeRequest.ts"
import { writeNow, writeOver } from "./EdgeResponse.ts"
import type { Probe } from "./NativeProbe.ts"
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
  readonly probe: Probe | undefined
}

type Listener = (req: Http.IncomingMessage, res: Http.ServerResponse) => void

export interface Edge {
  readonly request: Listener
  /** A client that waits for leave to send its body. */
  readonly checkContinue: Listener
  /** From now on every answer closes its connection. */
  readonly close: () => void
  /** How many requests are on their way. */
  readonly inFlight: () => number
  /** Interrupts the requests that are on their way. */
  readonly abandon: Effect.Effect<void>
}

/** A request on its way. */
interface Flight {
  readonly res: Http.ServerResponse
  readonly exchange: State
  readonly services: RequestServices
  readonly started: number
  readonly announced: boolean
  fiber: Fiber.RuntimeFiber<unknown, never> | undefined
  landed: boolean
}

const unsent = Exit.interrupt(FiberId.none)

const lastResort = "Internal Server Error"

/** Every fiber copies these, so they are without what has its first value anyway and the context, which each has its own. */
const essential = (all: FiberRefs.FiberRefs): FiberRefs.FiberRefs => {
  let kept = all
  for (const ref of FiberRefs.fiberRefs(all)) {
    const isFirst = Equal.equals(FiberRefs.getOrDefault(all, ref), FiberRefs.getOrDefault(FiberRefs.empty(), ref))
    if (isFirst || ref === FiberRef.currentContext) kept = FiberRefs.delete(kept, ref)
  }
  return kept
}

export const makeEdge = <R>({ app, bodyLimit, events, exchanges, probe, runtime }: Parts<R>): Edge => {
  const routing = makeRouting(app.routes)
  const flights = new Set<Flight>()
  const fiberRefs = essential(runtime.fiberRefs)
  // Effect's own fiber metrics cost a histogram write for each request; the request events tell more.
  const runtimeFlags = RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.RuntimeMetrics)
  const program = runtime.context.unsafeMap
  let closing = false

  // The context is the request's own: the type of what it holds is the compiler's business where the app is given.
  const run = <A>(flight: Flight, effect: Effect.Effect<A, never, R>): Fiber.RuntimeFiber<A, never> =>
    Runtime.runFork(Runtime.make({ context: Context.unsafeMake<R>(flight.services), fiberRefs, runtimeFlags }), effect)

  const land = (flight: Flight, exit: Exit.Exit<unknown>, status: number | undefined): void => {
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
      duration: (performance.now() - flight.started) / 1000
    })
  }

  const collapse = (flight: Flight, cause: Cause.Cause<never>): void => {
    const { res } = flight
    if (!Cause.isInterruptedOnly(cause)) run(flight, app.late(cause))
    if (res.headersSent) {
      // The client has half an answer: only a broken connection tells it so.
      res.destroy()
      return land(flight, Exit.failCause(cause), res.statusCode)
    }
    res.writeHead(500, { "content-type": "text/plain; charset=utf-8", "content-length": lastResort.length })
    res.end(lastResort)
    land(flight, Exit.failCause(cause), 500)
  }

  const answer = (flight: Flight, response: Response): void => {
    const { res } = flight
    const { method } = flight.exchange
    const head = app.head(flight.exchange, response)
    if (closing) head.push("connection", "close")
    if (writeNow(res, method, response, head)) return land(flight, Exit.void, response.status)
    const writing = run(flight, writeOver(res, method, response, head))
    flight.fiber = writing
    writing.addObserver((exit) => {
      if (Exit.isFailure(exit)) collapse(flight, exit.cause)
      else land(flight, exit, response.status)
    })
  }

  const settle = (flight: Flight, exit: Exit.Exit<Response>): void => {
    if (flight.landed || flight.res.destroyed) return land(flight, exit, undefined)
    try {
      if (Exit.isFailure(exit)) collapse(flight, exit.cause)
      else answer(flight, exit.value)
    } catch (thrown) {
      // node refuses a header with a line break in it: better no answer than a split one.
      collapse(flight, Cause.die(thrown))
    }
  }

  const fly = (flight: Flight, handler: Effect.Effect<Response, never, R>): void => {
    const fiber = run(flight, handler)
    flight.fiber = fiber
    fiber.addObserver((exit) => settle(flight, exit))
    if (flight.landed) return
    flight.res.on("close", () => {
      if (flight.landed) return
      const { fiber } = flight
      land(flight, Exit.interrupt(Fiber.id(fiber ?? Fiber.void)), undefined)
      if (fiber !== undefined) Runtime.runFork(runtime, Fiber.interrupt(fiber))
    })
  }

  const request: Listener = (req, res) => {
    if (probe !== undefined && probe(req, res)) return
    const method = req.method ?? "GET"
    const url = req.url ?? "/"
    const found = routing(method, url)
    const exchange = exchanges.open({
      method,
      url,
      headers: req.headers,
      remoteAddress: req.socket.remoteAddress,
      route: found._tag === "Found" ? found.route.path : ""
    })
    const services = new RequestServices(program)
    services.set(HttpServerRequest.HttpServerRequest.key, new EdgeRequest(req, res, bodyLimit))
    services.set(Exchange.key, exchange)
    const announced = events.listening
    const started = announced ? performance.now() : 0
    const flight: Flight = { res, exchange, services, started, announced, fiber: undefined, landed: false }
    flights.add(flight)
    if (announced) events.received({ id: exchange.id, method, at: started })
    if (found._tag !== "Found") return fly(flight, app.fallback(found))
    services.set(HttpServerRequest.ParsedSearchParams.key, found.query)
    services.set(HttpLayerRouter.RouteContext.key, found.context)
    fly(flight, found.route.handler)
  }

  return {
    request,
    checkContinue: (req, res) => {
      // A body that is too long gets no leave to be sent, but an answer.
      if (!(Number(req.headers["content-length"]) > bodyLimit)) res.writeContinue()
      request(req, res)
    },
    close: () => {
      closing = true
    },
    inFlight: () => flights.size,
    abandon: Effect.suspend(() =>
      Effect.forEach(
        Array.from(flights),
        ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)),
        { discard: true }
      )
    )
  }
}
