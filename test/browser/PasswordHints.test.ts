// What is told while a new password is typed, in a real browser: without a request, and to a screen reader.
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as Assets from "../../routes/http/Assets.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as DefaultLayout from "../../src/http/DefaultLayout.ts"
import * as German from "../../src/texts/German.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.stateless(Assets.routes(DefaultLayout.assets))
])

const settings = { appUrl: "https://teapots.example", passwordMin: 10 }

const rows = [
  ["quiet", "Characters still missing: 5."],
  ["1234567890", "This password is one of the most common. Choose another."],
  ["teapots12345", "Use more than your name, your address or the name of this site."],
  ["Lindgren1990", "Use more than your name, your address or the name of this site."],
  ["quiet harbour", "Long enough."]
] as const

Browser.describeBrowser("A new password that is typed", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    it.scoped("is told the rule that it breaks, in the language of the page, without a request", () =>
      Effect.gen(function* () {
        const server = yield* Layer.build(TestApp.layerOf(app, { settings }))
        const { url } = Context.get(server, ServerAddress)
        const { complaints, page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(() => page.goto(`${url}/register`))
        const requests: Array<string> = []
        page.on("request", (request) => requests.push(request.url()))
        yield* Effect.promise(async () => {
          await page.locator("input[name=email]").fill("anna.lindgren@mail.example")
          for (const [password, text] of rows) {
            await page.locator("input[name=password]").fill(password)
            // At once: a line that appears later would move the button below away from the pointer.
            expect(await page.locator("#password-strength").textContent()).toContain(text)
            await page.locator("[role=status]", { hasText: text }).waitFor()
          }
          const described = await page.locator("input[name=password]").getAttribute("aria-describedby")
          expect(described).toContain("password-strength")
        })
        expect(yield* Axe.violations(page)).toEqual([])
        expect([requests, complaints]).toEqual([[], []])

        const other = yield* Layer.build(TestApp.layerOf(app, { settings, services: German.layer }))
        const german = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(async () => {
          await german.page.goto(`${Context.get(other, ServerAddress).url}/register`)
          await german.page.locator("input[name=password]").fill("kurz")
          await german.page.locator("[role=status]", { hasText: "Es fehlen noch Zeichen: 6." }).waitFor()
        })
      })
    )
  })
})
