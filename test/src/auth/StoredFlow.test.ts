import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import * as StoredFlow from "../../../src/auth/internal/providers/StoredFlow.ts"

const token = fc.stringMatching(/^[A-Za-z0-9_-]{22}$/)

const flow: fc.Arbitrary<StoredFlow.StoredFlow> = fc.record({
  provider: fc.constantFrom("google", "github"),
  state: token,
  verifier: fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  begun: fc.integer({ min: 0, max: 2000 }),
  purpose: fc.constantFrom("sign-in", "link", "confirm"),
  account: fc.string({ maxLength: 36 }),
  remember: fc.boolean(),
  returnTo: fc.string({ maxLength: 600 })
})

const now = fc.integer({ min: 0, max: 2600 })

describe("StoredFlow", () => {
  it("reads what it writes, and nothing from any other text", () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 8 }), fc.string(), (flows, text) => {
        expect(StoredFlow.decode(StoredFlow.encode(flows))).toEqual(flows)
        expect(Array.isArray(StoredFlow.decode(text))).toBe(true)
      })
    )
  })

  it("lives for ten minutes, and not in the second in which they are over", () => {
    const live = [999, 1000, 1599, 1600].map((time) => StoredFlow.isLive({ begun: 1000 }, time))
    expect(live).toEqual([false, true, true, false])
  })

  it("keeps the newest, at most six, alive and short", () => {
    fc.assert(
      fc.property(fc.array(flow, { maxLength: 12 }), flow, now, (flows, next, time) => {
        const begun = { ...next, begun: time }
        const kept = StoredFlow.add(flows, begun, time)
        expect(kept.at(-1)?.state).toBe(begun.state)
        expect(kept.length).toBeLessThanOrEqual(StoredFlow.maxFlows)
        expect(kept.every((one) => StoredFlow.isLive(one, time))).toBe(true)
        if (kept.length > 1) expect(StoredFlow.encode(kept).length).toBeLessThanOrEqual(StoredFlow.maxLength)
      })
    )
  })

  it("keeps six flows whose page to return to is long: the oldest forget it", () => {
    fc.assert(
      fc.property(fc.array(flow, { minLength: 6, maxLength: 6 }), (given) => {
        const flows = given.map((one) => ({
          ...one,
          account: "",
          begun: 1_700_000_000,
          returnTo: `/${"a".repeat(199)}`
        }))
        const kept = flows.reduce<ReadonlyArray<StoredFlow.StoredFlow>>(
          (all, one) => StoredFlow.add(all, one, one.begun),
          []
        )
        expect(kept.map(({ state }) => state)).toEqual(flows.map(({ state }) => state))
        expect(kept.at(-1)).toEqual(flows.at(-1))
      })
    )
  })

  it("gives a flow once, to its own provider, for ten minutes", () => {
    fc.assert(
      fc.property(flow, fc.constantFrom("google", "github"), now, (one, provider, time) => {
        const [found, rest] = StoredFlow.take([one], { provider, state: one.state }, time)
        const isRight = one.provider === provider && one.begun <= time && time < one.begun + 600
        expect(found).toEqual(isRight ? Option.some(one) : Option.none())
        expect(rest).toEqual([])
        expect(StoredFlow.take(rest, { provider, state: one.state }, time)[0]).toEqual(Option.none())
      })
    )
  })
})
