import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, Schema } from "effect"
import { seed } from "./Seed.ts"

// Four properties write down what they were given, and the last test compares it with an explicit seed.
const values: Record<"plain" | "effect" | "options" | "schema", Array<number>> = {
  plain: [],
  effect: [],
  options: [],
  schema: []
}

const expected = (numRuns: number, arbitrary: FastCheck.Arbitrary<number>): ReadonlyArray<number> => {
  const found: Array<number> = []
  const property = FastCheck.property(arbitrary, (value) => void found.push(value))
  FastCheck.assert(property, { seed: FastCheck.readConfigureGlobal().seed ?? 0, numRuns })
  return found
}

describe("the properties of npm test", () => {
  it("have one seed", () => {
    expect(FastCheck.readConfigureGlobal()).toEqual({ seed })
  })

  it.prop("take it in it.prop", [FastCheck.integer()], ([value]) => void values.plain.push(value))

  it.effect.prop("take it in it.effect.prop", [FastCheck.integer()], ([value]) =>
    Effect.sync(() => void values.effect.push(value))
  )

  it.prop("take it beside options of their own", [FastCheck.integer()], ([value]) => void values.options.push(value), {
    fastCheck: { numRuns: 7 }
  })

  it.prop("take it for a schema", { value: Schema.Int }, ({ value }) => void values.schema.push(value))

  it("ran with exactly that seed", () => {
    const integers = expected(100, FastCheck.integer())
    expect(values.plain).toEqual(integers)
    expect(values.effect).toEqual(integers)
    expect(values.options).toEqual(expected(7, FastCheck.integer()))
    expect(values.schema).toHaveLength(100)
    expect(FastCheck.sample(FastCheck.integer(), 5)).toEqual(
      FastCheck.sample(FastCheck.integer(), { seed, numRuns: 5 })
    )
  })
})
