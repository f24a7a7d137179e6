import { describe, expect, it } from "@effect/vitest"
import { html } from "../../../src/http/Html.ts"
import { ofTexts } from "../../../src/http/internal/text/TextMarkup.ts"

describe("TextMarkup", () => {
  it("is rendered once for each language", () => {
    let renders = 0
    const card = ofTexts(({ title }: { readonly title: string }) => {
      renders++
      return html`<h2>${title}</h2>`
    })
    const [english, german] = [{ title: "Tea" }, { title: "Tee" }]
    expect([english, german, english].map((texts) => card(texts).markup)).toEqual([
      "<h2>Tea</h2>",
      "<h2>Tee</h2>",
      "<h2>Tea</h2>"
    ])
    expect(renders).toBe(2)
  })
})
