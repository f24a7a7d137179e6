import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { english, HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"

describe("HttpTexts", () => {
  it.effect("are English unless something replaces them", () =>
    Effect.map(HttpTexts, (texts) => expect(texts).toBe(english))
  )

  it("have the text of every status that the framework sends", () => {
    expect(Status.text(404, english.statuses)).toBe("Not Found")
    expect(Status.text(418, english.statuses)).toBe("Error")
    expect(Status.text(599, english.statuses)).toBe("Server Error")
  })

  it("name one file and several", () => {
    expect([1, 3].map(english.form.tooManyFiles)).toEqual(["Send one file.", "Send at most 3 files."])
  })
})
