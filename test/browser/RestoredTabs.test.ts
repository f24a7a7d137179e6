// A browser that was closed with five tabs and opens them again, with nothing but its remember cookie.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Browser, BrowserContext, Route } from "playwright-core"
import { stores } from "../layers/auth/Stores.ts"
import { describeBrowser } from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { Connection } from "../support/Connection.ts"
import { TestDatabase } from "../support/Databases.ts"
import { demo } from "../support/Demo.ts"
import { configurations, left, live, remembered } from "../support/Remembered.ts"

const rounds = 3
const deadline = 180_000

/** Where each tab was, and where it ends when it is signed in. */
const tabs = [
  ["/account", "/account"],
  ["/password", "/password"],
  ["/", "/account"],
  ["/login", "/account"],
  ["/register", "/account"]
] as const

/** Until every process has answered: one that has just started takes longer over its first request than tabs wait. */
const warm = (url: string, workers: number) =>
  Effect.promise(async () => {
    const seen = new Set<string>()
    while (seen.size < workers) {
      const connection = await Connection.open(url)
      for (let time = 0; time < 3; time++) seen.add((await connection.get("/login")).process)
      connection.close()
    }
  })

/** Lets the first loads go when all of them are ready: a busy machine takes longer to open five tabs than a person's. */
const gather = async (context: BrowserContext, count: number): Promise<void> => {
  const ready: Array<Route> = []
  await context.route("**/*", async (route) => {
    ready.push(route)
    if (ready.length > count) await route.continue()
    if (ready.length === count) await Promise.all(ready.map((one) => one.continue()))
  })
}

/** Opens a tab on each of these paths at once; where they end, and where one goes that is opened afterwards. */
const restore = (browser: Browser, url: string, remember: string, paths: ReadonlyArray<string>, together: boolean) =>
  Effect.promise(async () => {
    const context = await browser.newContext({ baseURL: url })
    const flags = { secure: true, httpOnly: true, sameSite: "Lax" as const }
    await context.addCookies([{ name: "remember", value: remember, url, ...flags }])
    const opened = await Promise.all(
      paths.map(async (path) => {
        const page = await context.newPage()
        return { path, page }
      })
    )
    if (together) await gather(context, paths.length)
    const arrived = await Promise.all(
      opened.map(async ({ page, path }) => {
        await page.goto(path)
        return new URL(page.url()).pathname
      })
    )
    const later = await context.newPage()
    await later.goto("/account")
    const last = new URL(later.url()).pathname
    await context.close()
    return { arrived, last }
  })

describeBrowser("Five restored tabs", () => {
  for (const [name, database, workers] of configurations) {
    layer(Layer.merge(stores(database), Chromium.layer), live)(name, (it) => {
      // Only where one process serves all tabs: a browser on a busy machine may take longer over five tabs than the other
      // processes wait for, and docs/auth.md says so.
      if (workers === 1) {
        it.scoped(
          "are all signed in, and the browser is still trusted",
          () =>
            Effect.gen(function* () {
              const chromium = yield* Chromium.Chromium
              const { url: address } = yield* TestDatabase
              const { url } = yield* demo({ DATABASE_URL: address, WORKERS: String(workers) })
              yield* warm(url, workers)
              for (let round = 0; round < rounds; round++) {
                const person = yield* remembered
                const from = tabs.map(([path]) => path)
                const { arrived, last } = yield* restore(chromium, url, person.remember, from, true)
                expect(arrived, `round ${round}`).toEqual(tabs.map(([, path]) => path))
                expect(last, `round ${round}`).toBe("/account")
                expect((yield* left(person)).devices, `round ${round}`).toBe(1)
              }
            }),
          deadline
        )
      }

      it.scoped(
        "of one address, which Chromium loads one after the other with the cookie of the first, need the grace",
        () =>
          Effect.gen(function* () {
            const chromium = yield* Chromium.Chromium
            const { url: address } = yield* TestDatabase
            const settings = { DATABASE_URL: address, WORKERS: String(workers), AUTH_REMEMBER_GRACE: "30" }
            const { url } = yield* demo(settings)
            const person = yield* remembered
            const from = tabs.map(() => "/account")
            const { arrived, last } = yield* restore(chromium, url, person.remember, from, false)
            expect([...arrived, last]).toEqual([...from, "/account"])
            expect((yield* left(person)).devices).toBe(1)
          }),
        deadline
      )
    })
  }
})
