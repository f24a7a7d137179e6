import { describe, expect, it } from "@effect/vitest"
import { html } from "../../../src/http/Html.ts"
import * as Remembered from "../../../src/http/internal/text/Remembered.ts"

const counted = (most: number) => {
  const asked: Array<number> = []
  const double = Remembered.make((key: number) => {
    asked.push(key)
    return key * 2
  }, most)
  return { asked, double }
}

describe("Remembered", () => {
  it("makes a result once", () => {
    const { asked, double } = counted(8)
    expect([double(1), double(2), double(1)]).toEqual([2, 4, 2])
    expect(asked).toEqual([1, 2])
  })

  it("keeps no more than the given number, and makes what it has dropped again", () => {
    const { asked, double } = counted(2)
    expect([1, 2, 2, 3, 3, 1].map(double)).toEqual([2, 4, 4, 6, 6, 2])
    expect(asked).toEqual([1, 2, 3, 1])
  })

  it("makes markup once for each catalogue of texts", () => {
    let renders = 0
    const card = Remembered.byObject(({ title }: { readonly title: string }) => {
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
