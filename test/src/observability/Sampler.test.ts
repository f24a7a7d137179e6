import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, FastCheck } from "effect"
import * as Sampler from "../../../src/observability/internal/Sampler.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

const { randomness } = Sampler

const traceId = FastCheck.array(FastCheck.constantFrom(..."0123456789abcdef"), { minLength: 32, maxLength: 32 }).map(
  (digits) => digits.join("")
)

const read = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(
    Effect.suspend(() => Sampler.config),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

describe("a sampler", () => {
  it.prop(
    "of a ratio decides by the trace alone, the same in every process",
    [traceId, FastCheck.boolean()],
    (given) => {
      const [trace, parent] = given
      const half = Sampler.make("traceidratio", 0.5)
      expect(half(randomness(trace), parent)).toBe(half(randomness(trace), undefined))
      expect(Sampler.make("traceidratio", 0)(randomness(trace), parent)).toBe(false)
      expect(Sampler.make("traceidratio", 1)(randomness(trace), parent)).toBe(true)
    }
  )

  it.prop(
    "of a higher ratio keeps what a lower one keeps",
    [traceId, FastCheck.double({ min: 0, max: 1, noNaN: true })],
    ([trace, share]) => {
      if (Sampler.make("traceidratio", share / 2)(randomness(trace), undefined)) {
        expect(Sampler.make("traceidratio", share)(randomness(trace), undefined)).toBe(true)
      }
    }
  )

  it.prop(
    "of a ratio keeps the traces whose last digits are below that share of all",
    [traceId, FastCheck.oneof(FastCheck.double({ min: 0, max: 1, noNaN: true }), FastCheck.constant(1 - 2 ** -53))],
    ([trace, share]) => {
      const isBelow = Number.parseInt(trace.slice(-13), 16) < share * 2 ** 52
      expect(Sampler.make("traceidratio", share)(randomness(trace), undefined)).toBe(isBelow)
    }
  )

  it("of a ratio keeps that share", () => {
    const quarter = Sampler.make("traceidratio", 0.25)
    const prefix = "0".repeat(19)
    const ids = Array.from(
      { length: 10_000 },
      (_, at) => prefix + ((BigInt(at) * 2n ** 52n) / 10_000n).toString(16).padStart(13, "0")
    )
    expect(ids.filter((id) => quarter(randomness(id), undefined))).toHaveLength(2500)
  })

  it.each([
    ["always_on", true, true, true],
    ["always_off", false, false, false],
    ["parentbased_always_on", true, true, false],
    ["parentbased_always_off", false, true, false],
    ["parentbased_traceidratio", false, true, false]
  ] as const)("%s decides about a root, a sampled and an unsampled parent", (name, root, sampled, unsampled) => {
    const sampler = Sampler.make(name, 0)
    const trace = randomness("f".repeat(32))
    expect([sampler(trace, undefined), sampler(trace, true), sampler(trace, false)]).toEqual([root, sampled, unsampled])
  })
})

describe("OTEL_TRACES_SAMPLER", () => {
  it.effect("is what the client has decided, else every trace", () =>
    Effect.gen(function* () {
      const sampler = yield* read({})
      expect([sampler(randomness("f".repeat(32)), undefined), sampler(randomness("f".repeat(32)), false)]).toEqual([
        true,
        false
      ])
    })
  )

  it.effect("takes its share from OTEL_TRACES_SAMPLER_ARG", () =>
    Effect.gen(function* () {
      const sampler = yield* read({ OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" })
      expect([
        sampler(randomness(`${"0".repeat(19)}3ffffffffffff`), undefined),
        sampler(randomness(`${"0".repeat(19)}4000000000000`), undefined)
      ]).toEqual([true, false])
    })
  )

  it.effect.each([
    [{ OTEL_TRACES_SAMPLER: "jaeger_remote" }, "OTEL_TRACES_SAMPLER is"],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG is"],
    [{ OTEL_TRACES_SAMPLER_ARG: "-0.1" }, "OTEL_TRACES_SAMPLER_ARG is"],
    [{ OTEL_TRACES_SAMPLER_ARG: "often" }, "OTEL_TRACES_SAMPLER_ARG is"]
  ] as const)("is refused: %j", ([variables, line]) =>
    Effect.gen(function* () {
      expect(Setting.line(yield* Effect.flip(read(variables)))).toContain(line)
    })
  )
})
