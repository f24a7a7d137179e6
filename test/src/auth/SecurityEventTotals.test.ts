import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SecurityEventTotals from "../../../src/auth/internal/SecurityEventTotals.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

it.effect("counts by event and outcome", () =>
  Effect.gen(function* () {
    yield* SecurityEventTotals.prepare
    const work = Effect.zipRight(
      SecurityEventTotals.add("SignInFailed", "failure"),
      Effect.zipRight(SecurityEventTotals.add("SignedIn", "success"), SecurityEventTotals.add("SignedIn", "success"))
    )
    expect(yield* EffectMetrics.growth("auth_events_total", work)).toEqual({
      "event=SignInFailed,outcome=failure": 1,
      "event=SignedIn,outcome=success": 2
    })
  })
)
