import { expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as EnvironmentOverride from "../../../src/config/internal/EnvironmentName.ts"

it.effect("is taken once", () =>
  Effect.gen(function* () {
    expect(yield* EnvironmentOverride.take).toBeUndefined()
    yield* EnvironmentOverride.set("development")
    expect(yield* EnvironmentOverride.take).toBe("development")
    expect(yield* EnvironmentOverride.take).toBeUndefined()
  })
)

it.effect("is not inherited by a fiber that is forked, and comes back from one that is joined", () =>
  Effect.gen(function* () {
    yield* EnvironmentOverride.set("development")
    expect(yield* Fiber.join(yield* Effect.fork(EnvironmentOverride.take))).toBeUndefined()
    expect(yield* EnvironmentOverride.take).toBe("development")
    yield* Fiber.join(yield* Effect.fork(EnvironmentOverride.set("test")))
    expect(yield* EnvironmentOverride.take).toBe("test")
  })
)
