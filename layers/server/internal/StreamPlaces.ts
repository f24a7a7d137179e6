// The places of open responses on a worker: event streams and WebSockets. One that never ends must not hold up the stop, nor
// fill the memory, and no account and no address may take them all.
import { Effect, Layer } from "effect"
import {
  defaultLimits,
  OpenStreams,
  StreamLimitReached,
  type StreamLimits,
  TooManyStreams
} from "../../../src/http/internal/OpenStreams.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import * as ForwardedFor from "../../../src/session/internal/ForwardedFor.ts"

/** The streams that may be open at once on a worker. */
export const defaultLimit = 1000

/** A place that was taken; it is given back once. */
type Release = () => void

/** The places, and how to end all streams. */
export interface StreamPlaces {
  readonly service: OpenStreams["Type"]
  /** A place for the stream of this request, or why there is none. */
  readonly take: (state: State, limits: StreamLimits) => Release | TooManyStreams | StreamLimitReached
  readonly stop: () => void
}

export const make = (limit: number): StreamPlaces => {
  const counts = new Map<string, number>()
  const listeners = new Set<() => void>()
  let open = 0
  let isStopping = false

  const add = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }

  const take: StreamPlaces["take"] = ({ account, clientAddress }, limits) => {
    const { perAccount = defaultLimits.perAccount, perClient = defaultLimits.perClient } = limits
    const keys: Array<readonly [key: string, most: number]> = [
      [`address ${ForwardedFor.bucket(clientAddress)}`, perClient]
    ]
    if (account !== undefined) keys.push([`account ${account}`, perAccount])
    if (keys.some(([key, most]) => (counts.get(key) ?? 0) >= most)) return new StreamLimitReached()
    if (isStopping || open >= limit) return new TooManyStreams()
    const change = (by: number): void => {
      open += by
      for (const [key] of keys) add(key, by)
    }
    change(1)
    return () => change(-1)
  }

  const entered = (state: State, limits: StreamLimits) =>
    Effect.suspend(() => {
      const taken = take(state, limits)
      return typeof taken === "function" ? Effect.succeed(taken) : Effect.die(taken)
    })

  return {
    take,
    service: {
      enter: (state, limits) => Effect.asVoid(Effect.acquireRelease(entered(state, limits), Effect.sync)),
      // `take`, at the handshake.
      enterSocket: () => Effect.void,
      onStop: (run) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => (isStopping ? run() : listeners.add(run))),
            () => Effect.sync(() => listeners.delete(run))
          )
        )
    },
    stop: () => {
      isStopping = true
      for (const run of listeners) run()
    }
  }
}

/** The places of a program on another server, which knows of none; its streams end before their services do. */
export const layer: Layer.Layer<OpenStreams> = Layer.scoped(
  OpenStreams,
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => make(defaultLimit)),
      ({ stop }) => Effect.sync(stop)
    ),
    ({ service }) => ({ ...service, enterSocket: service.enter })
  )
)
