// The site as a person reads it: by day and by night, on a phone, by axe, without the network beyond it, and without scripts.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { root } from "../support/Demo.ts"
import { built, served } from "./Built.ts"

const screenshots = fileURLToPath(new URL("../browser/screenshots/", import.meta.url))

const addresses = [
  "",
  "getting-started.html",
  "auth.html",
  "api-guide.html",
  "pagination.html",
  "deployment.html",
  "security.html",
  "changelog.html",
  "tutorial/1-accounts-and-roles.html",
  "recipes/a-role-with-its-own-403.html",
  "api/",
  "api/auth.html"
]

const site = Effect.flatMap(
  Effect.promise(() => built()),
  ({ folder }) => served(folder)
)

Browser.describeBrowser("The site", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    for (const { colorScheme, height, name, width } of Browser.looks) {
      it.scoped(
        `passes axe on twelve pages, fits and asks no other host: ${name}`,
        () =>
          Effect.gen(function* () {
            const url = yield* site
            const browser = yield* Chromium.Chromium
            const { complaints, page } = yield* Browser.watch(browser, { colorScheme, viewport: { width, height } })
            const foreign: Array<string> = []
            page.on("request", (request) => {
              if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url)) foreign.push(request.url())
            })
            for (const address of addresses) {
              yield* Effect.promise(() => page.goto(`${url}/${address}`, { waitUntil: "networkidle" }))
              const file = `site-${address.replace(/\W+/g, "-")}${name}.png`
              yield* Effect.promise(() => page.screenshot({ path: `${screenshots}${file}` }))
              expect([address, yield* Axe.violations(page)]).toEqual([address, []])
              expect([address, yield* Browser.overflow(page)]).toEqual([address, 0])
            }
            const color = "getComputedStyle(document.querySelector('.NAME')).color"
            yield* Effect.promise(() => page.goto(`${url}/recipes/a-job.html`))
            const colors = ["hk", "hs", "hc"].map((name) => page.evaluate<string>(color.replace("NAME", name)))
            expect(new Set(yield* Effect.promise(() => Promise.all(colors))).size).toBe(3)
            expect(foreign).toEqual([])
            expect(complaints).toEqual([])
          }),
        600_000
      )
    }

    it.scoped(
      "searches and copies by the browser alone",
      () =>
        Effect.gen(function* () {
          const url = yield* site
          const browser = yield* Chromium.Chromium
          const { complaints, page } = yield* Browser.watch(browser, {
            viewport: { width: 1440, height: 900 },
            permissions: ["clipboard-read", "clipboard-write"]
          })
          yield* Effect.promise(async () => {
            await page.goto(`${url}/metrics-alone.html`, { waitUntil: "networkidle" })
            await page.locator(".language-ts button.copy").first().click({ force: true })
            await page.locator(".language-ts button.copy.copied").first().waitFor()
            const copied = await page.evaluate<string>("navigator.clipboard.readText()")
            const example = readFileSync(join(root, "docs", "examples", "metrics-alone.ts"), "utf8")
            expect(copied.trim()).toBe(example.trim())
            await page.locator("#local-search button").first().click()
            await page.locator("#localsearch-input").fill("own users table")
            await page.locator(".VPLocalSearchBox .results a").first().waitFor()
            await page.screenshot({ path: `${screenshots}site-search.png` })
            await page.locator('.VPLocalSearchBox .results a[href^="/own-database.html"]').first().click()
            await page.waitForURL(/own-database\.html/)
            await page.getByRole("heading", { name: "On your own database" }).waitFor()
          })
          expect(complaints).toEqual([])
        }),
      600_000
    )

    it.scoped(
      "can be read and gone through without scripts, on a phone as well",
      () =>
        Effect.gen(function* () {
          const url = yield* site
          const browser = yield* Chromium.Chromium
          for (const { height, name, width } of Browser.looks) {
            const { page } = yield* Browser.watch(browser, { javaScriptEnabled: false, viewport: { width, height } })
            yield* Effect.promise(async () => {
              await page.goto(`${url}/mail.html`)
              expect(await page.locator("h1").innerText()).toContain("Mail")
              await page.screenshot({ path: `${screenshots}site-plain-${name}.png`, fullPage: true })
              await page.getByRole("link", { name: "Jobs", exact: true }).first().click()
              await page.waitForURL(/jobs\.html/)
              expect(await page.locator("h1").innerText()).toContain("Jobs")
            })
          }
        }),
      600_000
    )
  })
})
