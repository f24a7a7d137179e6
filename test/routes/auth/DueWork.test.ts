import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Logger, LogLevel, Ref, Scope, TestClock } from "effect"
import * as DueWork from "../../../routes/auth/internal/DueWork.ts"

describe("work that comes due", () => {
  it.effect("is done one after the other, and counted", () =>
    Effect.gen(function* () {
      const done: Array<string> = []
      const each = (one: string) => Effect.sync(() => (one === "none" ? 0 : done.push(one) && 2))
      expect(yield* DueWork.sweep(Effect.succeed(["a", "none", "b"]), each)).toBe(4)
      expect(done).toEqual(["a", "b"])
      expect(yield* DueWork.sweep(Effect.succeed([]), each)).toBe(0)
    })
  )

  it.effect("is repeated about every ten minutes until the scope closes", () =>
    Effect.gen(function* () {
      const count = yield* Ref.make(0)
      const scope = yield* Scope.make()
      yield* Scope.extend(DueWork.repeat(Ref.updateAndGet(count, (sweeps) => sweeps + 1)), scope)
      yield* TestClock.adjust("7 minutes")
      expect(yield* Ref.get(count)).toBe(0)
      yield* TestClock.adjust("5 minutes")
      expect(yield* Ref.get(count)).toBe(1)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 hour")
      expect(yield* Ref.get(count)).toBe(1)
    })
  )

  it.effect("is tried again after a sweep that died", () =>
    Effect.gen(function* () {
      const count = yield* Ref.make(0)
      const sweep = Effect.filterOrDieMessage(
        Ref.updateAndGet(count, (sweeps) => sweeps + 1),
        (sweeps) => sweeps > 1,
        "no database"
      )
      yield* DueWork.repeat(sweep)
      yield* TestClock.adjust("13 minutes")
      yield* TestClock.adjust("13 minutes")
      expect(yield* Ref.get(count)).toBeGreaterThan(1)
    }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None))
  )
})
