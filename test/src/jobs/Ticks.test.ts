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

  const between = (expression: string, from: string, to: string) => iso(due(cron(expression), "all", at(from), at(to)))

  it("come an hour later where the clock goes forward over them, and else as every night", () => {
    // From 02:00 to 03:00 in Berlin on 29 March 2026, at 01:00 UTC.
    const night = ["2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z"] as const
    expect(between("30 2 * * *", ...night)).toEqual(["2026-03-29T01:30:00.000Z", "2026-03-30T00:30:00.000Z"])
    expect(between("0 3 * * *", ...night)).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T01:00:00.000Z"])
    expect(between("0 * * * *", "2026-03-28T23:30:00Z", "2026-03-29T02:30:00Z")).toEqual([
      "2026-03-29T00:00:00.000Z",
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T02:00:00.000Z"
    ])
  })

  it("come once where the clock goes back over them, those of every hour as well; an interval goes on", () => {
    // From 03:00 to 02:00 in Berlin on 25 October 2026, at 01:00 UTC.
    const night = ["2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z"] as const
    expect(between("30 2 * * *", ...night)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"])
    expect(between("0 3 * * *", ...night)).toEqual(["2026-10-25T02:00:00.000Z", "2026-10-26T02:00:00.000Z"])
    const hours = ["2026-10-24T23:30:00Z", "2026-10-25T02:30:00Z"] as const
    expect(between("0 * * * *", ...hours)).toEqual(["2026-10-25T00:00:00.000Z", "2026-10-25T02:00:00.000Z"])
    expect(iso(due({ _tag: "Every", millis: 3_600_000 }, "all", at(hours[0]), at(hours[1])))).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
      "2026-10-25T02:00:00.000Z"
    ])
  })

  it("are the same for a process that looks in the hour that comes twice, and for one that looks after it", () => {
    const last = at("2026-10-24T00:30:00Z")
    for (const expression of ["30 2 * * *", "*/15 * * * *", "0 * * * *"]) {
      const whole = due(cron(expression), "all", last, at("2026-10-25T03:00:00Z"))
      const seen: Array<number> = []
      let known = last
      for (let now = last; now <= at("2026-10-25T03:00:00Z"); now += 300_000) {
        const some = due(cron(expression), "all", known, now)
        seen.push(...some)
        known = some.at(-1) ?? known
      }
      expect(iso(seen.slice(-mostMissed))).toEqual(iso(whole))
    }
  })

  it("lie ahead in the hour that comes twice as well, so that nobody looks for them again and again", () => {
    for (const expression of ["30 2 * * *", "*/7 * * * *", "0 * * * *"]) {
      for (let now = at("2026-10-25T00:00:00Z"); now < at("2026-10-25T02:10:00Z"); now += 421_234) {
        expect(next(cron(expression), now)).toBeGreaterThan(now)
      }
    }
    expect(iso([next(cron("*/7 * * * *"), at("2026-10-25T01:57:30Z"))])).toEqual(["2026-10-25T02:00:00.000Z"])
  })

  it("are refused with a malformed expression or an unknown zone", () => {
    expect(() => CronJob.make("report", "every day")).toThrow(/malformed expression every day/)
    expect(() => CronJob.make("report", "0 9 * * *", { zone: "Mars/Base" })).toThrow(/unknown time zone: Mars/)
    expect(() => CronJob.every("report", "1 millis")).toThrow(/at least a second/)
  })
})
