// A browser that was closed with five tabs and opens them again, with nothing but its remember cookie.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Browser } from "playwright-core"
import { stores } from "../layers/auth/Stores.ts"
import { context, describeBrowser } from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { Connection } from "../support/Connection.ts"
import { TestDatabase } from "../support/Databases.ts"
import { demo } from "../support/Demo.ts"
import { gate } from "../support/Gate.ts"
import { processTree } from "../support/ProcessTree.ts"
import { configurations, left, live, remembered } from "../support/Remembered.ts"

const requested = process.env["RESTORED_TABS_ROUNDS"]
const rounds = Number(requested ?? 3)
const deadline = 240_000 + rounds * 10_000

/** Where each tab was, and where it ends when it is signed in. */
const tabs = [
  ["/account", "/account"],
  ["/password", "/password"],
  ["/", "/account"],
  ["/login", "/account"],
  ["/register", "/account"]
] as const

/** Until every process has responded: the first request of one that has just started takes longer than tabs wait. */
const warm = (url: string, workers: number) =>
  Effect.promise(async () => {
    const seen = new Set<string>()
    while (seen.size < workers) {
      const connection = await Connection.open(url)
      for (let time = 0; time < 3; time++) seen.add((await connection.get("/login")).process)
      connection.close()
    }
  })

/** Opens a tab on each of these paths at once; where they end, and where one goes that is opened afterwards. */
const restore = Effect.fnUntraced(function* (
  browser: Browser,
  url: string,
  remember: string,
  paths: ReadonlyArray<string>
) {
  const restored = yield* context(browser, { baseURL: url })
  return yield* Effect.promise(async () => {
    const flags = { secure: true, httpOnly: true, sameSite: "Lax" as const }
    await restored.addCookies([{ name: "remember", value: remember, url, ...flags }])
    const opened = await Promise.all(paths.map(async (path) => ({ path, page: await restored.newPage() })))
    const arrived = await Promise.all(
      opened.map(async ({ page, path }) => {
        await page.goto(path)
        return new URL(page.url()).pathname
      })
    )
    const later = await restored.newPage()
    await later.goto("/account")
    return { arrived, last: new URL(later.url()).pathname }
  })
}, Effect.scoped)

describeBrowser("Five restored tabs", () => {
  for (const [name, database, workers] of configurations) {
    layer(Layer.merge(stores(database), Chromium.layer), live)(name, (it) => {
      // With two processes only on request: one that has no processor for a quarter of a second reads its tab too late, which
      // is a theft, and docs/auth.md says so.
      const define = workers === 1 || requested !== undefined ? it.scoped : undefined
      define?.(
        "are one browser, which stays trusted",
        () =>
          Effect.gen(function* () {
            const chromium = yield* Chromium.Chromium
            const { url: address } = yield* TestDatabase
            const { pid, url } = yield* demo({ DATABASE_URL: address, WORKERS: String(workers) })
            yield* warm(url, workers)
            for (let round = 0; round < rounds; round++) {
              const person = yield* remembered
              const { arrived, last } = yield* Effect.flatMap(gate(url, processTree(pid), tabs.length), (together) =>
                restore(
                  chromium,
                  together,
                  person.remember,
                  tabs.map(([path]) => path)
                )
              ).pipe(Effect.scoped)
              // Another process cannot share a rotation: its tab is signed in by the next request.
              if (workers === 1) expect(arrived, `round ${round}`).toEqual(tabs.map(([, path]) => path))
              expect(last, `round ${round}`).toBe("/account")
              expect((yield* left(person)).devices, `round ${round}`).toBe(1)
            }
          }),
        deadline
      )

      it.scoped(
        "of one address, which Chromium loads one after the other with the cookie of the first, need the grace",
        () =>
          Effect.gen(function* () {
            const chromium = yield* Chromium.Chromium
            const { url: address } = yield* TestDatabase
            const settings = { DATABASE_URL: address, WORKERS: String(workers), AUTH_REMEMBER_GRACE: "600" }
            const { url } = yield* demo(settings)
            const person = yield* remembered
            const from = tabs.map(() => "/account")
            const { arrived, last } = yield* restore(chromium, url, person.remember, from)
            expect([...arrived, last]).toEqual([...from, "/account"])
            expect((yield* left(person)).devices).toBe(1)
          }),
        deadline
      )
    })
  }
})
