import { describe, expect, it } from "@effect/vitest"
import { english } from "../../../src/session/FormTexts.ts"
import * as FormSentences from "../../../src/session/internal/FormSentences.ts"
import { germanForms } from "../../../src/texts/internal/GermanAuthTexts.ts"

describe("translate", () => {
  it("gives the sentence of the other language for each of the framework's own", () => {
    expect(FormSentences.translate(english.emailMissing, germanForms)).toBe(germanForms.emailMissing)
    const tooShort = english.passwordTooShort(FormSentences.minCharacters)
    expect(FormSentences.translate(tooShort, germanForms)).toBe(
      germanForms.passwordTooShort(FormSentences.minCharacters)
    )
  })

  it("leaves a sentence of the program as it is", () => {
    expect(FormSentences.translate("Choose a colour.", germanForms)).toBe("Choose a colour.")
  })
})
