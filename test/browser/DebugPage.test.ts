import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { join } from "node:path"
import type { Page } from "playwright-core"
import * as FileSources from "../../layers/errors/FileSources.ts"
import * as FileErrorPages from "../../layers/errors/FileErrorPages.ts"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as WebServer from "../../layers/server/WebServer.ts"
import * as Sockets from "../../layers/server/Sockets.ts"
import * as Failures from "../../demo/Failures.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as DebugPage from "../../src/errors/internal/debug/DebugPage.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as Reporters from "../../src/errors/Reporters.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as CauseThrowables from "../../src/errors/internal/CauseThrowables.ts"
import * as RequestEvents from "../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as Axe from "../support/Axe.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { root } from "../support/Demo.ts"
import * as Throwables from "../support/Throwables.ts"

const server = (environment: Environment.Name) =>
  WebServer.layer(Pipeline.app(Pipeline.stateless(Failures.routes)), { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provide(
      Layer.mergeAll(
        TrustedProxies.layerWith([]),
        RequestEvents.layer,
        Sockets.layer,
        Reporters.layerNone,
        FileSources.layerWith({ root }),
        FileErrorPages.layer(join(root, "demo", "views", "errors"))
      ).pipe(Layer.provideMerge(Environment.layerWith(environment)))
    )
  )

const visit = <A>(
  environment: Environment.Name,
  path: string,
  act: (page: Page, url: string) => Promise<A>,
  options: Parameters<typeof Browser.watch>[1] = {}
) =>
  Effect.gen(function* () {
    const { url } = yield* ServerAddress
    const { complaints, page } = yield* Browser.watch(yield* Chromium.Chromium, options)
    yield* Effect.promise(() => page.goto(url + path))
    const result = yield* Effect.promise(() => act(page, url + path))
    return { result, complaints: complaints.filter((line) => !/status of (404|500)/.test(line)) }
  }).pipe(Effect.provide(server(environment)))

const selected = (page: Page) => page.locator(".frames a[aria-current] b").allInnerTexts()
const shownPanels = (page: Page) => page.locator(".panel:visible").count()

Browser.describeBrowser("DebugPage in a browser", () => {
  layer(Chromium.layer)((it) => {
    it.scoped("shows the failing line and complains about nothing, in light and in dark", () =>
      Effect.gen(function* () {
        for (const colorScheme of ["light", "dark"] as const) {
          for (const path of ["/error", "/error/chain", "/error/typed"]) {
            const { complaints, result } = yield* visit(
              "development",
              path,
              async (page) =>
                [
                  await page.locator("mark.l").first().innerText(),
                  await Effect.runPromise(Axe.violations(page))
                ] as const,
              { colorScheme }
            )
            expect(complaints).toEqual([])
            expect(result[1]).toEqual([])
            expect(result[0]).toMatch(/throw new Error|new OrderRejected|new OutOfStock/)
          }
        }
      })
    )

    it.scoped("walks the frames by keyboard and by mouse", () =>
      Effect.gen(function* () {
        const { complaints, result } = yield* visit("development", "/error/typed", async (page) => {
          // Which frames there are depends on what else this process runs.
          const names = await page.locator(".frames li:visible a b").allInnerTexts()
          const first = await selected(page)
          await page.keyboard.press("j")
          const second = await selected(page)
          await page.keyboard.press("ArrowDown")
          const third = await selected(page)
          await page.keyboard.press("ArrowUp")
          await page.keyboard.press("k")
          const back = await selected(page)
          await page.locator(".frames li:visible a").last().click()
          await page.waitForURL(/#t0f\d+$/)
          return {
            names,
            first,
            second,
            third,
            back,
            last: await selected(page),
            panels: await shownPanels(page),
            hash: new URL(page.url()).hash
          }
        })
        expect(complaints).toEqual([])
        expect(result.names).toContain("Stock.reserve")
        expect([result.first, result.second, result.third]).toEqual(result.names.slice(0, 3).map((name) => [name]))
        expect(result.back).toEqual(result.first)
        expect(result.panels).toBe(1)
        expect(result.hash).toMatch(/^#t0f\d+$/)
      })
    )

    it.scoped("shows and hides the frames of dependencies", () =>
      Effect.gen(function* () {
        const { result } = yield* visit("development", "/error", async (page) => {
          const count = () => page.locator(".frames li:visible").count()
          const before = await count()
          await page.keyboard.press("d")
          const during = await count()
          await page.locator(".reveal").click()
          return [before, during, await count(), await page.locator(".reveal").innerText()] as const
        })
        expect(result[1]).toBeGreaterThan(result[0])
        expect(result[2]).toBe(result[0])
        expect(result[3]).toMatch(/^Show \d+ frames of dependencies$/)
      })
    )

    it.scoped("searches in the frames and their source", () =>
      Effect.gen(function* () {
        const { complaints, result } = yield* visit("development", "/error/typed", async (page) => {
          const shown = () => page.locator(".frames li:visible b").allInnerTexts()
          const before = await shown()
          await page.keyboard.press("/")
          await page.keyboard.type("STOCK.reserve")
          const found = await shown()
          await page.locator(".find input").fill("wanted > left")
          const bySource = await shown()
          await page.locator(".find input").fill("no such word")
          const none = await shown()
          await page.keyboard.press("Escape")
          return {
            before,
            found,
            bySource,
            none,
            after: await shown(),
            violations: await Effect.runPromise(Axe.violations(page))
          }
        })
        expect(complaints).toEqual([])
        expect(result.violations).toEqual([])
        expect(result.found).toContain("Stock.reserve")
        expect(result.bySource.length).toBeGreaterThan(0)
        expect(result.none).toEqual([])
        expect(result.after).toEqual(result.before)
      })
    )

    it.scoped("copies itself as Markdown, without a secret", () =>
      Effect.gen(function* () {
        const { result } = yield* visit(
          "development",
          "/error/chain",
          async (page) => {
            // The word is shown for a moment only: the wait begins before it.
            await Promise.all([page.locator("#copy", { hasText: "Copied" }).waitFor(), page.keyboard.press("c")])
            return page.evaluate("navigator.clipboard.readText()")
          },
          { permissions: ["clipboard-read", "clipboard-write"] }
        )
        const markdown = String(result)
        expect(markdown).toContain("## OrderRejected")
        expect(markdown).toContain("```text\nOrder 1042 cannot be placed.\n```")
        expect(markdown).toMatch(/## caused by .*\n\n```text/)
        expect(markdown).toMatch(/> +\d+ \| .*new OrderRejected/)
        expect(markdown).toMatch(/ {4}at .*Orders\.place .*\(demo\/Failures\.ts:\d+\)/)
        expect(markdown).toContain("`demo/Failures.ts:")
        expect(markdown).toMatch(/## Request\n\n```text\nmethod {2}GET\nroute {2}\/error\/chain\n/)
        expect(markdown).toMatch(/runtime {2}node v\d+\..*\neffect {2}3\..*\neffect-framework {2}\d/)
      })
    )

    it.scoped("opens files in the editor that was chosen, and remembers it and the theme", () =>
      Effect.gen(function* () {
        const { result } = yield* visit("development", "/error", async (page) => {
          const link = () => page.locator(".panel.on a.file").getAttribute("href")
          const before = await link()
          await page.selectOption("#editor", { label: "Zed" })
          await page.keyboard.press("Tab")
          await page.locator("#theme").click()
          await page.reload()
          return [before, await link(), await page.evaluate("document.documentElement.dataset.theme")] as const
        })
        expect(result[0]).toMatch(/^vscode:\/\/file\/.*demo\/Failures\.ts:\d+:\d+$/)
        expect(result[1]).toMatch(/^zed:\/\/file\/.*demo\/Failures\.ts:\d+:\d+$/)
        expect(result[2]).toBe("dark")
      })
    )

    it.scoped("shows everything without JavaScript", () =>
      Effect.gen(function* () {
        const { result } = yield* visit(
          "development",
          "/error",
          async (page) => {
            const [frames, panels] = [await page.locator(".frames li:visible").count(), await shownPanels(page)]
            await page.locator(".frames a").last().click()
            await page.waitForURL(/#t0f\d+$/)
            return [frames, panels, new URL(page.url()).hash] as const
          },
          { javaScriptEnabled: false }
        )
        expect(result[0]).toBeGreaterThan(1)
        expect(result[1]).toBe(result[0])
        expect(result[2]).toBe(`#t0f${result[0] - 1}`)
      })
    )

    it.scoped("fits a phone", () =>
      Effect.gen(function* () {
        const { result } = yield* visit(
          "development",
          "/error/typed",
          (page) => page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
          { viewport: { width: 360, height: 740 } }
        )
        expect(result).toBe(0)
      })
    )

    it.scoped("is parsed into the same elements whatever the texts are", () =>
      Effect.gen(function* () {
        const sources = yield* Effect.provide(Sources, FileSources.layerWith({ root }))
        const document = (text: string) => {
          const error = Object.assign(new Error(text, { cause: new Error(text) }), { name: `E ${text}`, field: text })
          const context = [{ title: text, rows: [[`x ${text}`, text]] as const }]
          const request = { method: text, uri: text }
          error.stack = `${error.name}: ${text}\n    at ${text.replace(/\s/g, " ")} (/x/y.ts:1:1)`
          return DebugPage.render({ throwable: CauseThrowables.from(error), context, request }, { sources, nonce: "n" })
        }
        const pages = ["harmless", ...Throwables.texts.map((text) => `a ${text}`)].map(document)
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        const outlines: ReadonlyArray<string> = yield* Effect.promise(() =>
          page.evaluate((documents) => {
            const outline = (element: unknown): string => {
              const { attributes, children, tagName } = element as {
                readonly tagName: string
                readonly attributes: Iterable<{ readonly name: string }>
                readonly children: Iterable<unknown>
              }
              const names = Array.from(attributes, ({ name }) => name)
              return `${tagName}[${names.join()}](${Array.from(children, outline).join()})`
            }
            const Parser = Reflect.get(globalThis, "DOMParser")
            return documents.map((text) => outline(new Parser().parseFromString(text, "text/html").documentElement))
          }, pages)
        )
        expect(new Set(outlines).size).toBe(1)
        expect(outlines[0]).toContain("MARK")
      })
    )

    it.scoped("shows the project's pages with their own style under their own policy", () =>
      Effect.gen(function* () {
        for (const [environment, path] of [
          ["production", "/error"],
          ["development", "/nowhere"]
        ] as const) {
          const { complaints, result } = yield* visit(environment, path, async (page) => [
            await page.locator("h1").innerText(),
            await page.evaluate("getComputedStyle(document.querySelector('a')).borderRadius"),
            await Effect.runPromise(Axe.violations(page))
          ])
          expect(complaints).toEqual([])
          expect(result.slice(1)).toEqual(["8px", []])
        }
      })
    )
  })
})
