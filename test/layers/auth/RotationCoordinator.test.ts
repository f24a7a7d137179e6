import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, Scope } from "effect"
import * as RotationCoordinator from "../../../layers/auth/internal/RotationCoordinator.ts"
import { eventually } from "../../support/Eventually.ts"
import { requestState } from "./Stores.ts"

/** A rotation that notes what is done with it. */
const recorded = (claim: Effect.Effect<Option.Option<string>> = Effect.succeedSome("next")) => {
  const calls: Array<string> = []
  const sent: Array<number> = []
  const note = (call: string) => Effect.sync(() => void calls.push(call))
  const rotation: RotationCoordinator.Rotation<string> = {
    claim: Effect.zipRight(note("claim"), claim),
    renew: (claimed) => note(`renew ${claimed}`),
    settle: (claimed, at) => {
      sent.push(at)
      return note(`settle ${claimed}`)
    },
    rollBack: (claimed) => note(`roll back ${claimed}`)
  }
  return { calls, sent, rotation }
}

const make = (options: Partial<RotationCoordinator.Options> = {}) =>
  RotationCoordinator.make<string, string>({ hold: 0, renewal: "1 hour", ...options })

type Coordinator = Effect.Effect.Success<ReturnType<typeof make>>

/** A request with the token, up to its response: `end` sends it, or breaks it off. */
const request = (coordinator: Coordinator, rotation: RotationCoordinator.Rotation<string>) =>
  Effect.gen(function* () {
    const opened = yield* requestState()
    const scope = yield* Scope.make()
    const shared = yield* Effect.fork(Scope.extend(coordinator.share("token", opened, rotation), scope))
    yield* Effect.yieldNow()
    return {
      opened,
      shared: Fiber.join(shared),
      respond: (streamed = false) => Effect.suspend(() => opened.beforeResponse?.(streamed) ?? Effect.void),
      sent: Scope.close(scope, Exit.void),
      gone: Effect.zipRight(Scope.close(scope, Exit.interrupt(Fiber.id(shared))), Fiber.interruptFork(shared))
    }
  })

