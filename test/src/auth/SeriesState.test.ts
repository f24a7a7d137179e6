import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck as fc } from "effect"
import * as SeriesState from "../../../src/auth/internal/SeriesState.ts"

const text = fc.constantFrom("a".repeat(64), "b".repeat(64), "c".repeat(64))

const time = fc.integer({ min: 0, max: 20 })

describe("seriesState", () => {
  const millis = fc.integer({ min: 0, max: 20_000 })
  const row = fc.record({
    verifier: text,
    expires: time,
    previous: fc.option(text),
    rotatedAt: fc.option(millis),
    next: fc.option(text),
    leased: fc.boolean()
  })
  const moment = fc.record({ now: millis, arrived: millis })

  it("knows the current validator, its successor, and the one before by its arrival; the rest is a replay", () => {
    fc.assert(
      fc.property(row, text, moment, fc.integer({ min: 0, max: 5 }), (row, given, moment, grace) => {
        const verdict = SeriesState.seriesState(row, given, moment, Duration.seconds(grace))
        if (row.expires * 1000 <= moment.now) return void expect(verdict).toBe("Expired")
        if (given === row.verifier) return void expect(verdict).toBe(row.leased ? "Pending" : "Current")
        if (given === row.next) return void expect(verdict).toBe("Delivered")
        const late = given === row.previous && row.rotatedAt !== null && moment.arrived - row.rotatedAt < grace * 1000
        expect(verdict).toBe(late ? "Late" : "Replayed")
      })
    )
  })

  it("expires in its last second, and is Late until the grace has passed and not at its end", () => {
    const [current, previous] = ["a".repeat(64), "b".repeat(64)]
    const row = { verifier: current, expires: 10, previous, rotatedAt: 1000, next: null, leased: false }
    const at = (digest: string, now: number, arrived: number, grace: Duration.DurationInput) =>
      SeriesState.seriesState(row, digest, { now, arrived }, Duration.decode(grace))
    expect([at(current, 9999, 0, 0), at(current, 10_000, 0, 0)]).toEqual(["Current", "Expired"])
    expect([at(previous, 0, 999, 0), at(previous, 0, 1000, 0)]).toEqual(["Late", "Replayed"])
    expect([at(previous, 0, 2999, 2000), at(previous, 0, 3000, 2000)]).toEqual(["Late", "Replayed"])
  })

  it("without a grace, is never Late for a request that arrived when its successor had been sent", () => {
    fc.assert(
      fc.property(row, text, moment, (row, given, moment) => {
        fc.pre((row.rotatedAt ?? 0) <= moment.arrived)
        expect(SeriesState.seriesState(row, given, moment, Duration.zero)).not.toBe("Late")
      })
    )
  })
})
