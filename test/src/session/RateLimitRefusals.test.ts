import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as RateLimitRefusals from "../../../src/session/internal/RateLimitRefusals.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

const name = "rate_limit_refusals_total"

it.effect("refusals are counted by the name of the limit", () =>
  Effect.gen(function* () {
    const count = RateLimitRefusals.make()
    const work = Effect.all([count("login"), count("forgot"), count("login")])
    expect(yield* EffectMetrics.growth(name, work)).toEqual({ "limit=login": 2, "limit=forgot": 1 })
  })
)

it.effect("names that a program makes from input do not fill the memory", () =>
  Effect.gen(function* () {
    const count = RateLimitRefusals.make()
    const work = Effect.forEach(Array.from({ length: 1_000 }), (_, index) => count(`tenant ${index}`))
    const grown = yield* EffectMetrics.growth(name, work)
    expect(Object.keys(grown)).toHaveLength(201)
    expect(grown["limit=other"]).toBe(800)
  })
)
