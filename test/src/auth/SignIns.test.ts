import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SignIns from "../../../src/auth/internal/SignIns.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

const name = "auth_sign_ins_total"

it.effect("every outcome is there with 0, and counted one by one", () =>
  Effect.gen(function* () {
    yield* SignIns.prepare
    const outcomes = Object.keys(yield* EffectMetrics.read(name)).sort()
    expect(outcomes).toEqual(
      ["factor_failure", "failure", "limited", "pending", "refused", "success", "unavailable"].map(
        (outcome) => `outcome=${outcome}`
      )
    )
    const work = Effect.all([SignIns.record("failure"), SignIns.record("success"), SignIns.record("failure")])
    expect(yield* EffectMetrics.growth(name, work)).toEqual({ "outcome=failure": 2, "outcome=success": 1 })
  })
)
