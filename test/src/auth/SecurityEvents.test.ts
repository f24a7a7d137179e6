import { expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { Event, SecurityEvent } from "../../../src/auth/SecurityEvents.ts"

it.prop("an event survives its JSON", [Arbitrary.make(SecurityEvent)], ([event]) => {
  const text = JSON.stringify(Schema.encodeSync(SecurityEvent)(event))
  expect(Schema.decodeUnknownSync(SecurityEvent)(JSON.parse(text))).toEqual(JSON.parse(text))
})

it("knows the events by name, and no others", () => {
  const is = Schema.is(Event)
  expect(is({ _tag: "SignedIn", by: "password" })).toBe(true)
  expect(is({ _tag: "SignedIn" })).toBe(false)
  expect(is({ _tag: "Teleported" })).toBe(false)
})
