import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Languages from "../../../src/http/Languages.ts"
import { german, greet, Greeting } from "../../support/Greeting.ts"

describe("RequestLanguage", () => {
  it.effect("takes the texts of the language, else those of the program, else the default", () =>
    Effect.gen(function* () {
      expect(yield* greet("de")).toBe("Hallo")
      expect(yield* greet("en")).toBe("Ahoy")
      expect(yield* greet(undefined)).toBe("Ahoy")
    }).pipe(
      Effect.provide([Languages.layer({ en: Layer.empty, de: german }), Layer.succeed(Greeting, { hello: "Ahoy" })])
    )
  )
})
