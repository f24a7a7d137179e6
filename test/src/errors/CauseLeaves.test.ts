import { describe, expect, it } from "@effect/vitest"
import { Cause, FastCheck, FiberId } from "effect"
import * as CauseLeaves from "../../../src/errors/internal/CauseLeaves.ts"

const causes = FastCheck.letrec<{ cause: Cause.Cause<number> }>((tie) => ({
  cause: FastCheck.oneof(
    { maxDepth: 4, withCrossShrink: true },
    FastCheck.nat().map(Cause.fail),
    FastCheck.nat().map(Cause.die),
    FastCheck.constant(Cause.interrupt(FiberId.none)),
    FastCheck.tuple(tie("cause"), tie("cause")).map(([a, b]) => Cause.parallel(a, b)),
    FastCheck.tuple(tie("cause"), tie("cause")).map(([a, b]) => Cause.sequential(a, b))
  )
}))

describe("the leaves of a cause", () => {
  it.prop("are its failures and defects, and the number of those that are left out", [causes.cause], ([cause]) => {
    const { found, more } = CauseLeaves.of(cause)
    const failures = [...Cause.failures(cause)].length
    const defects = [...Cause.defects(cause)].length
    expect(found.length + more).toBe(failures + defects)
    if (more === 0) expect(found.filter(({ isDefect }) => isDefect).length).toBe(defects)
  })

  it("say how each one is related to the first, in the order in which they happened", () => {
    const cause = Cause.sequential(Cause.parallel(Cause.fail("a"), Cause.die("b")), Cause.fail("c"))
    expect(CauseLeaves.of(cause).found).toMatchObject([
      { value: "a", relation: "thrown", isDefect: false },
      { value: "b", relation: "in parallel", isDefect: true },
      { value: "c", relation: "afterwards", isDefect: false }
    ])
  })

  it("are found in a cause of any depth", () => {
    let cause: Cause.Cause<unknown> = Cause.fail("first")
    for (let depth = 0; depth < 20_000; depth++) cause = Cause.sequential(cause, Cause.interrupt(FiberId.none))
    expect(CauseLeaves.of(cause).found).toMatchObject([{ value: "first" }])
  })
})
