import { describe, expect, it } from "@effect/vitest"
import { Cause, FastCheck, FiberId } from "effect"
import * as Thrown from "../../../src/errors/internal/Thrown.ts"
import { leavesOf } from "../../../src/errors/internal/Thrown.ts"

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

describe("a thrown value", () => {
  it.prop("can be read whatever it is", [FastCheck.anything({ withNullPrototype: true })], ([value]) => {
    expect(Thrown.className(value)).toBeTypeOf("string")
    expect(Thrown.message(value)).toBeTypeOf("string")
    expect(Thrown.frames(value)).toBeInstanceOf(Array)
    expect(Thrown.isCause(value)).toBe(false)
  })

  it("can be read when it is a revoked proxy", () => {
    expect(Thrown.className(revoked())).toBe("Error")
    expect(Thrown.isCause(revoked())).toBe(false)
    expect(Thrown.fields(revoked())).toEqual([])
    expect(Thrown.members(revoked(), 3)).toEqual({ shown: [], more: 0 })
  })

  it("has its own fields, without those that are shown elsewhere and without calling a getter", () => {
    const error = Object.assign(new Error("x"), { code: "E1", cause: 1, _tag: "T" })
    Object.defineProperty(error, "token", { enumerable: true, get: () => expect.fail("called") })
    expect(Thrown.fields(error).map(([name]) => name)).toEqual(["code", "token"])
  })

  it("has at most 200 fields", () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`field${at}`, at]))
    expect(Thrown.fields(many)).toHaveLength(200)
  })

  it.prop(
    "has the first members of an aggregate and the number of the others",
    [FastCheck.nat(9), FastCheck.nat(9)],
    ([count, limit]) => {
      const error = new AggregateError(Array.from({ length: count }, (_, at) => at))
      const { more, shown } = Thrown.members(error, limit)
      expect(shown.length).toBe(Math.min(count, limit))
      expect(shown.length + more).toBe(count)
    }
  )

  it("has no members when only its field is called so", () => {
    expect(Thrown.members({ errors: [1, 2] }, 3)).toEqual({ shown: [], more: 0 })
  })
})

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
    const { found, more } = leavesOf(cause)
    const failures = [...Cause.failures(cause)].length
    const defects = [...Cause.defects(cause)].length
    expect(found.length + more).toBe(failures + defects)
    if (more === 0) expect(found.filter(({ isDefect }) => isDefect).length).toBe(defects)
  })

  it("say how each one is related to the first, in the order in which they happened", () => {
    const cause = Cause.sequential(Cause.parallel(Cause.fail("a"), Cause.die("b")), Cause.fail("c"))
    expect(leavesOf(cause).found).toMatchObject([
      { value: "a", relation: "thrown", isDefect: false },
      { value: "b", relation: "in parallel", isDefect: true },
      { value: "c", relation: "afterwards", isDefect: false }
    ])
  })

  it("are found in a cause of any depth", () => {
    let cause: Cause.Cause<unknown> = Cause.fail("first")
    for (let depth = 0; depth < 20_000; depth++) cause = Cause.sequential(cause, Cause.interrupt(FiberId.none))
    expect(leavesOf(cause).found).toMatchObject([{ value: "first" }])
  })
})