const until = (calls: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
  Effect.map(
    eventually(
      Effect.sync(() => [...calls]),
      (now) => now.length >= expected.length
    ),
    (now) => expect(now).toEqual(expected)
  )

describe("A rotation", () => {
  it.scopedLive(
    "is claimed once for all requests that come before a response is sent, and settled with the first",
    () =>
      Effect.gen(function* () {
        const coordinator = yield* make()
        const { calls, rotation, sent } = recorded()
        const requests = [yield* request(coordinator, rotation), yield* request(coordinator, rotation)] as const
        yield* requests[0].respond()
        const late = yield* request(coordinator, rotation)
        for (const { shared } of [...requests, late]) expect(yield* shared).toEqual(Option.some("next"))
        expect(coordinator.sent("token")).toBeUndefined()
        const before = performance.now()
        yield* requests[0].sent
        yield* until(calls, ["claim", "settle next"])
        for (const { sent } of [requests[1], late]) yield* sent
        expect(coordinator.sent("token")).toEqual({ claimed: "next", at: sent[0] })
        // The moment is before the response was written: a client that has read it comes later.
        expect(sent[0]).toBeLessThanOrEqual(before)
        expect(yield* (yield* request(coordinator, rotation)).shared).toEqual(Option.none())
        expect(calls).toEqual(["claim", "settle next"])
      })
  )

  it.scopedLive("is rolled back when all clients have gone before a response could be sent, and not sooner", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const { calls, rotation } = recorded()
      const [first, second] = [yield* request(coordinator, rotation), yield* request(coordinator, rotation)]
      yield* first.shared
      yield* first.gone
      yield* second.respond()
      expect(calls).toEqual(["claim"])
      yield* second.gone
      yield* until(calls, ["claim", "roll back next"])
      const third = yield* request(coordinator, rotation)
      expect(yield* third.shared).toEqual(Option.some("next"))
      expect(calls).toEqual(["claim", "roll back next", "claim"])
      yield* third.gone
    })
  )

  it.scopedLive("is settled when one response was sent, though all other clients have gone", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const { calls, rotation } = recorded()
      const [first, second] = [yield* request(coordinator, rotation), yield* request(coordinator, rotation)]
      yield* first.shared
      yield* first.gone
      yield* second.shared
      yield* second.sent
      yield* until(calls, ["claim", "settle next"])
    })
  )

  it.scopedLive("is rolled back when its clients have gone before the claim came to an end", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const ready = yield* Deferred.make<void>()
      const { calls, rotation } = recorded(Effect.zipRight(Deferred.await(ready), Effect.succeedSome("next")))
      const only = yield* request(coordinator, rotation)
      yield* only.gone
      yield* Deferred.succeed(ready, undefined)
      yield* until(calls, ["claim", "roll back next"])
    })
  )

  it.scopedLive("that cannot be claimed leaves nothing to settle, and the next request tries again", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const { calls, rotation } = recorded(Effect.succeedNone)
      const first = yield* request(coordinator, rotation)
      expect(yield* first.shared).toEqual(Option.none())
      yield* first.sent
      expect(yield* (yield* request(coordinator, rotation)).shared).toEqual(Option.none())
      expect(calls).toEqual(["claim", "claim"])
    })
  )

  it.scopedLive("whose claim breaks breaks every request that waits for it, and is tried again", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const { calls, rotation } = recorded(Effect.die("broken"))
      for (const attempt of [1, 2]) {
        const exit = yield* Effect.exit((yield* request(coordinator, rotation)).shared)
        expect(Exit.isFailure(exit)).toBe(true)
        expect(calls).toHaveLength(attempt)
      }
    })
  )

  it.scopedLive("of a streamed response is sent with its first byte", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const { calls, rotation } = recorded()
      const only = yield* request(coordinator, rotation)
      yield* only.shared
      yield* only.respond(true)
      yield* until(calls, ["claim", "settle next"])
    })
  )

  it.scopedLive("is held for those that come with it, from the arrival of the first", () =>
    Effect.gen(function* () {
      const hold = 60
      const coordinator = yield* make({ hold })
      const { rotation } = recorded()
      const [first, second] = [yield* request(coordinator, rotation), yield* request(coordinator, rotation)]
      yield* first.shared
      yield* Effect.all([first.respond(), second.shared], { concurrency: 2 })
      // A timer may be a millisecond early.
      expect(performance.now() - first.opened.arrived).toBeGreaterThanOrEqual(hold - 1)
      yield* Effect.all([first.sent, second.sent])
    })
  )

  it.scopedLive("is renewed for as long as its response is being made", () =>
    Effect.gen(function* () {
      const coordinator = yield* make({ renewal: "1 millis" })
      const { calls, rotation } = recorded()
      const only = yield* request(coordinator, rotation)
      yield* only.shared
      yield* eventually(
        Effect.sync(() => calls.length),
        (count) => count > 3
      )
      yield* only.sent
      yield* eventually(
        Effect.sync(() => calls.at(-1)),
        (last) => last === "settle next"
      )
      expect(new Set(calls)).toEqual(new Set(["claim", "renew next", "settle next"]))
    })
  )

  it.live("that was sent is settled before its process ends", () =>
    Effect.gen(function* () {
      const program = yield* Scope.make()
      const coordinator = yield* Scope.extend(make(), program)
      const { calls, rotation } = recorded()
      const only = yield* request(coordinator, rotation)
      yield* only.shared
      yield* only.sent
      yield* Scope.close(program, Exit.void)
      expect(calls).toEqual(["claim", "settle next"])
    })
  )
})

describe("A race for the same token", () => {
  it.scoped("has one winner, and None for requests that arrived while it was decided", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      let runs = 0
      const work = Effect.sync(() => Option.some(++runs))
      const attempts = Array.from({ length: 20 }, () => coordinator.exclusive("token", work))
      const outcomes = yield* Effect.all(attempts, { concurrency: "unbounded" })
      expect(outcomes.filter(Option.isSome)).toEqual([Option.some(1)])
      expect(yield* coordinator.exclusive("token", work)).toEqual(Option.some(2))
    })
  )

  it.scoped("fails for all when it fails for one, and is open again when the one in front is interrupted", () =>
    Effect.gen(function* () {
      const coordinator = yield* make()
      const failing = Array.from({ length: 3 }, () => Effect.flip(coordinator.exclusive("token", Effect.fail("theft"))))
      expect(yield* Effect.all(failing, { concurrency: "unbounded" })).toEqual(["theft", "theft", "theft"])
      const first = yield* Effect.fork(coordinator.exclusive("token", Effect.never))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(coordinator.exclusive("token", Effect.succeedSome("won")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      expect(yield* Fiber.join(second)).toEqual(Option.none())
      expect(yield* coordinator.exclusive("token", Effect.succeedSome("won"))).toEqual(Option.some("won"))
    })
  )
})
