// What the HTTP edge tells about each request: it was received, it was handled. Free until someone listens.
import { Context, Effect, Layer, Runtime } from "effect"
import type { Scope } from "effect"

/** A request has come. */
export interface Received {
  /** May come from the client, so two requests can carry the same one. */
  readonly id: string
  readonly method: string
  /** Monotonic milliseconds. */
  readonly at: number
}

/** A request has ended, with an answer or without one. */
export interface Handled {
  readonly id: string
  /** When it was received. */
  readonly at: number
  readonly method: string
  /** The pattern of the route, never the path: a path can hold a verifier. Empty when no route answered. */
  readonly route: string
  /** Nothing when the client was gone before an answer began. */
  readonly status: number | undefined
  /** Seconds since it was received. */
  readonly duration: number
  readonly aborted: boolean
  /** The body broke after the head with this status was sent: the client has half a response. */
  readonly failed?: boolean
}

/** Who wants to hear of either; it is called synchronously, so it must be quick. */
export interface Listener {
  readonly received?: (event: Received) => void
  readonly handled?: (event: Handled) => void
}

/** Tells listeners of requests. */
export interface Service {
  /** Ask this before building an event: `if (events.listening) events.received({ … })`. */
  readonly listening: boolean
  readonly received: (event: Received) => void
  readonly handled: (event: Handled) => void
  /** Hears every event until the scope closes. A listener that throws is warned about once and harms nobody. */
  readonly listen: (listener: Listener) => Effect.Effect<void, never, Scope.Scope>
}

/** The events of this process's server as a service. */
export class RequestEvents extends Context.Tag("effect-framework/observability/RequestEvents")<
  RequestEvents,
  Service
>() {}

interface Ear {
  readonly listener: Listener
  readonly failed: (error: unknown) => void
}

/** Events of its own, without a layer. */
export const make = (): Service => {
  let ears: ReadonlyArray<Ear> = []

  const service = {
    listening: false,
    received: (event: Received): void => {
      for (const ear of ears) {
        try {
          ear.listener.received?.(event)
        } catch (error) {
          ear.failed(error)
        }
      }
    },
    handled: (event: Handled): void => {
      for (const ear of ears) {
        try {
          ear.listener.handled?.(event)
        } catch (error) {
          ear.failed(error)
        }
      }
    },
    listen: (listener: Listener) =>
      Effect.gen(function* () {
        const ear = { listener, failed: once(yield* Effect.runtime()) }
        const change = (next: ReadonlyArray<Ear>) => {
          ears = next
          service.listening = next.length > 0
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => change([...ears, ear])),
          () => Effect.sync(() => change(ears.filter((other) => other !== ear)))
        )
      })
  }
  return service
}

/** The events of a program: one for the server and all who listen. */
export const layer: Layer.Layer<RequestEvents> = Layer.sync(RequestEvents, make)

// A listener that fails on every request must not flood the log as well.
const once = (runtime: Runtime.Runtime<never>) => {
  let warned = false
  return (error: unknown): void => {
    if (warned) return
    warned = true
    Runtime.runFork(runtime)(Effect.logWarning("A request listener threw; its later failures are not repeated", error))
  }
}
