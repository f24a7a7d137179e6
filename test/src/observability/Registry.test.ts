import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import * as Counter from "../../../src/observability/Counter.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Histogram from "../../../src/observability/Histogram.ts"
import * as Registry from "../../../src/observability/internal/Registry.ts"

const counter = (name: string, labels: Record<string, string> = {}) => Either.getOrThrow(Counter.make(name, { labels }))
const gauge = (name: string) => Either.getOrThrow(Gauge.make(name))
const histogram = (name: string) => Either.getOrThrow(Histogram.make(name))

const refusal = (pushed: Either.Either<void, { readonly message: string }>) =>
  Either.getOrThrow(Either.flip(pushed)).message

describe("the registry", () => {
  it("reads every instrument, those of one name side by side", () => {
    const registry = Registry.make(10)
    for (const user of ["a", "b"]) Either.getOrThrow(registry.push(counter("logins_total", { user })))
    expect(registry.read().map(({ name, series }) => `${name}{${series[0]?.labels.text}}`)).toEqual([
      'logins_total{user="a"}',
      'logins_total{user="b"}'
    ])
  })

  it("takes the same instrument once", () => {
    const registry = Registry.make(10)
    const one = counter("a")
    Either.getOrThrow(registry.push(one))
    Either.getOrThrow(registry.push(one))
    expect(registry.read()).toHaveLength(1)
  })

  it("gives a name one type", () => {
    const registry = Registry.make(10)
    Either.getOrThrow(registry.push(counter("a")))
    expect(refusal(registry.push(gauge("a")))).toBe("a: it is already registered as a counter and cannot be a gauge")
  })

  it("gives a name one aggregation", () => {
    const registry = Registry.make(10)
    Either.getOrThrow(registry.push(Either.getOrThrow(Gauge.make("a", { aggregation: "max" }))))
    expect(registry.read()).toMatchObject([{ name: "a", aggregation: "max" }])
    expect(refusal(registry.push(Either.getOrThrow(Gauge.make("a", { labels: { b: "1" } }))))).toBe(
      "a: it is already registered with another aggregation"
    )
  })

  it("refuses a second instrument for the same series, whatever the order of its labels", () => {
    const registry = Registry.make(10)
    Either.getOrThrow(registry.push(counter("a", { b: "1", c: "2" })))
    expect(refusal(registry.push(counter("a", { c: "2", b: "1" })))).toContain("is already registered")
  })

  it.each(["_bucket", "_sum", "_count"])(
    "refuses a histogram and a metric that ends in its %s, in both orders",
    (part) => {
      const first = Registry.make(10)
      Either.getOrThrow(first.push(histogram("a")))
      expect(refusal(first.push(counter(`a${part}`)))).toContain("the histogram a prints this name")
      const second = Registry.make(10)
      Either.getOrThrow(second.push(counter(`a${part}`)))
      expect(refusal(second.push(histogram("a")))).toContain(`would print a${part}`)
      Either.getOrThrow(second.push(gauge("a")))
    }
  )

  it("refuses more instruments of one name than the limit, and says what to do", () => {
    const registry = Registry.make(2)
    for (const user of ["a", "b"]) Either.getOrThrow(registry.push(counter("x", { user })))
    expect(refusal(registry.push(counter("x", { user: "c" })))).toBe("x: it already has 2 series; use a family")
    expect(registry.read()).toHaveLength(2)
  })

  it("logs once that a family reached its limit", () => {
    const registry = Registry.make(10)
    const family = Either.getOrThrow(Counter.family("x", { labels: ["user"], limit: 1 }))
    Either.getOrThrow(registry.push(family))
    family.with({ user: "a" }).increment()
    expect(registry.takeOverflowed()).toEqual([])
    family.with({ user: "b" }).increment()
    expect(registry.takeOverflowed()).toEqual(["x"])
    expect(registry.takeOverflowed()).toEqual([])
  })
})
