// The list as a person reads it: without script, on a phone and on a wide screen, by day and by night.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as Demo from "../support/Demo.ts"

const screenshots = fileURLToPath(new URL("./screenshots/", import.meta.url))

const ids = (page: Page) =>
  Effect.promise(() =>
    page.locator("li[id^=article-]").evaluateAll((items) => items.map((item: { id: string }) => item.id))
  )

const follow = (page: Page, name: string) =>
  Effect.promise(() => Browser.navigate(page, () => page.getByRole("link", { name }).click()))

Browser.describeBrowser("The pages of the articles", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    it.scoped(
      "lead on and back without script, pass axe and fit",
      () =>
        Effect.gen(function* () {
          const { url } = yield* Demo.demo()
          const browser = yield* Chromium.Chromium
          for (const { colorScheme, height, name, width } of Browser.looks) {
            const { complaints, page } = yield* Browser.watch(browser, { colorScheme, viewport: { width, height } })
            const look = Effect.fnUntraced(function* (what: string) {
              expect(yield* Axe.violations(page), `axe on ${what}`).toEqual([])
              expect(yield* Browser.overflow(page), `width of ${what}`).toBeLessThanOrEqual(0)
              const path = `${screenshots}articles-${what}-${name}.png`
              yield* Effect.promise(() => page.screenshot({ path, fullPage: true }))
            })
            yield* Effect.promise(() => page.goto(`${url}/articles?limit=5`))
            yield* look("page")
            yield* Effect.promise(() => page.goto(`${url}/articles?cursor=&limit=5&author=3`))
            yield* look("walk")
            yield* Effect.promise(() => page.goto(`${url}/articles?q=nothing-is-called-so`))
            yield* look("empty")
            expect(complaints).toEqual([])
          }
          const { page } = yield* Browser.watch(browser, { javaScriptEnabled: false })
          yield* Effect.promise(() => page.goto(`${url}/articles`))
          const first = yield* ids(page)
          yield* follow(page, "Next")
          const second = yield* ids(page)
          expect(first).toHaveLength(10)
          expect(second).toHaveLength(10)
          expect(first.filter((id) => second.includes(id))).toEqual([])
          yield* follow(page, "Previous")
          expect(yield* ids(page)).toEqual(first)
          yield* follow(page, "Read without pages")
          expect(yield* ids(page)).toEqual(first)
          yield* follow(page, "Load more")
          expect(yield* ids(page)).toEqual(second)
          yield* Effect.promise(async () => {
            await page.getByLabel("Words in the title").fill("slow trains")
            await page.getByLabel("Order").selectOption("title")
            await Browser.navigate(page, () => page.getByRole("button", { name: "Show" }).click())
          })
          const titles = yield* Effect.promise(() => page.locator("article h2").allTextContents())
          expect(titles.length).toBeGreaterThan(5)
          expect(titles.every((title) => title.toLowerCase().includes("slow trains"))).toBe(true)
          expect(titles).toEqual(titles.toSorted())
          const refused = yield* Effect.promise(() => page.goto(`${url}/articles?cursor=forged`))
          expect(refused?.status()).toBe(400)
          expect(yield* Effect.promise(() => page.content())).toContain("The cursor is not valid")
        }),
      240_000
    )
  })
})
