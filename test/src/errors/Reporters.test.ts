import { describe, expect, it } from "@effect/vitest"
import { Cause, Chunk, Effect, Fiber, Layer, PubSub, Queue } from "effect"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"
import type { Throwable } from "../../../src/errors/Throwable.ts"

interface Failed {
  readonly throwable: Throwable
  readonly context: Reporters.ReportContext
}

// The bridge of docs/errors.md: every exception becomes an event of the program's own hub.
const bridge = (hub: PubSub.PubSub<Failed>) =>
  Reporters.layer((throwable, context) => PubSub.publish(hub, { throwable, context }))

describe("Reporters.layer as a bridge to an event hub", () => {
  it.scoped("publishes each exception once to every listener", () =>
    Effect.gen(function* () {
      const hub = yield* PubSub.sliding<Failed>(100)
      const [mail, pager] = [yield* PubSub.subscribe(hub), yield* PubSub.subscribe(hub)]
      const error = new Error("x")
      const program = Effect.gen(function* () {
        const { notify, settle } = yield* Reporters.Reporters
        const cause = Cause.die(error)
        yield* notify(cause, { uri: "/x" })
        yield* notify(cause, { uri: "/y" })
        yield* settle
      })
      yield* Effect.provide(program, bridge(hub).pipe(Layer.provideMerge(WorkerReporters.layer)))
      for (const listener of [mail, pager]) {
        const events = Chunk.toReadonlyArray(yield* Queue.takeAll(listener))
        expect(events.map(({ context, throwable }) => [throwable.value, context.uri])).toEqual([[error, "/x"]])
      }
    })
  )
})

type Report = readonly [message: string, context: Reporters.ReportContext]

/** Runs the program; everything that it has reported. */
const reported = <A, E>(program: Effect.Effect<A, E, Reporters.Reporters | RequestStates>) =>
  Effect.gen(function* () {
    const seen: Array<Report> = []
    const recorder = Reporters.layer((throwable, context) => void seen.push([throwable.message, context]))
    const services = Layer.merge(WorkerReporters.layer, TrustedProxies.layerWith([]))
    yield* Effect.provide(program, Layer.provideMerge(recorder, services))
    return seen
  })

const dies = Effect.zipRight(Effect.yieldNow(), Effect.die(new Error("died")))
const fails = Effect.zipRight(Effect.yieldNow(), Effect.fail(new Error("failed")))

describe("Reporters.forkDaemon", () => {
  it.effect("reports a daemon that fails or dies, and returns its fiber", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          for (const effect of [dies, fails, Effect.succeed("fine")]) {
            yield* Fiber.await(yield* Reporters.forkDaemon(effect))
          }
          expect(yield* Effect.flatMap(Reporters.forkDaemon(Effect.succeed("fine")), Fiber.join)).toBe("fine")
        })
      )
      expect(seen).toEqual([
        ["died", {}],
        ["failed", {}]
      ])
    })
  )

  it.effect("does not report an interruption", () =>
    Effect.gen(function* () {
      const interrupted = Effect.flatMap(Reporters.forkDaemon(Effect.never), Fiber.interrupt)
      expect(yield* reported(interrupted)).toEqual([])
    })
  )

  it.effect("names the request that forked it, and reports once what that request also reports", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const { open } = yield* RequestStates
          const { notify } = yield* Reporters.Reporters
          const state = open({ method: "POST", url: "/x/1", headers: {}, remoteAddress: "::1", route: "/x/:id" })
          const joined = Effect.flatMap(Reporters.forkDaemon(dies), Fiber.join)
          yield* Effect.provideService(Effect.catchAllCause(joined, notify), RequestState, state)
        })
      )
      expect(seen).toMatchObject([["died", { method: "POST", uri: "/x/:id", peer: "::1" }]])
    })
  )
})
