import { describe, expect, it } from "@effect/vitest"
import * as FormTexts from "../../../src/session/FormTexts.ts"
import { germanForms } from "../../../src/texts/internal/GermanAuthTexts.ts"

describe("translate", () => {
  it("gives the sentence of the other language for each of the framework's own", () => {
    expect(FormTexts.translate(FormTexts.english.emailMissing, germanForms)).toBe(germanForms.emailMissing)
    const tooShort = FormTexts.english.passwordTooShort(FormTexts.minCharacters)
    expect(FormTexts.translate(tooShort, germanForms)).toBe(germanForms.passwordTooShort(FormTexts.minCharacters))
  })

  it("leaves a sentence of the program as it is", () => {
    expect(FormTexts.translate("Choose a colour.", germanForms)).toBe("Choose a colour.")
  })
})
