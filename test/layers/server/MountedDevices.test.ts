// Remembered devices on Effect's stock server: a rotation becomes final there as on the framework's own server, for the
// pages and for an API.
import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Mount } from "../../../layers/server/index.ts"
import { AuthRoutes } from "../../../routes/auth/index.ts"
import { Pipeline } from "../../../routes/server/index.ts"
import { DefaultLayout } from "../../../src/http/index.ts"
import { TemporaryDatabase, TestClient } from "../../../testing/index.ts"
import * as MemoryMailer from "../../../testing/MemoryMailer.ts"
import * as WorkCounter from "../../../testing/WorkCounter.ts"
import { Connection } from "../../support/Connection.ts"
import * as NotesApi from "../../support/NotesApi.ts"

class Mounted extends Context.Tag("test/Mounted")<Mounted, { readonly url: string }>() {}

const services = Layer.mergeAll(
  TemporaryDatabase.layer(),
  DefaultLayout.layer({ name: "Teapots" }),
  Layer.provideMerge(MemoryMailer.layer, WorkCounter.layer)
)

const routes = HttpLayerRouter.addAll(
  Pipeline.mounted([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(NotesApi.NotesApi)])
)

const settings = ConfigProvider.fromMap(
  new Map([
    ["AUTH_ARGON2_MEMORY", "19456"],
    ["AUTH_ARGON2_TIME", "2"]
  ])
)

const mounted = Layer.effect(
  Mounted,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({
    url: `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
  }))
).pipe(
  Layer.provide(HttpLayerRouter.serve(routes, { disableLogger: true })),
  Layer.provide(NotesApi.layer),
  Layer.provide(Mount.layer()),
  Layer.provide(services),
  Layer.provide(NodeHttpServer.layer(Mount.createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provide(Layer.setConfigProvider(settings))
)

let count = 0

/** Someone whose browser was closed: it has the remember cookie alone. */
const remembered = Effect.gen(function* () {
  const { url } = yield* Mounted
  const client = TestClient.make(url)
  const person = { email: `person-${++count}@example.com`, password: "quiet harbour" }
  expect((yield* client.submit("/register", person)).location).toBe("/account")
  expect((yield* client.submit("/logout", {})).location).toBe("/login")
  expect((yield* client.submit("/login", { ...person, remember: "1" })).location).toBe("/account")
  client.jar.delete("session")
  return { client, url, remember: client.jar.get("remember") ?? "" }
})

layer(mounted, { excludeTestServices: true })("A remembered device on the stock server", (it) => {
  it.effect("is signed in by an API, and a guest is not", () =>
    Effect.gen(function* () {
      const { client, remember, url } = yield* remembered
      const response = yield* client.request("/api/me")
      expect([response.status, response.json]).toEqual([200, expect.objectContaining({ verified: false })])
      expect(client.jar.get("remember")).not.toBe(remember)
      const made = yield* client.json("POST", "/api/notes", { text: "tea" })
      expect([made.status, made.json]).toEqual([201, { id: 1, text: "tea" }])
      expect((yield* TestClient.make(url).request("/api/me")).status).toBe(401)
    })
  )

  it.effect("is signed in with a new cookie, and the old one is a theft afterwards", () =>
    Effect.gen(function* () {
      const { client, remember, url } = yield* remembered
      expect((yield* client.get("/account")).status).toBe(200)
      expect(client.jar.get("remember")).toMatch(/\./)
      expect(client.jar.get("remember")).not.toBe(remember)
      expect((yield* client.get("/account")).status).toBe(200)
      const thief = TestClient.make(url)
      thief.jar.set("remember", remember)
      expect((yield* thief.get("/account")).location).toBe("/login")
      expect(thief.jar.has("remember")).toBe(false)
      expect((yield* client.get("/account")).location).toBe("/login")
    })
  )

  it.effect("is one browser when five tabs present its cookie together", () =>
    Effect.gen(function* () {
      const { client, remember, url } = yield* remembered
      const replies = yield* Effect.promise(async () => {
        const tabs = await Promise.all(Array.from({ length: 5 }, () => Connection.open(url)))
        const replies = await Promise.all(tabs.map((tab) => tab.get("/account", { remember })))
        for (const tab of tabs) tab.close()
        return replies
      })
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      const [next = "", ...others] = new Set(replies.map(({ cookies }) => cookies.get("remember") ?? ""))
      expect([next, others]).toEqual([expect.stringMatching(/\./), []])
      client.jar.set("remember", next)
      expect((yield* client.get("/account")).status).toBe(200)
    })
  )

  it.effect("keeps its cookie when the client disconnects before the response", () =>
    Effect.gen(function* () {
      const { client, remember, url } = yield* remembered
      const broken = yield* Effect.promise(() => Connection.open(url))
      broken.get("/account", { remember }).catch(() => undefined)
      broken.close()
      // Whether the aborted request is still in progress or was rolled back: its response was never sent.
      expect((yield* client.get("/account")).status).toBe(200)
      expect(client.jar.get("remember")).not.toBe(remember)
    })
  )
})
