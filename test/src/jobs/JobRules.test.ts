import { describe, expect, it } from "@effect/vitest"
import { Cause, Data, Duration, Effect, Exit, FastCheck as fc, Option, Redacted, Schedule, Schema } from "effect"
import * as Job from "../../../src/jobs/Job.ts"
import * as Defaults from "../../../src/jobs/internal/Defaults.ts"
import { delayAfter, outcome } from "../../../src/jobs/internal/JobRules.ts"

const run = <A>(effect: Effect.Effect<A>): A => Effect.runSync(effect)
const millis = (schedule: Schedule.Schedule<unknown, unknown>, attempts: number) =>
  Option.map(run(delayAfter(schedule, attempts, 0, "failure")), Duration.toMillis)

describe("the delay after an attempt", () => {
  it("is that of the schedule at this step, and nothing when it has ended", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 8 }), (delays) => {
        const [first = 0, ...rest] = delays
        const schedule = Schedule.fromDelays(first, ...rest)
        delays.forEach((delay, at) => expect(millis(schedule, at + 1)).toEqual(Option.some(delay)))
        expect(millis(schedule, delays.length + 1)).toEqual(Option.none())
        expect(millis(schedule, delays.length + 5)).toEqual(Option.none())
      })
    )
  })

  it("is zero and not the end in a schedule without delays", () => {
    expect(millis(Schedule.recurs(2), 2)).toEqual(Option.some(0))
    expect(millis(Schedule.recurs(2), 3)).toEqual(Option.none())
  })

  it("is the end in a schedule that throws: the job would never end", () => {
    const schedule = Schedule.recurWhile((failure: unknown) => {
      throw new Error(`cannot read ${String(failure)}`)
    })
    expect(millis(schedule, 1)).toEqual(Option.none())
  })

  it("gives ten attempts within about a day by default", () => {
    const delays = Array.from({ length: 9 }, (_, at) => Option.getOrThrow(millis(Defaults.defaultRetry, at + 1)))
    expect(millis(Defaults.defaultRetry, 10)).toEqual(Option.none())
    const hours = delays.reduce((sum, delay) => sum + delay, 0) / 3_600_000
    expect(hours).toBeGreaterThan(20)
    expect(hours).toBeLessThan(28)
  })
})

describe("the outcome of an attempt", () => {
  const of = (exit: Exit.Exit<unknown, unknown>, attempts = 1) =>
    run(outcome(exit, attempts, 1000, Schedule.fromDelays("1 second", "5 seconds")))

  it("is done for a success", () => {
    expect(of(Exit.void)).toEqual({ _tag: "Done" })
  })

  it("is a retry for a failure and for a defect, until the schedule ends", () => {
    expect(of(Exit.fail(new Error("no tea")))).toEqual({ _tag: "Retried", due: 2000, reason: "Error: no tea" })
    expect(of(Exit.die("broken"), 2)).toEqual({ _tag: "Retried", due: 6000, reason: "broken" })
    expect(of(Exit.fail(new Error("no tea")), 3)).toEqual({ _tag: "Failed", reason: "Error: no tea" })
  })

  it("is what the handler says by Discard and Snooze, whatever the attempts", () => {
    expect(of(Exit.fail(new Job.Discard({ reason: "sold out" })), 9)).toEqual({ _tag: "Discarded", reason: "sold out" })
    expect(of(Exit.fail(new Job.Snooze({ delay: Duration.minutes(1) })), 9)).toEqual({ _tag: "Snoozed", due: 61_000 })
  })

  it("is a release for an interruption", () => {
    expect(of(Exit.failCause(Cause.interrupt(Option.getOrThrow(Option.some(Effect.runSync(Effect.fiberId))))))).toEqual(
      {
        _tag: "Released"
      }
    )
  })

  it("says what went wrong where there is no message, by the fields of the failure", () => {
    class Closed extends Data.TaggedError("Closed")<{ readonly until: string }> {}
    class Empty extends Data.TaggedError("Empty") {}
    const reasons = [
      new Closed({ until: "noon" }),
      new Empty(),
      { _tag: "Closed", until: "noon" },
      { key: Redacted.make("a secret") },
      new TypeError(""),
      undefined
    ].map((failure) => {
      const result = of(Exit.fail(failure))
      return result._tag === "Retried" ? result.reason : undefined
    })
    expect(reasons).toEqual([
      'Closed: { until: "noon" }',
      "Empty",
      '{ _tag: "Closed", until: "noon" }',
      "{ key: ******** }",
      "TypeError",
      "undefined"
    ])
  })

  it("does not repeat a value that a handler could not read, which may be a secret", () => {
    const failure = Effect.runSync(
      Effect.flip(Schema.decodeUnknown(Schema.Struct({ pin: Schema.Int }))({ pin: "4711" }))
    )
    const result = of(Exit.fail(failure))
    expect(result).toMatchObject({ _tag: "Retried", reason: expect.stringMatching(/^ParseError: /) })
    expect(JSON.stringify(result)).not.toContain("4711")
  })

  it("keeps a bounded part of a long reason", () => {
    const result = of(Exit.fail("x".repeat(100_000)))
    expect(result._tag === "Retried" && result.reason.length).toBe(2000)
  })
})

describe("a job", () => {
  it("is refused with a name that no label could hold, and with a timeout beyond its lease", async () => {
    const { Schema } = await import("effect")
    expect(() => Job.make("Two Words", { payload: Schema.Void })).toThrow(/named in lower case/)
    const options = { payload: Schema.Void, transactional: true, timeout: "2 minutes" } as const
    expect(() => Job.make("late", options)).toThrow(/below 1m/)
  })
})
