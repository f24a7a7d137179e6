import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Runtime, type Scope } from "effect"
import * as DaemonReporter from "../../../layers/errors/DaemonReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as ProxyExchanges from "../../../layers/http/ProxyExchanges.ts"
import { type ReportContext, layer as recording, Reporters } from "../../../src/errors/Reporters.ts"
import { Exchange, Exchanges } from "../../../src/http/Exchange.ts"

type Report = readonly [message: string, facts: ReportContext]

/** Runs the program; everything that was reported by the time its layers have closed. */
const reported = <A, E>(program: Effect.Effect<A, E, Scope.Scope | Reporters | Exchanges>) =>
  Effect.gen(function* () {
    const seen: Array<Report> = []
    const recorder = recording((throwable, facts) => void seen.push([throwable.message, facts]))
    const layer = DaemonReporter.layer.pipe(
      Layer.provideMerge(recorder),
      Layer.provideMerge(Layer.merge(WorkerReporters.layer, ProxyExchanges.layerWith([])))
    )
    yield* Effect.provide(Effect.exit(Effect.scoped(program)), layer)
    return seen
  })

const messages = (seen: ReadonlyArray<Report>) => seen.map(([message]) => message)

const dies = Effect.zipRight(Effect.yieldNow(), Effect.die(new Error("died")))
const fails = Effect.zipRight(Effect.yieldNow(), Effect.fail(new Error("failed")))
const ended = <A, E>(fiber: Fiber.RuntimeFiber<A, E>) =>
  Effect.async<void>((resume) => {
    const look = (): void => {
      if (fiber.unsafePoll() === null) setTimeout(look, 1)
      else resume(Effect.void)
    }
    look()
  })

describe("A fiber that dies unobserved", () => {
  it.live("is reported, whichever way it was forked", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const scope = yield* Effect.scope
          const { push } = yield* Reporters
          const all = yield* Deferred.make<void>()
          let count = 0
          yield* push(() => void (++count === 5 && Deferred.unsafeDone(all, Effect.void)))
          yield* Effect.forkDaemon(dies)
          yield* Effect.forkDaemon(fails)
          yield* Effect.forkScoped(dies)
          yield* Effect.forkIn(fails, scope)
          Runtime.runFork(yield* Effect.runtime<never>(), dies)
          // Reported while the program runs, and not only when it ends.
          yield* Deferred.await(all)
        })
      )
      expect(messages(seen).sort()).toEqual(["died", "died", "died", "failed", "failed"])
    })
  )

  it.live("is reported when the program ends before the second is over", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const done = yield* Deferred.make<void>()
          yield* Effect.forkDaemon(Effect.ensuring(dies, Deferred.succeed(done, undefined)))
          yield* Deferred.await(done)
          yield* Effect.yieldNow()
          yield* Effect.sleep(1)
        })
      )
      expect(messages(seen)).toEqual(["died"])
    })
  )

  it.live("is not one that is joined, awaited, polled, interrupted, or handled by its parent", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const runtime = yield* Effect.runtime<never>()
          yield* Effect.exit(Effect.flatMap(Effect.forkDaemon(dies), Fiber.join))
          yield* Effect.flatMap(Effect.forkScoped(fails), Fiber.await)
          // Joined after it has failed.
          const late = yield* Effect.forkDaemon(dies)
          yield* ended(late)
          expect(Exit.isFailure(yield* Fiber.await(late))).toBe(true)
          yield* Effect.flatMap(Effect.forkDaemon(Effect.never), Fiber.interrupt)
          yield* Effect.exit(Effect.all([dies, fails], { concurrency: 2 }))
          yield* Effect.exit(Effect.timeout(fails, "1 minute"))
          yield* Effect.exit(Effect.raceFirst(dies, Effect.never))
          yield* Effect.exit(Effect.disconnect(dies))
          yield* Effect.promise(() => Runtime.runPromise(runtime, dies).catch(() => undefined))
          yield* Effect.async<void>((resume) => {
            Runtime.runFork(runtime, Effect.die("at once")).addObserver(() => resume(Effect.void))
          })
          // A child is its parent's affair.
          yield* ended(yield* Effect.fork(fails))
        })
      )
      expect(messages(seen)).toEqual([])
    })
  )

  it.live("is reported with the request that forked it, and once when that request has reported the same error", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const { open } = yield* Exchanges
          const { notify } = yield* Reporters
          const exchange = open({ method: "POST", url: "/x/1", headers: {}, remoteAddress: "::1", route: "/x/:id" })
          const shared = Effect.fail(new Error("shared"))
          const request = Effect.gen(function* () {
            yield* ended(yield* Effect.forkDaemon(dies))
            yield* Effect.forkDaemon(shared)
            yield* Effect.yieldNow()
            yield* Effect.catchAllCause(shared, notify)
          })
          yield* Effect.provideService(request, Exchange, exchange)
        })
      )
      expect(messages(seen).sort()).toEqual(["shared"])
    })
  )

  it.live("carries the facts of its request", () =>
    Effect.gen(function* () {
      const seen = yield* reported(
        Effect.gen(function* () {
          const { open } = yield* Exchanges
          const exchange = open({ method: "POST", url: "/x/1", headers: {}, remoteAddress: "::1", route: "/x/:id" })
          yield* Effect.provideService(Effect.forkDaemon(dies), Exchange, exchange)
          yield* Effect.sleep(1)
        })
      )
      expect(seen).toMatchObject([["died", { method: "POST", uri: "/x/:id", peer: "::1" }]])
    })
  )
})
