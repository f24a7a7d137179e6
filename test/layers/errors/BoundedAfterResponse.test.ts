import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Queue, Scope, TestClock } from "effect"
import * as BoundedAfterResponse from "../../../layers/errors/BoundedAfterResponse.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { type ReportContext, Reporters } from "../../../src/errors/Reporters.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Serving from "../../support/Serving.ts"

class Reports extends Context.Tag("test/Reports")<
  Reports,
  Queue.Queue<readonly [Cause.Cause<unknown>, ReportContext | undefined]>
>() {}

const reporters = Layer.effect(
  Reporters,
  Effect.map(Reports, (queue) => ({
    add: () => Effect.void,
    notify: (cause: Cause.Cause<unknown>, facts?: ReportContext) => Effect.asVoid(Queue.offer(queue, [cause, facts])),
    settle: Effect.void
  }))
).pipe(Layer.provideMerge(Layer.effect(Reports, Queue.unbounded())))

const states = TrustedProxies.layerWith([])

/** A request that schedules work, and whose response is sent when its scope closes. */
const request = <E, R>(work: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const afterwards = yield* AfterResponse
    const { open } = yield* RequestStates
    const facts = {
      method: "POST",
      url: "/verify/a/b",
      headers: {},
      remoteAddress: "192.0.2.1",
      route: "/verify/:s/:v"
    }
    yield* afterwards.run(work).pipe(Effect.provideService(RequestState, open(facts)))
  }).pipe(Effect.scoped)

const live = (options?: Parameters<typeof BoundedAfterResponse.layer>[0]) =>
  BoundedAfterResponse.layer(options).pipe(Layer.provideMerge(reporters), Layer.provideMerge(states))

describe("BoundedAfterResponse", () => {
  it.effect("begins the work when the request's scope closes, not before", () =>
    Effect.gen(function* () {
      const afterwards = yield* AfterResponse
      const { open } = yield* RequestStates
      const state = open({ method: "GET", url: "/", headers: {}, remoteAddress: undefined, route: "/" })
      const scope = yield* Scope.make()
      const begun = yield* Deferred.make<void>()
      yield* afterwards
        .run(Effect.asVoid(Deferred.succeed(begun, undefined)))
        .pipe(Effect.provideService(RequestState, state), Effect.provideService(Scope.Scope, scope))
      yield* Effect.yieldNow()
      expect(yield* Deferred.isDone(begun)).toBe(false)
      yield* Scope.close(scope, Exit.void)
      yield* Deferred.await(begun)
    }).pipe(Effect.provide(live()))
  )

  it.effect("begins the work of a request that was cut off too", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const cut = request(Effect.asVoid(Deferred.succeed(begun, undefined))).pipe(Effect.zipRight(Effect.interrupt))
      yield* Effect.exit(cut)
      yield* Deferred.await(begun)
    }).pipe(Effect.provide(live()))
  )

  it.effect("waits for work under way when it closes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const begun = yield* Deferred.make<void>()
      let finished = false
      const work = Effect.gen(function* () {
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(gate)
        finished = true
      })
      const closing = yield* request(work).pipe(
        Effect.zipRight(Deferred.await(begun)),
        Effect.provide(live()),
        Effect.fork
      )
      yield* Deferred.await(begun)
      expect(finished).toBe(false)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      expect(finished).toBe(true)
    })
  )

  it.effect("cuts work off that takes longer than the deadline", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      let cut = false
      const work = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Effect.sync(() => (cut = true)))
      )
      const closing = yield* request(work).pipe(
        Effect.zipRight(Deferred.await(begun)),
        Effect.provide(live({ deadline: "5 seconds" })),
        Effect.fork
      )
      yield* Deferred.await(begun)
      yield* TestClock.adjust("4 seconds")
      expect(cut).toBe(false)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(closing)
      expect(cut).toBe(true)
    })
  )

  it.effect("reports what the work fails with, under the pattern of the route", () =>
    Effect.gen(function* () {
      const reports = yield* Reports
      yield* request(Effect.fail("broken"))
      const [cause, facts] = yield* Queue.take(reports)
      expect(Cause.squash(cause)).toBe("broken")
      expect(facts).toMatchObject({ method: "POST", uri: "/verify/:s/:v", peer: "192.0.2.1" })
    }).pipe(Effect.provide(live()))
  )

  it.effect("runs so many at a time, and lets a request wait only when so many more wait", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      let running = 0
      let most = 0
      const work = Effect.acquireUseRelease(
        Effect.sync(() => (most = Math.max(most, ++running))),
        () => Deferred.await(gate),
        () => Effect.sync(() => running--)
      )
      for (let count = 0; count < 5; count++) yield* request(work)
      const sixth = yield* Effect.fork(request(work))
      for (let count = 0; count < 10; count++) yield* Effect.yieldNow()
      expect(most).toBe(2)
      expect(yield* Fiber.poll(sixth)).toMatchObject({ _tag: "None" })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(sixth)
      expect(most).toBe(2)
    }).pipe(Effect.provide(live({ concurrency: 2, queue: 3 })))
  )

  it.live("responds before the work begins, over a real server", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const done = yield* Deferred.make<void>()
      const work = Effect.zipRight(Deferred.await(gate), Deferred.succeed(done, undefined))
      const handler = Effect.gen(function* () {
        const afterwards = yield* AfterResponse
        yield* afterwards.run(Effect.asVoid(work))
        return Respond.text("sent")
      })
      const server = Serving.layer([HttpLayerRouter.route("GET", "/", handler)]).pipe(Layer.provide(live()))
      yield* Effect.gen(function* () {
        const { url } = yield* ServerAddress
        expect((yield* TestClient.make(url).get("/")).body).toBe("sent")
        expect(yield* Deferred.isDone(done)).toBe(false)
        yield* Deferred.succeed(gate, undefined)
        yield* Deferred.await(done)
      }).pipe(Effect.provide(server))
    })
  )
})
