// Events of the HTTP server for each request: received, handled. They cost nothing until something listens.
import { Context, Effect, FiberSet, Layer, type Scope } from "effect"

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
  /** Seconds from its receipt to the end of its response; to the head of one that is streamed, and of a WebSocket. */
  readonly duration: number
  /** Seconds from its receipt to the end of a response that is streamed, or of a WebSocket. */
  readonly lasted?: number | undefined
  /** The client disconnected: before the response, or while it was streamed. */
  readonly aborted: boolean
  /** The id of the trace that it belongs to. */
  readonly trace?: string | undefined
  /** Whether this trace is collected. */
  readonly sampled?: boolean
  /** The id of the signed-in account. */
  readonly account?: string | undefined
  /** A probe that is left out of the access log and of traces, unless it fails. */
  readonly isQuiet?: boolean
  /** The body failed after the headers were sent, or the handler of a WebSocket: the client has a partial response. */
  readonly failed?: boolean
}

/** Called synchronously for each event, so it must be fast. */
export interface Listener {
  readonly received?: (event: Received) => void
  readonly handled?: (event: Handled) => void
  /** A WebSocket has ended. Its handshake was handled before. */
  readonly closed?: (event: Handled) => void
}

/**
 * The events of this process's server as a service.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Counter, Observability, RequestEvents } from "effect-framework/observability"
 *
 * export const slowRequests = Layer.scopedDiscard(
 *   Effect.gen(function* () {
 *     const events = yield* RequestEvents.RequestEvents
 *     const { metrics } = yield* Observability.Observability
 *     const slow = yield* Counter.family("slow_requests_total", { help: "Longer than a second", labels: ["route"] })
 *     yield* metrics.push(slow)
 *     yield* events.listen({
 *       handled: ({ duration, route }) => {
 *         if (duration > 1) slow.with({ route }).increment()
 *       }
 *     })
 *   })
 * )
 * ```
 */
export class RequestEvents extends Context.Tag("effect-framework/observability/RequestEvents")<
  RequestEvents,
  {
    /** Whether anything listens. Check it before building an event: `if (events.listening) events.received({ … })`. */
    readonly listening: boolean
    readonly received: (event: Received) => void
    readonly handled: (event: Handled) => void
    readonly closed: (event: Handled) => void
    /** Receives every event until the scope closes. A listener that throws is logged once and affects no request. */
    readonly listen: (listener: Listener) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}

interface Subscription {
  readonly listener: Listener
  readonly failed: (error: unknown) => void
}

const make = (): Context.Tag.Service<RequestEvents> => {
  let subscriptions: ReadonlyArray<Subscription> = []

  const service = {
    listening: false,
    received: (event: Received): void => {
      for (const subscription of subscriptions) {
        try {
          subscription.listener.received?.(event)
        } catch (error) {
          subscription.failed(error)
        }
      }
    },
    closed: (event: Handled): void => {
      for (const { failed, listener } of subscriptions) {
        try {
          listener.closed?.(event)
        } catch (error) {
          failed(error)
        }
      }
    },
    handled: (event: Handled): void => {
      for (const subscription of subscriptions) {
        try {
          subscription.listener.handled?.(event)
        } catch (error) {
          subscription.failed(error)
        }
      }
    },
    listen: (listener: Listener) =>
      Effect.gen(function* () {
        const subscription = { listener, failed: once(yield* FiberSet.makeRuntime<never>()) }
        const change = (next: ReadonlyArray<Subscription>) => {
          subscriptions = next
          service.listening = next.length > 0
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => change([...subscriptions, subscription])),
          () => Effect.sync(() => change(subscriptions.filter((other) => other !== subscription)))
        )
      })
  }
  return service
}

/** The events of a program, shared by the server and all listeners. */
export const layer: Layer.Layer<RequestEvents> = Layer.sync(RequestEvents, make)

// A listener that fails on every request must not flood the log as well.
const once = (fork: (warning: Effect.Effect<void>) => unknown) => {
  let warned = false
  return (error: unknown): void => {
    if (warned) return
    warned = true
    fork(Effect.logWarning("A request listener threw; its later failures are not repeated", error))
  }
}
