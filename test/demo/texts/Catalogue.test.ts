// Finds a sentence without a translation.
import { expect, it } from "@effect/vitest"
import { describeGerman } from "../../support/Translation.ts"
import { catalogues, sentences } from "./Catalogue.ts"

// The same word in both languages.
describeGerman("the demo", ...catalogues.demo, ["dashboard.charts.slowest"])

it("would notice a sentence without a translation", () => {
  const [english] = catalogues.auth
  const shorter = { ...english, login: { title: "Anmelden" } }
  expect(sentences(shorter).map(({ path }) => path)).not.toEqual(sentences(english).map(({ path }) => path))
})
