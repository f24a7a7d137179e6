// What a catalogue of texts in another language has to have: every sentence, with its values, and none left in English.
import { describe, expect, it } from "@effect/vitest"
import { sentences } from "../demo/texts/Catalogue.ts"

const byPath = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1)

/** Tests a German catalogue against the English one; `same` are the paths of words that both languages have. */
export const describeGerman = (name: string, english: unknown, german: unknown, same: ReadonlyArray<string> = []) =>
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
        ({ path, text }) => text.trim() === "" || (known.get(path) === text && !same.includes(path))
      )
      expect(left).toEqual([])
    })

    it("address the reader in the same way throughout", () => {
      expect(theirs.filter(({ text }) => /\b(?:du|dich|dir|dein\w*)\b/i.test(text))).toEqual([])
    })
  })
