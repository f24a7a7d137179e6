import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, FiberId, Layer, Ref, Scope, TestClock } from "effect"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import { type ReportContext, type Reporter, Reporters } from "../../../src/errors/Reporters.ts"
import * as ReportLimits from "../../../src/errors/internal/ReportLimits.ts"
import * as Reporters_ from "../../../src/errors/Reporters.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"

const recording = Effect.map(Ref.make<ReadonlyArray<readonly [unknown, ReportContext]>>([]), (seen) => ({
  seen: Ref.get(seen),
  reporter: ((throwable, facts) =>
    Ref.update(seen, (all) => [...all, [throwable.value, facts] as const])) satisfies Reporter
}))

const test = it.scoped

/** Runs the effect as a request of its own. */
const inRequest = <A, E, R>(effect: Effect.Effect<A, E, R>, url = "/x") =>
  Effect.gen(function* () {
    const { open } = yield* RequestStates
    const state = open({ method: "GET", url, headers: {}, remoteAddress: "::1", route: "/x" })
    return yield* Effect.provideService(effect, RequestState, state)
  }).pipe(Effect.provide(TrustedProxies.layerWith([])))

describe("WorkerReporters", () => {
  test("tells every reporter once about each throwable, with its facts", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const one = yield* recording
      const two = yield* recording
      yield* reporters.add(one.reporter)
      yield* reporters.add(two.reporter)
      const error = new Error("x")
      const facts = { method: "GET", uri: "/x", peer: "::1" }
      yield* Effect.gen(function* () {
        yield* reporters.notify(Cause.die(error), facts)
        yield* reporters.notify(Cause.fail(error), facts)
        yield* Effect.withSpan(Effect.fail(error), "span").pipe(
          Effect.catchAllCause((cause) => reporters.notify(cause))
        )
      }).pipe(inRequest)
      expect(yield* one.seen).toEqual([[error, facts]])
      expect(yield* two.seen).toEqual([[error, facts]])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("knows what no text may repeat of the request in which work failed after the response", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const known = yield* Deferred.make<ReadonlyArray<string>>()
      yield* reporters.add((_throwable, _facts, secrets) => Deferred.succeed(known, secrets()))
      yield* inRequest(Reporters_.forkDaemon(Effect.fail(new Error("0123456789 was refused"))), "/x?token=0123456789")
      expect(yield* Deferred.await(known)).toEqual(["0123456789"])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("tells of the same value again in another request", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(reporter)
      const constant: Effect.Effect<void, unknown> = Effect.fail(new Error("x"))
      const primitive: Effect.Effect<void, unknown> = Effect.fail("x")
      const handled = Effect.forEach([constant, primitive], (failing) =>
        // Two handlers in each request, the second of which sees a failure that was passed on.
        failing.pipe(
          Effect.tapErrorCause((cause) => reporters.notify(cause)),
          Effect.catchAllCause((cause) => reporters.notify(cause))
        )
      )
      yield* Effect.forEach([1, 2, 3], () => inRequest(handled))
      expect((yield* seen).map(([value]) => String(value))).toEqual(["Error: x", "x", "Error: x", "x", "Error: x", "x"])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("tells outside of a request once for each time that it failed, however many handlers see it", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(reporter)
      const failing = Effect.fail(new Error("x"))
      const watched = failing.pipe(
        Effect.tapErrorCause((cause) => reporters.notify(cause)),
        Effect.ensuring(Effect.ignore(Effect.fail("ignored"))),
        Effect.fork,
        Effect.flatMap(Fiber.join),
        Effect.catchAllCause((cause) => reporters.notify(cause))
      )
      yield* Effect.repeatN(watched, 2)
      expect(yield* seen).toHaveLength(3)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("tells every failure of a cause, and no interruption", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(reporter)
      const [a, b] = [new Error("a"), new Error("b")]
      yield* reporters.notify(
        Cause.parallel(Cause.die(a), Cause.sequential(Cause.interrupt(FiberId.none), Cause.die(b)))
      )
      expect((yield* seen).map(([value]) => value)).toEqual([a, b])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("reports a value that is not an object each time it is thrown", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(reporter)
      for (const value of ["text", "text", 1, 1, undefined, undefined, null]) yield* reporters.notify(Cause.die(value))
      expect(yield* seen).toHaveLength(7)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("tells a throwable once when many handlers see it at once", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(reporter)
      const cause = Cause.die(new Error("x"))
      const handler = Effect.zipRight(Effect.yieldNow(), reporters.notify(cause))
      yield* Effect.all(
        Array.from({ length: 50 }, () => handler),
        { concurrency: "unbounded" }
      )
      expect(yield* seen).toHaveLength(1)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("keeps a reporter that throws, fails or dies from the others and from the request", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      yield* reporters.add(() => {
        throw new Error("thrown")
      })
      yield* reporters.add(() => Effect.fail("failed"))
      yield* reporters.add(() => Effect.die("died"))
      yield* reporters.add(() => Effect.interrupt)
      yield* reporters.add(reporter)
      expect(yield* Effect.exit(reporters.notify(Cause.die(new Error("x"))))).toEqual(Exit.void)
      expect(yield* seen).toHaveLength(1)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("does not wait for a reporter that hangs, and gives it up after 5 seconds", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      const ended = yield* Deferred.make<void>()
      yield* reporters.add(() => Effect.onInterrupt(Effect.never, () => Deferred.succeed(ended, undefined)))
      yield* reporters.add(() => Effect.uninterruptible(Effect.never))
      yield* reporters.add(reporter)
      yield* reporters.notify(Cause.die(new Error("x")))
      expect(yield* seen).toHaveLength(1)
      const settling = yield* Effect.fork(reporters.settle)
      yield* TestClock.adjust(ReportLimits.timeout)
      yield* Deferred.await(ended)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(settling)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("does not wait for a reporter that hangs during shutdown, where nothing is interruptible", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(WorkerReporters.layer, scope)
      yield* Context.get(context, Reporters).add(() => Effect.void, Effect.never)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("1 minute")
      expect(Exit.isSuccess(yield* Fiber.await(closing))).toBe(true)
    }))

  test("does not report what goes wrong inside of a reporter", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const calls = yield* Ref.make(0)
      yield* reporters.add((throwable) =>
        Effect.gen(function* () {
          yield* Ref.update(calls, (count) => count + 1)
          yield* reporters.notify(Cause.die(new Error("inside", { cause: throwable.value })))
          yield* Effect.fork(reporters.notify(Cause.die(new Error("inside of a fiber"))))
        })
      )
      yield* reporters.notify(Cause.die(new Error("outside")))
      yield* reporters.settle
      expect(yield* calls).toBe(1)
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("bounds the reports under way when a reporter hangs in a storm of errors", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const gate = yield* Deferred.make<void>()
      const calls = yield* Ref.make(0)
      const hang = Effect.zipRight(
        Ref.update(calls, (count) => count + 1),
        Deferred.await(gate)
      )
      yield* reporters.add(() => hang)
      for (let index = 0; index < 3000; index++) yield* reporters.notify(Cause.die(new Error(String(index))))
      expect(yield* calls).toBe(1000)
      yield* Deferred.succeed(gate, undefined)
      yield* reporters.settle
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("forgets a reporter whose scope has ended", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const { reporter, seen } = yield* recording
      const scope = yield* Scope.make()
      yield* Scope.extend(reporters.add(reporter), scope)
      yield* Scope.close(scope, Exit.void)
      yield* reporters.notify(Cause.die(new Error("x")))
      expect(yield* seen).toEqual([])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("settles when reports are delivered and reporters have flushed", () =>
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const order: Array<string> = []
      const slow = Effect.zipRight(
        Effect.sleep("1 second"),
        Effect.sync(() => order.push("reported"))
      )
      yield* reporters.add(
        () => slow,
        Effect.sync(() => order.push("flushed"))
      )
      yield* reporters.add(() => Effect.void, Effect.die("a flush that fails"))
      yield* reporters.notify(Cause.die("x"))
      const settling = yield* Effect.fork(reporters.settle)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(settling)
      expect(order).toEqual(["reported", "flushed"])
    }).pipe(Effect.provide(WorkerReporters.layer)))

  test("takes a reporter as a layer", () =>
    Effect.gen(function* () {
      const { reporter, seen } = yield* recording
      const program = Effect.flatMap(Reporters, (reporters) => reporters.notify(Cause.die("x")))
      yield* Effect.provide(program, Reporters_.layer(reporter)).pipe(Effect.provide(WorkerReporters.layer))
      expect(yield* seen).toHaveLength(1)
    }))
})
