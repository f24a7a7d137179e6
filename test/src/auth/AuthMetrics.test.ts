import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

it.effect("counts by event and outcome", () =>
  Effect.gen(function* () {
    yield* AuthMetrics.prepareEvents
    const work = Effect.zipRight(
      AuthMetrics.recordEvent("SignInFailed", "failure"),
      Effect.zipRight(AuthMetrics.recordEvent("SignedIn", "success"), AuthMetrics.recordEvent("SignedIn", "success"))
    )
    expect(yield* EffectMetrics.growth("auth_events_total", work)).toEqual({
      "event=SignInFailed,outcome=failure": 1,
      "event=SignedIn,outcome=success": 2
    })
  })
)

const name = "auth_sign_ins_total"

it.effect("every outcome is there with 0, and counted one by one", () =>
  Effect.gen(function* () {
    yield* AuthMetrics.prepareSignIns
    const outcomes = Object.keys(yield* EffectMetrics.read(name)).sort()
    expect(outcomes).toEqual(
      ["factor_failure", "failure", "limited", "pending", "refused", "success", "unavailable"].map(
        (outcome) => `outcome=${outcome}`
      )
    )
    const work = Effect.all([
      AuthMetrics.recordSignIn("failure"),
      AuthMetrics.recordSignIn("success"),
      AuthMetrics.recordSignIn("failure")
    ])
    expect(yield* EffectMetrics.growth(name, work)).toEqual({ "outcome=failure": 2, "outcome=success": 1 })
  })
)
