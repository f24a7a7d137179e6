// A browser that was closed with five tabs and opens them again, with nothing but its remember cookie.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { stores } from "../layers/auth/Stores.ts"
import { describeBrowser } from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { TestDatabase } from "../support/Databases.ts"
import { demo } from "../support/Demo.ts"
import { configurations, left, live, remembered } from "../support/Remembered.ts"

const rounds = 3
const tabs = 5
const deadline = 120_000

describeBrowser("Five restored tabs", () => {
  for (const [name, database, workers] of configurations) {
    layer(Layer.merge(stores(database), Chromium.layer), live)(name, (it) => {
      it.scoped(
        "all end on the account, and the browser is still trusted",
        () =>
          Effect.gen(function* () {
            const chromium = yield* Chromium.Chromium
            const { url: address } = yield* TestDatabase
            const { url } = yield* demo({ DATABASE_URL: address, WORKERS: String(workers) })
            for (let round = 0; round < rounds; round++) {
              const person = yield* remembered
              const paths = yield* Effect.promise(async () => {
                const context = await chromium.newContext({ baseURL: url })
                const flags = { secure: true, httpOnly: true, sameSite: "Lax" as const }
                await context.addCookies([{ name: "remember", value: person.remember, url, ...flags }])
                const pages = await Promise.all(Array.from({ length: tabs }, () => context.newPage()))
                await Promise.all(pages.map((page) => page.goto("/account")))
                const found = pages.map((page) => new URL(page.url()).pathname)
                await context.close()
                return found
              })
              expect(paths, `round ${round}`).toEqual(Array.from({ length: tabs }, () => "/account"))
              expect((yield* left(person)).devices, `round ${round}`).toBe(1)
            }
          }),
        deadline
      )
    })
  }
})
