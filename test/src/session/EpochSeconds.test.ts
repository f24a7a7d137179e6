import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"

describe("EpochSeconds", () => {
  it.effect("rounds the clock down to whole seconds", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_999)
      expect(yield* EpochSeconds.seconds).toBe(1)
      expect(yield* EpochSeconds.use((now) => Effect.succeed(now + 1))).toBe(2)
    })
  )
})
