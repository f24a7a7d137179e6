// A WebSocket opened by a page in a real browser, which sends its cookies whatever page it is.
import { expect, layer } from "@effect/vitest"
import { HttpLayerRouter } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import type { Page } from "playwright-core"
import * as Access from "../../routes/auth/Access.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as WebSockets from "../../routes/session/WebSockets.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as Browser from "../support/Browser.ts"
import * as Chromium from "../support/Chromium.ts"
import { pageServer } from "../support/PageServer.ts"

const live = WebSockets.response((socket) =>
  Effect.gen(function* () {
    const { email } = yield* CurrentIdentity
    const write = yield* socket.writer
    yield* socket.runRaw((message) => write(`${email}: ${String(message)}`))
  })
)

const app = Pipeline.app(
  Pipeline.pages([
    ...AuthRoutes.routes,
    WebSockets.route()(HttpLayerRouter.route("GET", "/live", Access.requireUser(live)))
  ])
)

const say = (page: Page, url: string) =>
  Effect.promise(() =>
    page.evaluate<string>(`new Promise((resolve) => {
      const socket = new WebSocket(${JSON.stringify(url.replace("http", "ws"))} + "/live")
      socket.onopen = () => socket.send("from a page")
      socket.onmessage = ({ data }) => resolve(data)
      socket.onclose = ({ code }) => resolve("closed " + code)
    })`)
  )

Browser.describeBrowser("A WebSocket with cookies", () => {
  layer(Chromium.layer, { excludeTestServices: true })((it) => {
    it.scoped("opens from a page of the program, within its content policy, and from no other page", () =>
      Effect.gen(function* () {
        const { port } = yield* pageServer
        const server = yield* Layer.build(TestApp.layerOf(app, { environment: "production" }))
        const { url } = Context.get(server, ServerAddress)
        const { email, password } = yield* Effect.provide(TestApp.enrolledUser(), server)
        const { page } = yield* Browser.watch(yield* Chromium.Chromium)
        yield* Effect.promise(() => page.goto(`${url}/login`))
        expect(yield* say(page, url)).toBe("closed 1006")
        yield* Effect.promise(async () => {
          await page.locator("input[name=email]").fill(email)
          await page.locator("input[name=password]").fill(password)
          await Browser.navigate(page, () => page.getByRole("button", { name: "Sign in", exact: true }).click())
        })
        expect(yield* say(page, url)).toBe(`${email}: from a page`)
        yield* Effect.promise(() => page.goto(`http://127.0.0.1:${port}`))
        expect(yield* say(page, url)).toBe("closed 1006")
      })
    )
  })
})
