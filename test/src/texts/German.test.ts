import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { FormTexts } from "../../../src/session/FormTexts.ts"
import * as GermanAuthTexts from "../../../src/texts/internal/GermanAuthTexts.ts"
import * as German from "../../../src/texts/German.ts"
import * as GermanHttpTexts from "../../../src/texts/internal/GermanHttpTexts.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as GermanMailTexts from "../../../src/texts/internal/GermanMailTexts.ts"
import { MailTexts } from "../../../src/mail/MailTexts.ts"

it.effect("replaces every catalogue of the framework", () =>
  Effect.gen(function* () {
    expect([yield* HttpTexts, yield* AuthTexts, yield* FormTexts, yield* MailTexts]).toEqual([
      GermanHttpTexts.german,
      GermanAuthTexts.german,
      GermanAuthTexts.germanForms,
      GermanMailTexts.german
    ])
  }).pipe(Effect.provide(German.layer))
)

it.effect("is chosen by a reader of German", () =>
  Effect.gen(function* () {
    const { choose } = yield* Languages.Languages
    expect([choose("de-AT, en;q=0.5").tag, choose("fr").tag]).toEqual(["de", "en"])
  }).pipe(Effect.provide(Languages.layer({ en: Layer.empty, de: German.layer })))
)
