// The requests in flight: each has one fiber, one response and exactly one end.
import { HttpServerResponse, type Socket } from "@effect/platform"
import { Cause, type Context, Effect, Exit, Fiber, FiberId, type Runtime, type Tracer } from "effect"
import type * as Http from "node:http"
import type { Duplex } from "node:stream"
import type { State } from "../../../src/http/internal/RequestState.ts"
import * as Turn from "../../../src/http/internal/Turn.ts"
import { type Limits, Upgrade, UpgradeRequired } from "../../../src/http/internal/WebSocket.ts"
import type { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { type Connection, hasUnreadBody } from "./Connections.ts"
import type { Expectation } from "./EdgeRequest.ts"
import { writeNow, writeOver } from "./EdgeResponse.ts"
import type { HttpApp } from "./HttpApp.ts"
import * as Refusal from "./Refusal.ts"
import * as RequestRuntime from "./RequestRuntime.ts"
import type { RequestServices } from "../../../src/http/internal/RequestServices.ts"
import type { RequestSpans } from "./RequestSpans.ts"
import type { WebSockets } from "./WebSockets.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A request whose route is known. */
export interface RoutedRequest {
  readonly req: Http.IncomingMessage
  readonly res: Http.ServerResponse
  readonly connection: Connection
  readonly expectation: Expectation | undefined
  readonly exchange: State
  readonly services: RequestServices
  /** When the server began with it, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  /** What a WebSocket handshake is made on; `undefined` for any other request. */
  readonly handshake?: { readonly connection: Duplex; readonly limits: Limits } | undefined
}

interface Entry extends RoutedRequest {
  /** Whether the request events were told of the start. */
  readonly announced: boolean
  fiber: Fiber.RuntimeFiber<unknown, never> | undefined
  finished: boolean
  /** Whether it is interrupted when its client goes away. */
  watched: boolean
  /** A second response is being made, because the first one could not be sent. */
  recovering: boolean
  /** Its connection is a WebSocket: it has had its response, and the handler goes on. */
  upgraded: boolean
  span: Tracer.Span | undefined
}

/** A request whose handler has returned. */
interface Ready {
  readonly entry: Entry
  readonly exit: Exit.Exit<Response>
}

interface Options<R> {
  readonly app: HttpApp<R>
  readonly runtime: Runtime.Runtime<never>
  readonly events: Context.Tag.Service<RequestEvents>
  readonly bodyLimit: number
  readonly spans: RequestSpans | undefined
  /** `undefined` where no route has WebSockets. */
  readonly webSockets: WebSockets | undefined
}

export interface InFlight<R> {
  /** Runs the handler and sends its response. */
  readonly start: (request: RoutedRequest, handler: Effect.Effect<Response, never, R>) => void
  /** Runs this function; the responses that are ready by then are sent when it has returned. */
  readonly together: (run: () => void) => void
  /** Sends at once the responses that are ready. */
  readonly flush: () => void
  /** Interrupts the request of this response, which the caller refuses with the status; returns whether there was one. */
  readonly interrupt: (res: Http.ServerResponse, status: number) => boolean
  /** The socket of the handshake whose response this is; a failure for any other request. */
  readonly socketOf: (res: Http.ServerResponse) => Effect.Effect<Socket.Socket, UpgradeRequired>
  readonly interruptAll: Effect.Effect<void>
  readonly size: () => number
  /** From now on every response closes its connection. */
  readonly close: () => void
}

const unsent = Exit.interrupt(FiberId.none)

export const makeInFlight = <R>({ app, bodyLimit, events, runtime, spans, webSockets }: Options<R>): InFlight<R> => {
  const entries = new Set<Entry>()
  const fork = RequestRuntime.makeFork<R>(runtime)
  let closing = false

  const finish = (
    entry: Entry,
    exit: Exit.Exit<unknown, unknown>,
    status: number | undefined,
    failed = false
  ): void => {
    if (entry.finished) return
    entry.finished = true
    entries.delete(entry)
    // The scope's exit tells its finalizers whether the response was sent.
    const finalizers = entry.services.close(status === undefined ? unsent : exit)
    if (finalizers !== undefined) fork(entry.services, finalizers)
    if (!entry.upgraded) announce(entry, status, failed)
  }

  const announce = (entry: Entry, status: number | undefined, failed: boolean): void => {
    if (spans !== undefined && entry.span !== undefined) spans.end(entry.span, entry.exchange, { status, failed })
    if (!entry.announced) return
    const { account, id, method, route, trace } = entry.exchange
    const duration = (performance.now() - entry.startedAt) / 1000
    events.handled({
      id,
      at: entry.startedAt,
      method,
      route,
      status,
      aborted: status === undefined,
      failed,
      duration,
      trace: trace?.traceId,
      sampled: entry.span?.sampled === true,
      account
    })
  }

  const fail = (entry: Entry, cause: Cause.Cause<unknown>): void => {
    const { res, services } = entry
    if (entry.upgraded) {
      if (!Cause.isInterruptedOnly(cause)) fork(services, app.late(cause))
      return finish(entry, Exit.failCause(cause), 101, true)
    }
    if (res.headersSent) {
      if (!Cause.isInterruptedOnly(cause)) fork(services, app.late(cause))
      // The client has half a response: only a broken connection tells it so.
      res.destroy()
      return finish(entry, Exit.failCause(cause), res.statusCode, true)
    }
    // Node keeps the reason phrase of a head that it refused to send.
    res.statusMessage = ""
    if (!entry.recovering) {
      entry.recovering = true
      return sendResultOf(entry, fork(services, app.failed(cause)))
    }
    if (!Cause.isInterruptedOnly(cause)) fork(services, app.late(cause))
    Refusal.refuse(entry, 500)
    finish(entry, Exit.failCause(cause), 500)
  }

  const socketFor = (entry: Entry, response: Response): Effect.Effect<Socket.Socket, UpgradeRequired> => {
    const { exchange, handshake, req, res } = entry
    if (handshake === undefined || webSockets === undefined) return new UpgradeRequired()
    return webSockets.socketOf({
      ...handshake,
      req,
      exchange,
      head: () => app.head(exchange, response),
      accepted: () => {
        announce(entry, 101, false)
        entry.upgraded = true
        res.detachSocket(req.socket)
        res.emit("close")
      }
    })
  }

  const upgrade = (entry: Entry, response: Response, { run }: Upgrade<Socket.Socket>): void => {
    const running = fork(entry.services, Effect.orDie(Effect.flatMap(socketFor(entry, response), run)))
    entry.fiber = running
    running.addObserver((exit) => {
      if (entry.finished) return
      if (Exit.isFailure(exit)) fail(entry, exit.cause)
      else if (entry.upgraded) finish(entry, exit, 101)
      else fail(entry, Cause.die(new Error("The handler of a WebSocket has ended without running it.")))
    })
  }

  const send = (entry: Entry, response: Response): void => {
    const { connection, exchange, expectation, req, res } = entry
    if (response.body._tag === "Raw" && response.body.body instanceof Upgrade) {
      return upgrade(entry, response, response.body.body)
    }
    const head = app.head(exchange, response)
    const unread = hasUnreadBody(req)
    // Without a "100 Continue" the client may send its body or not: the start of the next request is unknown.
    const tooLong = response.status === 413 || Number(req.headers["content-length"]) > bodyLimit
    const closes = closing || (unread && (tooLong || expectation?.pending === true))
    if (closes) {
      head.push("connection", "close")
      connection.last = true
    }
    if (unread) connection.discardRest(req, res, closes || !res.shouldKeepAlive)
    if (writeNow(res, exchange.method, response, head)) return finish(entry, Exit.void, response.status)
    const writing = fork(entry.services, writeOver(res, exchange.method, response, head))
    entry.fiber = writing
    writing.addObserver((exit) => {
      if (entry.finished) return
      if (Exit.isFailure(exit)) fail(entry, exit.cause)
      else finish(entry, exit, response.status)
    })
  }

  const sendExit = (entry: Entry, exit: Exit.Exit<Response>): void => {
    const { finished, req, res } = entry
    if (entry.upgraded) return Exit.isFailure(exit) ? fail(entry, exit.cause) : finish(entry, exit, 101)
    // A body that breaks off fails its reader before the response is closed: no client waits for that response.
    if (finished || res.destroyed || req.socket.destroyed) return finish(entry, exit, undefined)
    try {
      if (Exit.isFailure(exit)) fail(entry, exit.cause)
      else send(entry, exit.value)
    } catch (thrown) {
      // Node refuses a header with a line break in it: a failed response is better than a split one.
      fail(entry, Cause.die(thrown))
    }
  }

  const sendReady = ({ entry, exit }: Ready): void => {
    sendExit(entry, exit)
    interruptOnClose(entry)
  }

  const responses = Turn.make(sendReady)

  const sendResultOf = (entry: Entry, fiber: Fiber.RuntimeFiber<Response, never>): void => {
    entry.fiber = fiber
    fiber.addObserver((exit) => {
      // A response that was held back goes out at the moment that its step has noted.
      if (entry.exchange.beforeResponse !== undefined) sendReady({ entry, exit })
      else responses.add({ entry, exit })
    })
  }

  const interrupt = (entry: Entry, status: number | undefined): void => {
    if (entry.finished || entry.upgraded) return
    const { fiber } = entry
    finish(entry, Exit.interrupt(Fiber.id(fiber ?? Fiber.void)), status)
    if (fiber !== undefined) fork(entry.services, Fiber.interrupt(fiber))
  }

  // Most responses are ready at once and need no listener.
  const interruptOnClose = (entry: Entry): void => {
    if (entry.finished || entry.watched) return
    entry.watched = true
    entry.res.on("close", () => interrupt(entry, undefined))
  }

  return {
    start: (request, handler) => {
      const { connection, exchange, expectation, handshake, req, res, services, startedAt } = request
      const announced = events.listening
      const entry: Entry = {
        req,
        res,
        connection,
        expectation,
        exchange,
        services,
        handshake,
        startedAt,
        announced,
        fiber: undefined,
        finished: false,
        watched: false,
        recovering: false,
        upgraded: false,
        span: undefined
      }
      entries.add(entry)
      if (spans !== undefined) entry.span = spans.start(entry)
      if (announced) events.received({ id: exchange.id, method: exchange.method, at: startedAt })
      const fiber = fork(services, handler)
      sendResultOf(entry, fiber)
      if (fiber.unsafePoll() === null) interruptOnClose(entry)
    },
    together: responses.after,
    flush: responses.run,
    interrupt: (res, status) => {
      for (const entry of entries) {
        if (entry.res !== res || entry.upgraded) continue
        interrupt(entry, status)
        return true
      }
      return false
    },
    socketOf: (res) => {
      for (const entry of entries) if (entry.res === res) return socketFor(entry, HttpServerResponse.empty())
      return new UpgradeRequired()
    },
    interruptAll: Effect.suspend(() =>
      Effect.forEach(
        Array.from(entries),
        ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)),
        { discard: true }
      )
    ),
    size: () => entries.size,
    close: () => {
      closing = true
    }
  }
}
