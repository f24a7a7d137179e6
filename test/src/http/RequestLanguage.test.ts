import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Languages from "../../../src/http/Languages.ts"
import * as RequestLanguage from "../../../src/http/RequestLanguage.ts"

interface Texts {
  readonly hello: string
}

class Greeting extends Context.Reference<Greeting>()("test/Greeting", {
  defaultValue: (): Texts => ({ hello: "Hello" })
}) {}

const german = Layer.succeed(Greeting, { hello: "Hallo" })

const said = (header: string | undefined) =>
  Effect.map(Effect.context<never>(), (services) => RequestLanguage.bind(services, header).texts(Greeting).hello)

describe("RequestLanguage", () => {
  it.effect("takes the texts of the language, else those of the program, else the default", () =>
    Effect.gen(function* () {
      expect(yield* said("de")).toBe("Hallo")
      expect(yield* said("en")).toBe("Ahoy")
      expect(yield* said(undefined)).toBe("Ahoy")
    }).pipe(
      Effect.provide([Languages.layer({ en: Layer.empty, de: german }), Layer.succeed(Greeting, { hello: "Ahoy" })])
    )
  )
})
