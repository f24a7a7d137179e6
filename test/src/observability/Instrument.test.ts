import { expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { effect, InvalidInstrument } from "../../../src/observability/Instrument.ts"

const throwing = (error: unknown) => () => {
  throw error
}

it.effect("a write fails where the instrument refuses it, and dies for any other error", () =>
  Effect.gen(function* () {
    const refused = new InvalidInstrument({ instrument: "cups_total", reason: "it cannot decrease" })
    const mistake = new TypeError("x")
    expect(yield* Effect.flip(effect(throwing(refused)))).toBe(refused)
    expect(yield* Effect.exit(effect(throwing(mistake)))).toEqual(Exit.die(mistake))
    expect(yield* Effect.exit(effect(() => undefined))).toEqual(Exit.void)
  })
)

it("names the instrument in its message", () => {
  const message = (instrument: string) => new InvalidInstrument({ instrument, reason: "no" }).message
  expect([message("cups_total"), message("")]).toEqual(["cups_total: no", "An instrument without a name: no"])
})
