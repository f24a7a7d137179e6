import { describe, expect, it } from "@effect/vitest"
import { Arbitrary } from "effect"
import { english } from "../../../src/auth/internal/ActivityTexts.ts"
import { german } from "../../../src/texts/internal/GermanActivityTexts.ts"
import { Event } from "../../../src/auth/SecurityEvents.ts"
import { sentence } from "../../../routes/auth/activity/Activity.ts"

describe("The sentences of events", () => {
  it.prop("are there in both languages, and differ", [Arbitrary.make(Event)], ([event]) => {
    const [first, second] = [sentence(event, english), sentence(event, german)]
    for (const text of [first, second]) {
      expect(text).toMatch(/\.$/)
      expect(text).not.toContain("undefined")
    }
    expect(first).not.toBe(second)
  })
})
