// Events of the HTTP server for each request: received, handled. They cost nothing until something listens.
import { Context, Effect, FiberSet, Layer } from "effect"
import type { Scope } from "effect"
import type { Handled, Listener, Received } from "./internal/RequestEvent.ts"

export type { Handled } from "./internal/RequestEvent.ts"

/** The events of this process's server as a service. */
export class RequestEvents extends Context.Tag("effect-framework/observability/RequestEvents")<
  RequestEvents,
  {
    /** Whether anything listens. Check it before building an event: `if (events.listening) events.received({ … })`. */
    readonly listening: boolean
    readonly received: (event: Received) => void
    readonly handled: (event: Handled) => void
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
