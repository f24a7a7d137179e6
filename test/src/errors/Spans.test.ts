import { describe, expect, it } from "@effect/vitest"
import { Cause, Context, DefaultServices, Effect, Exit, Option, Tracer } from "effect"
import * as Spans from "../../../src/errors/internal/Spans.ts"

const native = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** A failure inside of spans with these names, the first one outermost. */
const failIn = (names: ReadonlyArray<string>): unknown => {
  const failing: Effect.Effect<never, unknown> = Effect.fail(new Error("x"))
  const nested = names.reduceRight((inner, name) => Effect.withSpan(inner, name, { attributes: { name } }), failing)
  const exit = Effect.runSyncExit(nested)
  return Exit.isFailure(exit) && exit.cause._tag === "Fail" ? exit.cause.error : Cause.empty
}

describe("the spans of a failure", () => {
  it("are those that were open, innermost first, with their attributes", () => {
    const spans = Spans.of(failIn(["outer", "inner"]))
    expect(spans.map(({ name }) => name)).toEqual(["inner", "outer"])
    expect(spans.map(({ attributes }) => Object.fromEntries(attributes)["name"])).toEqual(["inner", "outer"])
    expect(new Set(spans.map(({ id }) => id)).size).toBe(2)
  })

  it("are the ten innermost ones", () => {
    const spans = Spans.of(failIn(Array.from({ length: 15 }, (_, at) => `span ${at}`)))
    expect(spans.map(({ name }) => name)).toEqual(Array.from({ length: 10 }, (_, at) => `span ${14 - at}`))
  })

  it("are those that a defect without any has ended, of the last time that it failed", () => {
    const defect = new Error("shared")
    const spanOf = (name: string, parent?: Tracer.AnySpan): Tracer.Span =>
      native.span(name, Option.fromNullable(parent), Context.empty(), [], 0n, "internal")
    for (const route of ["orders", "cups"]) {
      const outer = spanOf(route)
      for (const span of [spanOf(`${route}.place`, outer), outer]) Spans.note(span, Exit.die(defect))
      Spans.note(spanOf("fine"), Exit.void)
      expect(Spans.of(defect).map(({ name }) => name)).toEqual([`${route}.place`, route])
    }
  })

  it.each([undefined, "text", new Error("no span"), { [Symbol.for("effect/SpanAnnotation")]: "no span" }])(
    "are none for %s",
    (failure) => {
      expect(Spans.of(failure)).toEqual([])
    }
  )
})
