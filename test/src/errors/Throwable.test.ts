import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, FiberId } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Preview from "../../../src/errors/internal/Preview.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Throwables from "../../support/Throwables.ts"

const causeOf = <A, E>(effect: Effect.Effect<A, E>): Cause.Cause<E> => {
  const exit = Effect.runSyncExit(effect)
  return Exit.isFailure(exit) ? exit.cause : Cause.empty
}

const here = "test/src/errors/Throwable.test.ts"

describe("Throwable", () => {
  it.each(Throwables.all().map(([name]) => name))("shows %s", (name) => {
    const value = Throwables.all().find(([other]) => other === name)?.[1]
    for (const throwable of [
      CauseThrowables.from(value),
      CauseThrowables.from(Cause.fail(value)),
      CauseThrowables.from(Cause.die(value))
    ]) {
      expect(throwable.class).toBeTypeOf("string")
      expect(throwable.class.length).toBeLessThanOrEqual(120)
      expect(throwable.message).toBeTypeOf("string")
      expect(throwable.frames.length).toBeLessThanOrEqual(32)
      expect(throwable.chain.length).toBeLessThanOrEqual(5)
      for (const [field, given] of throwable.fields) expect(Preview.named(field, given).length).toBeLessThanOrEqual(80)
    }
  })

  it.each([
    [new Error("x"), "Error"],
    [new TypeError("x"), "TypeError"],
    [new (class Mine extends RangeError {})("x"), "Mine"],
    [Object.assign(new Error("x"), { name: "Named" }), "Named"],
    [new Throwables.Lost({ id: 1, apiKey: "k" }), "Lost"],
    [{ _tag: "Tagged" }, "Tagged"],
    [{}, "Object"],
    [Object.create(null), "Error"],
    ["text", "string"],
    [42, "number"],
    [10n, "bigint"],
    [null, "null"],
    [undefined, "undefined"],
    [() => 1, "function"]
  ])("names the class of %o", (value, expected) => {
    expect(CauseThrowables.from(value).class).toBe(expected)
  })

  it("finds the real line of TypeScript", () => {
    const error = new Error("here")
    const [frame] = CauseThrowables.from(error).frames
    expect(frame?.file.endsWith(here)).toBe(true)
    const lines = readFileSync(fileURLToPath(import.meta.url), "utf8").split("\n")
    expect(frame?.line).toBe(lines.findIndex((line) => line.includes('new Error("here")')) + 1)
  })

  it("shows spans as spans, nearest first, with their attributes", () => {
    const inner = Effect.fn("inner")(function* (id: number) {
      yield* Effect.annotateCurrentSpan({ id })
      return yield* new Throwables.Lost({ id, apiKey: "k" })
    })
    const throwable = CauseThrowables.from(
      causeOf(inner(7).pipe(Effect.withSpan("outer", { attributes: { token: "t" } })))
    )
    expect(throwable.value).toBeInstanceOf(Throwables.Lost)
    expect(throwable.spans.map(({ name }) => name)).toEqual(["inner", "outer"])
    expect(throwable.spans.map(({ attributes }) => attributes)).toEqual([[["id", 7]], [["token", "t"]]])
    const spans = throwable.frames.filter(({ kind }) => kind === "span")
    expect(new Set(spans.map(({ call }) => call))).toEqual(new Set(["inner", "outer"]))
    expect(spans.map(({ file }) => file)).toEqual(spans.map(() => expect.stringContaining(here)))
    expect(throwable.fields).toEqual([
      ["id", 7],
      ["apiKey", "k"]
    ])
  })

  it("is the same value under every span", () => {
    const error = new Error("one")
    const under = (name: string) => CauseThrowables.from(causeOf(Effect.withSpan(Effect.fail(error), name))).value
    expect(under("a")).toBe(error)
    expect(under("b")).toBe(error)
  })

  it("walks causes, then failures in parallel and afterwards", () => {
    const root = new Error("root")
    const cause = Cause.sequential(
      Cause.parallel(Cause.fail(new Error("first", { cause: root })), Cause.die("second")),
      Cause.die(new Error("third"))
    )
    const throwable = CauseThrowables.from(cause)
    expect(throwable.message).toBe("first")
    expect(throwable.chain.map(({ message, relation }) => [relation, message])).toEqual([
      ["caused by", "root"],
      ["in parallel", "second"],
      ["afterwards", "third"]
    ])
    expect(CauseThrowables.all(cause).map(({ message }) => message)).toEqual(["first", "second", "third"])
  })

  it("shows the members of an aggregate", () => {
    const { chain } = CauseThrowables.from(new AggregateError([new Error("one"), "two"], "many"))
    expect(chain.map(({ message, relation }) => [relation, message])).toEqual([
      ["one of", "one"],
      ["one of", "two"]
    ])
  })

  it("walks a ring of causes once", () => {
    const first = new Error("first")
    const second = new Error("second", { cause: first })
    first.cause = second
    expect(CauseThrowables.from(first).chain.map(({ message }) => message)).toEqual(["second"])
  })

  it("walks a cause of any depth", () => {
    let cause: Cause.Cause<string> = Cause.fail("bottom")
    for (let level = 0; level < 50_000; level++) cause = Cause.sequential(cause, Cause.interrupt(FiberId.none))
    expect(CauseThrowables.from(cause).message).toBe("bottom")
  })

  it("has no throwable in an interruption", () => {
    const cause = Cause.interrupt(FiberId.none)
    expect(CauseThrowables.all(cause)).toEqual([])
    expect(CauseThrowables.from(cause).class).toBe("InterruptedException")
  })

  it("does not read the stack before it is used", () => {
    let reads = 0
    const error = Object.defineProperty(new Error("x"), "stack", {
      get: () => `Error: x\n    at a (/b.ts:${++reads}:1)`
    })
    const throwable = CauseThrowables.from(Cause.die(error))
    expect([throwable.class, throwable.message, reads]).toEqual(["Error", "x", 0])
    expect(throwable.frames[0]?.line).toBe(1)
    expect(throwable.frames[0]?.line).toBe(1)
  })
})
