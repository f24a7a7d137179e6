import { describe, expect, it } from "@effect/vitest"
import { Cause, Clock, Context, Data, Deferred, Effect, Exit, Fiber, FiberRef, Option, TestClock } from "effect"
import * as CurrentServices from "../../../src/http/CurrentServices.ts"
import * as InPlace from "../../../src/http/InPlace.ts"

class Tea extends Context.Tag("test/Tea")<Tea, string>() {}

const tea = CurrentServices.read((services: Context.Context<Tea>) => Context.get(services, Tea))

/** How many steps of the interpreter an effect takes. */
const stepsOf = (effect: Effect.Effect<unknown>): number => {
  let steps = 0
  const counting = {
    shouldYield: () => {
      steps++
      return false as const
    },
    scheduleTask: (task: () => void) => queueMicrotask(task)
  }
  Effect.runSync(Effect.withScheduler(effect, counting))
  return steps
}

/** Each of these as an effect that runs in place, and as one that does not. */
const kinds = <A>(value: () => A) => ({ "in place": InPlace.sync(value), "by the interpreter": Effect.sync(value) })

describe("InPlace", () => {
  for (const [name, two] of Object.entries(kinds(() => 2))) {
    it.effect(`combines what runs ${name}`, () =>
      Effect.gen(function* () {
        const sum = InPlace.fn(function* (one: number) {
          const first = yield* two
          return one + first + (yield* two)
        })
        expect(yield* InPlace.map(two, (value) => value + 1)).toBe(3)
        expect(yield* InPlace.flatMap(two, (value) => Effect.succeed(value * 2))).toBe(4)
        expect(yield* InPlace.orDie(two)).toBe(2)
        expect(yield* InPlace.catchAll(two, () => Effect.succeed(0))).toBe(2)
        expect(yield* InPlace.catchAllCause(two, () => Effect.succeed(0))).toBe(2)
        expect(yield* InPlace.timeoutOption(two, "1 second")).toEqual(Option.some(2))
        expect(yield* sum(1)).toBe(5)
        expect(
          yield* InPlace.gen(() =>
            (function* () {
              return yield* sum(2)
            })()
          )
        ).toBe(6)
      })
    )
  }

  it("takes as many steps for many effects as for one", () => {
    const one = InPlace.sync(() => 1)
    const many = InPlace.gen(function* () {
      let sum = 0
      for (let index = 0; index < 100; index++) sum += yield* InPlace.map(one, (value) => value)
      return sum
    })
    expect(stepsOf(many)).toBe(stepsOf(one))
    expect(
      stepsOf(
        Effect.gen(function* () {
          for (let index = 0; index < 100; index++) yield* Effect.sync(() => 1)
        })
      )
    ).toBeGreaterThan(100)
  })

  it.effect("computes nothing before it runs, and all of it each time", () =>
    Effect.gen(function* () {
      let count = 0
      const next = InPlace.sync(() => ++count)
      const twice = InPlace.gen(function* () {
        return [yield* next, yield* next]
      })
      expect(count).toBe(0)
      expect(yield* twice).toEqual([1, 2])
      expect(yield* twice).toEqual([3, 4])
    })
  )

  it.effect("ends with the first failure, and runs nothing behind it", () =>
    Effect.gen(function* () {
      let reached = false
      const failing: ReadonlyArray<Effect.Effect<number, string>> = [
        Effect.fail("no"),
        InPlace.make(() => Effect.fail("no")),
        Effect.flatMap(Effect.yieldNow(), () => Effect.fail("no"))
      ]
      for (const failure of failing) {
        const after = InPlace.gen(function* () {
          yield* failure
          reached = true
        })
        expect(yield* Effect.flip(after)).toBe("no")
        expect(yield* Effect.flip(InPlace.map(failure, () => (reached = true)))).toBe("no")
        expect(yield* Effect.flip(InPlace.flatMap(failure, () => Effect.sync(() => (reached = true))))).toBe("no")
        expect(yield* InPlace.catchAll(failure, (error) => Effect.succeed(`${error}, but`))).toBe("no, but")
        expect(yield* InPlace.catchAllCause(failure, (cause) => Effect.succeed(Cause.squash(cause)))).toBe("no")
        expect(yield* Effect.flip(InPlace.timeoutOption(failure, "1 second"))).toBe("no")
        const died = yield* Effect.exit(InPlace.orDie(failure))
        expect(Exit.isFailure(died) && Cause.isDie(died.cause)).toBe(true)
      }
      expect(reached).toBe(false)
    })
  )

  it.effect("dies with what a function throws", () =>
    Effect.gen(function* () {
      const fail = (): never => {
        throw new Error("broken")
      }
      const broken = InPlace.gen(function* () {
        try {
          return yield* InPlace.sync(fail)
        } catch {
          return "a defect is no exception of the body"
        }
      })
      const effects: ReadonlyArray<Effect.Effect<unknown>> = [
        broken,
        InPlace.sync(fail),
        InPlace.map(Effect.void, fail),
        InPlace.flatMap(broken, (): Effect.Effect<never> => fail()),
        InPlace.timeoutOption(broken, "1 second"),
        InPlace.catchAllCause(broken, fail)
      ]
      for (const effect of effects) {
        const exit = yield* Effect.exit(effect)
        expect(Exit.isFailure(exit) && Cause.isDie(exit.cause)).toBe(true)
        const caught = InPlace.catchAllCause(effect, (cause) => Effect.succeed(Cause.isDie(cause)))
        expect(yield* caught).toBe(true)
      }
    })
  )

  it.effect("catches a thrown value that cannot be inspected", () =>
    Effect.gen(function* () {
      const { proxy, revoke } = Proxy.revocable(new Error("gone"), {})
      revoke()
      const broken = InPlace.sync((): never => {
        throw proxy
      })
      expect(yield* InPlace.catchAllCause(broken, () => Effect.succeed("caught"))).toBe("caught")
    })
  )

  it.effect("takes an error with the tag of a failed exit for an error", () =>
    Effect.gen(function* () {
      class Failure extends Data.TaggedError("Failure") {}
      const yielded = InPlace.gen(function* () {
        yield* new Failure()
      })
      for (const effect of [yielded, InPlace.map(new Failure(), () => 1), InPlace.orDie(new Failure())]) {
        const exit = yield* Effect.exit(effect)
        expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toBeInstanceOf(Failure)
      }
    })
  )

  it.effect("goes on in the fiber that a timeout has started", () =>
    Effect.gen(function* () {
      const ref = FiberRef.unsafeMake(0)
      const body = InPlace.gen(function* () {
        yield* Effect.yieldNow()
        yield* FiberRef.set(ref, 1)
        return yield* InPlace.make((fiber) => Effect.succeed(fiber.getFiberRef(ref)))
      })
      expect(yield* InPlace.timeoutOption(body, "1 second")).toEqual(Option.some(1))
    })
  )

  it.effect("reads the services and the time of the fiber that runs it", () =>
    Effect.gen(function* () {
      const both = InPlace.gen(function* () {
        const outer = yield* tea
        const inner = yield* Effect.provideService(tea, Tea, "black")
        return [outer, inner, yield* tea]
      })
      expect(yield* Effect.provideService(both, Tea, "green")).toEqual(["green", "black", "green"])
      yield* TestClock.adjust("3 seconds")
      expect(yield* InPlace.currentTimeMillis).toBe(yield* Clock.currentTimeMillis)
    })
  )

  it.effect("times out an effect that takes time, and needs no timer for one that does not", () =>
    Effect.gen(function* () {
      const waiting = yield* Effect.fork(InPlace.timeoutOption(Effect.never, "1 second"))
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(waiting)).toEqual(Option.none())
      const one = InPlace.sync(() => 1)
      expect(stepsOf(InPlace.timeoutOption(one, "1 second"))).toBe(stepsOf(one))
    })
  )

  it.effect("waits for an effect that takes time, and can be interrupted there", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<number>()
      const waiting = InPlace.gen(function* () {
        const value = yield* Deferred.await(gate)
        return value + (yield* InPlace.sync(() => 1))
      })
      const interrupted = yield* Effect.fork(waiting)
      const finished = yield* Effect.fork(waiting)
      yield* Effect.yieldNow()
      expect(Exit.isInterrupted(yield* Fiber.interrupt(interrupted))).toBe(true)
      yield* Deferred.succeed(gate, 1)
      expect(yield* Fiber.join(finished)).toBe(2)
    })
  )
})
