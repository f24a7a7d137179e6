// The page of the API as a person reads and uses it: without script, on a phone and on a wide screen, and by its forms.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import * as Account from "../../demo/Account.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as Demo from "../support/Demo.ts"

const screenshots = fileURLToPath(new URL("./screenshots/", import.meta.url))

const cardOf = (page: Page, operation: string) => page.locator(`#operation-${operation}`)

const send = async (page: Page, operation: string): Promise<string> => {
  const card = cardOf(page, operation)
  await card.getByRole("button", { name: "Send" }).click()
  await card.locator(".result p").waitFor()
  return card.locator(".result").innerText()
}

Browser.describeBrowser("The page of the API", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "documents without script, passes axe, fits, and sends requests with the session",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Demo.demo()
          const browser = yield* Chromium.Chromium
          for (const { colorScheme, height, name, width } of Browser.looks) {
            const { complaints, page } = yield* Browser.watch(browser, { colorScheme, viewport: { width, height } })
            yield* Effect.promise(() => page.goto(`${url}/api/docs`))
            const opened = `document.querySelectorAll("details").forEach((one) => { one.open = true })`
            yield* Effect.promise(() => page.screenshot({ path: `${screenshots}api-docs-${name}.png` }))
            yield* Effect.promise(() => page.evaluate(opened))
            expect(yield* Axe.violations(page)).toEqual([])
            expect(yield* Browser.overflow(page)).toBeLessThanOrEqual(0)
            // Its beginning: the whole of it is 355,000 pixels high on a phone, and a picture of that takes a minute.
            const clip = { x: 0, y: 0, width, height: 10_000 }
            yield* Effect.promise(() =>
              page.screenshot({ path: `${screenshots}api-docs-open-${name}.png`, fullPage: true, clip })
            )
            expect(complaints).toEqual([])
          }

          const plain = yield* Browser.watch(browser, { javaScriptEnabled: false })
          yield* Effect.promise(() => plain.page.goto(`${url}/api/docs`))
          expect(yield* Effect.promise(() => cardOf(plain.page, "articles-create").innerText())).toContain("Responses")
          expect(yield* Effect.promise(() => plain.page.getByRole("button", { name: "Send" }).count())).toBe(0)

          const { complaints, page } = yield* Browser.watch(browser)
          yield* Effect.promise(() => page.goto(`${url}/api/docs`))
          expect(yield* Effect.promise(() => send(page, "articles-list"))).toMatch(
            /^200 OK[^]*content-type: [^]*"items"/
          )
          yield* Effect.promise(() =>
            cardOf(page, "articles-create")
              .locator("textarea")
              .fill(`{ "title": "Tea <b>", "summary": "Sent by a page" }`)
          )
          expect(yield* Effect.promise(() => send(page, "articles-create"))).toMatch(/^401 Unauthorized/)

          yield* Effect.promise(async () => {
            await page.goto(`${url}/login`)
            await page.getByLabel("E-mail").fill(Account.email)
            await page.locator("input[name=password]").fill(Redacted.value(Account.password))
            await Browser.navigate(page, () => page.getByRole("button", { name: "Sign in", exact: true }).click())
            await page.goto(`${url}/api/docs`)
            await cardOf(page, "articles-create")
              .locator("textarea")
              .fill(`{ "title": "Tea <b>", "summary": "Sent by a page" }`)
          })
          expect(yield* Effect.promise(() => send(page, "articles-create"))).toMatch(/^201 Created[^]*"Tea <b>"/)
          yield* Effect.promise(() => page.locator("#bearer").fill("efs_wrong"))
          expect(yield* Effect.promise(() => send(page, "articles-create"))).toMatch(/^401 Unauthorized/)
          // Chromium reports the two refused requests, and nothing else.
          expect(complaints.filter((line) => !line.includes("401"))).toEqual([])
        }),
      240_000
    )
  })
})
