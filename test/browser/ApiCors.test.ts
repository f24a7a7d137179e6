// An API called by a page of another origin, in a real browser: what it may, and what the browser blocks.
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import * as ExampleApi from "../support/ExampleApi.ts"
import { pageServer } from "../support/PageServer.ts"

interface Outcome {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly blocked?: string
}

const call = (page: Page, url: string, init: object = {}) =>
  Effect.promise(() =>
    page.evaluate<Outcome>(`fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
      async (response) => ({
        status: response.status, headers: Object.fromEntries(response.headers), body: await response.text()
      }),
      (error) => ({ blocked: error.name })
    )`)
  )

Browser.describeBrowser("An API with CORS", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    it.scoped("is open to the pages of its origins, without their cookies, and to no other page", () =>
      Effect.gen(function* () {
        const { port } = yield* pageServer
        const [allowed, other] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
        const app = Pipeline.app([
          ...Pipeline.pages(AuthRoutes.routes),
          ...Pipeline.api(ExampleApi.TeaApi, { cors: { origins: [allowed] } }),
          ...Pipeline.api(ExampleApi.MeApi, { cors: { origins: [allowed] } })
        ])
        const server = yield* Layer.build(
          TestApp.layerOf(app, { environment: "production", services: ExampleApi.layer })
        )
        const { url } = Context.get(server, ServerAddress)
        const { email, password } = yield* Effect.provide(TestApp.enrolledUser(), server)
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(() => page.goto(allowed))

        const listed = yield* call(page, `${url}/api/teas`)
        expect([listed.status, JSON.parse(listed.body ?? "")]).toEqual([200, expect.any(Array)])
        expect(listed.headers).toHaveProperty("x-request-id")
        // A preflight allows the header and the content type; the error can be read.
        const headers = { "content-type": "application/json", authorization: "Bearer efs_wrong" }
        const body = JSON.stringify({ name: "Assam", price: 1 })
        const refused = yield* call(page, `${url}/api/teas`, { method: "POST", headers, body })
        expect([refused.status, JSON.parse(refused.body ?? "")._tag]).toEqual([401, "Unauthenticated"])
        expect(refused.headers).toHaveProperty("www-authenticate")
        expect(yield* call(page, `${url}/api/teas/404`)).toMatchObject({ status: 404 })
        // A method and a header that no endpoint has.
        expect(yield* call(page, `${url}/api/teas`, { method: "PATCH" })).toEqual({ blocked: "TypeError" })
        expect(yield* call(page, `${url}/api/teas`, { headers: { "x-other": "1" } })).toEqual({ blocked: "TypeError" })
        // Other routes of the same program.
        expect(yield* call(page, `${url}/csrf`)).toEqual({ blocked: "TypeError" })
        expect(yield* call(page, `${url}/login`)).toEqual({ blocked: "TypeError" })

        // Signed in: the ports of one host share their cookies, and nothing can be done with them.
        yield* Effect.promise(async () => {
          await page.goto(`${url}/login`)
          await page.locator("input[name=email]").fill(email)
          await page.locator("input[name=password]").fill(password)
          await Browser.navigate(page, () => page.getByRole("button", { name: "Sign in", exact: true }).click())
        })
        expect(yield* call(page, `${url}/api/me`)).toMatchObject({ status: 200 })
        yield* Effect.promise(() => page.goto(allowed))
        expect(yield* call(page, `${url}/api/me`)).toMatchObject({ status: 401 })
        expect(yield* call(page, `${url}/api/me`, { credentials: "include" })).toEqual({ blocked: "TypeError" })
        const forged = { method: "POST", credentials: "include", body, headers: { "x-csrf-token": "guessed" } }
        expect(yield* call(page, `${url}/api/teas`, forged)).toEqual({ blocked: "TypeError" })

        yield* Effect.promise(() => page.goto(other))
        expect(yield* call(page, `${url}/api/teas`)).toEqual({ blocked: "TypeError" })
        expect(yield* call(page, `${url}/api/teas`, { method: "POST", headers, body })).toEqual({
          blocked: "TypeError"
        })
      })
    )
  })
})
