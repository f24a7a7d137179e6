// Finds a sentence without a translation.
import { describe, expect, it } from "@effect/vitest"
import { catalogues, sentences } from "./Catalogue.ts"

// The same word in both languages.
const same = new Set(["demo.dashboard.charts.slowest"])

for (const [name, [english, german]] of Object.entries(catalogues)) {
  describe(`the German texts of ${name}`, () => {
    const [ours, theirs] = [sentences(english), sentences(german)]

    it("have the sentences of the English ones, with the same values", () => {
      const shape = (all: typeof ours) => all.map(({ arity, path }) => ({ path, arity })).sort(byPath)
      expect(ours.length).toBeGreaterThan(5)
      expect(shape(theirs)).toEqual(shape(ours))
    })

    it("leave no sentence in English or empty", () => {
      const known = new Map(ours.map(({ path, text }) => [path, text]))
      const left = theirs.filter(
        ({ path, text }) => text.trim() === "" || (known.get(path) === text && !same.has(`${name}.${path}`))
      )
      expect(left).toEqual([])
    })

    it("address the reader in the same way throughout", () => {
      expect(theirs.filter(({ text }) => /\b(?:du|dich|dir|dein\w*)\b/i.test(text))).toEqual([])
    })
  })
}

const byPath = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1)

it("would notice a sentence without a translation", () => {
  const [english] = catalogues.auth
  const shorter = { ...english, login: { title: "Anmelden" } }
  expect(sentences(shorter).map(({ path }) => path)).not.toEqual(sentences(english).map(({ path }) => path))
})
