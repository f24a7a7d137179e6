// The requests in flight: each has one fiber, one response and exactly one end.
import { HttpServerResponse, type Socket } from "@effect/platform"
import { Cause, type Context, Effect, Exit, Fiber, FiberId, type Runtime, type Tracer } from "effect"
import type * as Http from "node:http"
import type { Duplex } from "node:stream"
import type { State } from "../../../src/http/internal/RequestState.ts"
import * as Turn from "../../../src/http/internal/Turn.ts"
import { type Limits, Upgrade, UpgradeRequired } from "../../../src/http/internal/WebSocket.ts"
import type { Handled, RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { type Connection, hasUnreadBody } from "./Connections.ts"
import * as Closings from "./Closings.ts"
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
interface RoutedRequest {
  readonly req: Http.IncomingMessage
  readonly res: Http.ServerResponse
  readonly connection: Connection
  readonly expectation: Expectation | undefined
  readonly state: State
  readonly services: RequestServices
  /** When the server began with it, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  /** Whether it is a probe that is neither traced nor logged. */
  readonly isQuiet: boolean
  /** What a WebSocket handshake is made on; `undefined` for any other request. */
  readonly handshake?: { readonly connection: Duplex; readonly limits: Limits } | undefined
}

interface Entry extends RoutedRequest {
  /** Its place in the list of requests in flight. */
  slot: number
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
  /** When the head of a streamed response or of a handshake was sent; 0 for any other, and before. */
  headAt: number
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

interface InFlight<R> {
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
  // A list, and neither a set nor a map: V8 chains the tables that those outgrow, and one dead table in the old generation
  // keeps all later ones with their requests alive. A quarter of what requests allocate was promoted that way, in
  // collections of 18 to 24 ms instead of 1 to 2.
  const entries: Array<Entry> = []
  const fork = RequestRuntime.makeFork<R>(runtime)
  let closing = false

  const add = (entry: Entry): void => void (entry.slot = entries.push(entry) - 1)

  // The last one takes its place.
  const remove = ({ slot }: Entry): void => {
    const last = entries.pop()
    if (last === undefined || last.slot === slot) return
    last.slot = slot
    entries[slot] = last
  }

  const finish = (
    entry: Entry,
    exit: Exit.Exit<unknown, unknown>,
    status: number | undefined,
    failed = false,
    aborted = status === undefined
  ): void => {
    if (entry.finished) return
    entry.finished = true
    remove(entry)
    // The scope's exit tells its finalizers whether the response was sent.
    const finalizers = entry.services.close(status === undefined ? unsent : exit)
    if (finalizers !== undefined) fork(entry.services, finalizers)
    if (entry.upgraded) announceClosed(entry, exit, failed)
    else announce(entry, status, failed, aborted)
  }

  const handledOf = (entry: Entry, status: number | undefined, failed: boolean, aborted: boolean): Handled => {
    const { account, id, method, route, trace } = entry.state
    const { headAt, startedAt } = entry
    const now = performance.now()
    return {
      id,
      at: startedAt,
      method,
      route,
      status,
      aborted,
      failed,
      duration: ((headAt === 0 ? now : headAt) - startedAt) / 1000,
      lasted: headAt === 0 ? undefined : (now - startedAt) / 1000,
      trace: trace?.traceId,
      sampled: entry.span?.sampled === true,
      account,
      isQuiet: entry.isQuiet
    }
  }

  const announce = (entry: Entry, status: number | undefined, failed: boolean, aborted: boolean): void => {
    if (spans !== undefined && entry.span !== undefined) spans.end(entry.span, entry.state, { status, failed })
    if (entry.announced) events.handled(handledOf(entry, status, failed, aborted))
  }

  const announceClosed = (entry: Entry, exit: Exit.Exit<unknown, unknown>, failed: boolean): void => {
    if (spans !== undefined && entry.span !== undefined) spans.socket(entry.span, entry, exit)
    if (entry.announced) events.closed(handledOf(entry, 101, failed, false))
  }

  const fail = (entry: Entry, cause: Cause.Cause<unknown>): void => {
    const { res, services } = entry
    if (entry.upgraded) {
      const isInterrupted = Cause.isInterruptedOnly(cause)
      if (!isInterrupted) fork(services, app.late(cause))
      return finish(entry, Exit.failCause(cause), 101, !isInterrupted)
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
    const { state, handshake, req, res } = entry
    if (handshake === undefined || webSockets === undefined) return new UpgradeRequired()
    return webSockets.socketOf({
      ...handshake,
      req,
      state,
      head: () => app.head(state, response),
      accepted: () => {
        announce(entry, 101, false, false)
        entry.upgraded = true
        entry.headAt = performance.now()
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
    const { connection, state, expectation, req, res } = entry
    if (response.body._tag === "Raw" && response.body.body instanceof Upgrade) {
      return upgrade(entry, response, response.body.body)
    }
    const head = app.head(state, response)
    const unread = hasUnreadBody(req)
    // Without a "100 Continue" the client may send its body or not: the start of the next request is unknown.
    const tooLong = response.status === 413 || Number(req.headers["content-length"]) > bodyLimit
    const closes = closing || (unread && (tooLong || expectation?.pending === true))
    if (closes) {
      head.push("connection", "close")
      connection.last = true
    }
    if (unread) connection.discardRest(req, res, closes || !res.shouldKeepAlive)
    if (writeNow(res, state.method, response, head)) return finish(entry, Exit.void, response.status)
    const onHead = () => {
      entry.headAt = performance.now()
    }
    const writing = fork(entry.services, writeOver(res, state.method, response, head, onHead))
    entry.fiber = writing
    writing.addObserver((exit) => {
      if (entry.finished) return
      if (Exit.isFailure(exit)) fail(entry, exit.cause)
      else finish(entry, exit, response.status)
    })
  }

  const sendExit = (entry: Entry, exit: Exit.Exit<Response>): void => {
    const { finished, req, res } = entry
    // A handler that has upgraded the connection itself: what would be its response says whether it failed.
    if (entry.upgraded) {
      if (Exit.isFailure(exit)) return fail(entry, exit.cause)
      const isFailed = exit.value.status >= 500
      return finish(entry, isFailed ? Exit.die(new Error("The handler has failed.")) : exit, 101, isFailed)
    }
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
      if (entry.state.beforeResponse !== undefined) sendReady({ entry, exit })
      else responses.add({ entry, exit })
    })
  }

  const interrupt = (entry: Entry, status: number | undefined): void => {
    if (entry.finished || entry.upgraded) return
    const { fiber, res } = entry
    // A client that leaves a stream has had its response.
    const sent = status === undefined && res.headersSent ? res.statusCode : status
    finish(entry, Exit.interrupt(Fiber.id(fiber ?? Fiber.void)), sent, false, status === undefined)
    if (fiber !== undefined) fork(entry.services, Fiber.interrupt(fiber))
  }

  const closed = Closings.make((entry: Entry) => interrupt(entry, undefined))

  // Most responses are ready at once and need no listener.
  const interruptOnClose = (entry: Entry): void => {
    if (entry.finished || entry.watched) return
    entry.watched = true
    entry.res.on("close", () => {
      // The fiber of a body that was sent whole has not yet noticed it.
      if (entry.res.writableFinished && !entry.upgraded) finish(entry, Exit.void, entry.res.statusCode)
      else closed(entry)
    })
  }

  return {
    start: (request, handler) => {
      const { connection, state, expectation, handshake, isQuiet, req, res, services, startedAt } = request
      const announced = events.listening
      const entry: Entry = {
        req,
        res,
        connection,
        expectation,
        state,
        services,
        handshake,
        isQuiet,
        startedAt,
        announced,
        slot: 0,
        fiber: undefined,
        finished: false,
        watched: false,
        recovering: false,
        upgraded: false,
        headAt: 0,
        span: undefined
      }
      add(entry)
      if (spans !== undefined && !isQuiet) entry.span = spans.start(entry)
      if (announced) events.received({ id: state.id, method: state.method, at: startedAt })
      const fiber = fork(services, handler)
      sendResultOf(entry, fiber)
      if (fiber.unsafePoll() === null) interruptOnClose(entry)
    },
    together: responses.after,
    flush: responses.run,
    interrupt: (res, status) => {
      const entry = entries.find((one) => one.res === res && !one.upgraded)
      if (entry !== undefined) interrupt(entry, status)
      return entry !== undefined
    },
    socketOf: (res) => {
      const entry = entries.find((one) => one.res === res)
      return entry === undefined ? new UpgradeRequired() : socketFor(entry, HttpServerResponse.empty())
    },
    interruptAll: Effect.suspend(() =>
      Effect.forEach(
        Array.from(entries),
        ({ fiber }) => (fiber === undefined ? Effect.void : Fiber.interruptFork(fiber)),
        { discard: true }
      )
    ),
    size: () => entries.length,
    close: () => {
      closing = true
    }
  }
}
