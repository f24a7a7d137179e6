import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Html, HttpTexts, Languages } from "effect-framework/http"
import { Texts } from "effect-framework/routes/http"
import { Page } from "effect-framework/routes/session"
import { German } from "effect-framework/texts"
import { TestApp } from "effect-framework/testing"

const english = {
  rooms: "Rooms",
  free: (count: number) => (count === 1 ? "1 room is free" : `${count} rooms are free`)
}

class InnTexts extends Context.Reference<InnTexts>()("inn/Texts", { defaultValue: () => english }) {}

const german = Layer.merge(
  German.layer,
  Layer.succeed(InnTexts, {
    rooms: "Zimmer",
    free: (count) => (count === 1 ? "1 Zimmer ist frei" : `${count} Zimmer sind frei`)
  })
)

const dutch = Layer.merge(
  Layer.succeed(InnTexts, { rooms: "Kamers", free: (count) => `${count} vrij` }),
  Layer.succeed(HttpTexts.HttpTexts, {
    ...HttpTexts.english,
    layout: { ...HttpTexts.english.layout, signIn: "Aanmelden", signUp: "Registreren" }
  })
)

const languages = Languages.layer({ en: Layer.empty, de: german, nl: dutch })

const rooms = Effect.gen(function* () {
  const texts = yield* Texts.of(InnTexts)
  return yield* Page.render({ title: texts.rooms, main: Html.html`<h1>${texts.rooms}</h1><p>${texts.free(3)}</p>` })
})

layer(TestApp.layer([HttpLayerRouter.route("GET", "/rooms", rooms)], { services: languages }))("The inn", (it) => {
  it.effect.each([
    ["de-AT, en;q=0.5", "de", "3 Zimmer sind frei", "Anmelden"],
    ["nl", "nl", "3 vrij", "Aanmelden"],
    ["fr, *;q=0.1", "en", "3 rooms are free", "Sign in"]
  ] as const)("speaks to a reader of %s", ([accepted, tag, free, signIn]) =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      guest.headers.set("accept-language", accepted)
      const page = yield* guest.get("/rooms")
      expect(page.headers.get("content-language")).toBe(tag)
      expect(page.text).toContain(free)
      expect((yield* guest.get("/login")).text).toContain(signIn)
    })
  )
})
