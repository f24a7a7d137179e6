import { describe, expect, it } from "@effect/vitest"
import { Cron, DateTime, FastCheck as fc, Option } from "effect"
import * as CronJob from "../../../src/jobs/CronJob.ts"
import { due, mostMissed, next, type Rhythm } from "../../../src/jobs/internal/Ticks.ts"

const zone = Option.getOrThrow(DateTime.zoneMakeNamed("Europe/Berlin"))
const cron = (expression: string): Rhythm => ({ _tag: "Cron", cron: Cron.unsafeParse(expression, zone) })
const at = (text: string): number => Date.parse(text)
const iso = (ticks: ReadonlyArray<number>) => ticks.map((tick) => new Date(tick).toISOString())

describe("the ticks of an interval", () => {
  it("are the same in every process, each once, however often somebody looks", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1000, max: 100_000 }),
        fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 50 }),
        (millis, steps) => {
          const rhythm: Rhythm = { _tag: "Every", millis }
          const start = 1_700_000_000_000
          let [now, last] = [start, start]
          const seen: Array<number> = []
          for (const step of steps) {
            now += step
            const ticks = due(rhythm, "all", last, now)
            seen.push(...ticks)
            last = ticks.at(-1) ?? last
          }
          const expected = []
          for (let tick = next(rhythm, start); tick <= now; tick += millis) expected.push(tick)
          expect(seen).toEqual(expected)
        }
      )
    )
  })

  it("that were missed are made up for by the policy", () => {
    const rhythm: Rhythm = { _tag: "Every", millis: 60_000 }
    const [last, now] = [0, 600_000]
    expect(due(rhythm, "all", last, now)).toHaveLength(10)
    expect(due(rhythm, "last", last, now)).toEqual([600_000])
    expect(due(rhythm, "none", last, now)).toEqual([600_000])
    expect(due(rhythm, "none", last, now + 30_000)).toEqual([])
  })

  it("of a year are not walked one by one", () => {
    const rhythm: Rhythm = { _tag: "Every", millis: 1000 }
    expect(due(rhythm, "all", 0, 31_536_000_000)).toHaveLength(mostMissed)
    expect(due(rhythm, "last", 0, 31_536_000_000)).toEqual([31_536_000_000])
  })
})

describe("the ticks of an expression", () => {
  it("follow its time zone through the year", () => {
    const nine = cron("0 9 * * 1-5")
    expect(iso([next(nine, at("2026-01-02T12:00:00Z"))])).toEqual(["2026-01-05T08:00:00.000Z"])
    expect(iso([next(nine, at("2026-07-03T12:00:00Z"))])).toEqual(["2026-07-06T07:00:00.000Z"])
  })

  it("skip to the next time that exists in the night that the clock goes forward", () => {
    // 02:30 does not exist in Berlin on 29 March 2026.
    const ticks = due(cron("30 2 * * *"), "all", at("2026-03-28T00:00:00Z"), at("2026-03-31T00:00:00Z"))
    expect(ticks.length).toBe(3)
    expect(new Set(ticks).size).toBe(3)
  })

  it("come once in the night that the clock goes back", () => {
    // 02:30 comes twice in Berlin on 25 October 2026.
    const ticks = due(cron("30 2 * * *"), "all", at("2026-10-24T12:00:00Z"), at("2026-10-25T12:00:00Z"))
    expect(ticks).toHaveLength(1)
  })

  it("are refused with a malformed expression or an unknown zone", () => {
    expect(() => CronJob.make("report", "every day")).toThrow(/malformed expression every day/)
    expect(() => CronJob.make("report", "0 9 * * *", { zone: "Mars/Base" })).toThrow(/unknown time zone: Mars/)
    expect(() => CronJob.every("report", "1 millis")).toThrow(/at least a second/)
  })
})
