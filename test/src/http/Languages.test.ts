import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import * as Languages from "../../../src/http/Languages.ts"
import { german, greet } from "../../support/Greeting.ts"

describe("Languages", () => {
  it.effect("has English alone by default", () =>
    Effect.gen(function* () {
      expect((yield* Languages.Languages).tags).toEqual(["en"])
      expect(yield* greet("de")).toBe("Hello")
    })
  )

  it.effect("makes the first language the default", () =>
    Effect.gen(function* () {
      expect(yield* greet("fr")).toBe("Hallo")
      expect((yield* Languages.Languages).choose("en-GB")).toMatchObject({ tag: "en", locale: "en-GB" })
    }).pipe(Effect.provide(Languages.layer({ de: german, en: Layer.empty })))
  )

  it.effect("gives the same choice for the same header, and keeps a bounded number of them", () =>
    Effect.gen(function* () {
      const { choose } = yield* Languages.Languages
      expect(choose("de-AT")).toBe(choose("de-AT"))
      const first = choose("de-CH")
      for (let index = 0; index < 1000; index++) choose(`de;q=0.${index}`)
      expect(choose("de-CH")).not.toBe(first)
      expect(choose("de-CH")).toEqual(first)
    }).pipe(Effect.provide(Languages.layer({ en: Layer.empty, de: german })))
  )

  it.effect("does not start with a tag that is no language", () =>
    Effect.gen(function* () {
      const cause = yield* Effect.provide(greet("de"), Languages.layer({ "no tag": german })).pipe(
        Effect.sandbox,
        Effect.flip
      )
      expect(Cause.pretty(cause)).toContain('"no tag" is not a language tag')
    })
  )
})
