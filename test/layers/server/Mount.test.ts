import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type * as Http from "node:http"
import * as German from "../../../demo/texts/German.ts"
import * as Mount from "../../../layers/server/Mount.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as Texts from "../../../routes/http/Texts.ts"
import { MalformedBody } from "../../../src/http/BodyError.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/hello",
    Effect.sync(() => Respond.text("hello"))
  )
]

/** Waits until node has told of so many requests from now on, without being a listener of the server. */
const arrived = (count: number) =>
  Effect.gen(function* () {
    const all = yield* Deferred.make<void>()
    let seen = 0
    const note = () => {
      if (++seen === count) Deferred.unsafeDone(all, Effect.void)
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => subscribe("http.server.request.start", note)),
      () => Effect.sync(() => unsubscribe("http.server.request.start", note))
    )
    return Deferred.await(all)
  })

describe("The mount on the stock server", () => {
  it.scopedLive("serves a request that comes while the layers are built, and those after it", () =>
    Effect.gen(function* () {
      const listening = yield* Deferred.make<number>()
      const built = yield* Deferred.make<void>()
      const came = yield* arrived(1)
      const create = (): Http.Server => {
        const server = Mount.createServer()
        return server.on("listening", () => {
          const address = server.address()
          if (typeof address === "object" && address !== null) {
            Deferred.unsafeDone(listening, Effect.succeed(address.port))
          }
        })
      }
      const slow = Layer.effectDiscard(Deferred.await(built)).pipe(Layer.provideMerge(Serving.support()))
      const mount = HttpLayerRouter.serve(HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless(routes))), {
        disableLogger: true
      }).pipe(Layer.provide(slow), Layer.provide(NodeHttpServer.layer(create, { port: 0 })))
      yield* Effect.forkScoped(Layer.launch(mount))
      const port = yield* Deferred.await(listening)
      const early = yield* Effect.fork(Raw.exchange(port, Raw.request("GET /hello HTTP/1.1")))
      yield* came
      yield* Deferred.succeed(built, undefined)
      expect(yield* Fiber.join(early)).toMatch(/^HTTP\/1\.1 200 OK.*hello/s)
      expect(yield* Raw.exchange(port, Raw.request("GET /hello HTTP/1.1"))).toMatch(/^HTTP\/1\.1 200 OK.*hello/s)
    })
  )

  it.scopedLive("names the language of a response that has texts, and varies with Accept-Language", () =>
    Effect.gen(function* () {
      const signIn = Effect.map(Texts.of(HttpTexts), ({ layout }) =>
        Respond.json(layout.signIn, { headers: { vary: "Accept" } })
      )
      const broken = new MalformedBody({ reason: "endedEarly" })
      const all = [
        ...routes,
        HttpLayerRouter.route("GET", "/sign-in", signIn),
        HttpLayerRouter.route("GET", "/broken", broken)
      ]
      const services = Layer.merge(Serving.support(), Languages.layer({ en: Layer.empty, de: German.layer }))
      const app = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless(all)))
      const server = NodeHttpServer.layer(Mount.createServer, { host: "127.0.0.1", port: 0 })
      const mount = HttpLayerRouter.serve(app, { disableLogger: true }).pipe(
        Layer.provide(services),
        Layer.provideMerge(server)
      )
      const url = yield* Effect.provide(HttpServer.addressFormattedWith(Effect.succeed), yield* Layer.build(mount))
      const client = TestClient.make(url)
      const read = Effect.fnUntraced(function* (path: string, language: string) {
        const headers = { accept: "application/json", "accept-language": language }
        const { body, headers: received } = yield* client.request(path, { headers })
        return [body, received.get("content-language"), received.get("vary")]
      })
      expect(yield* read("/sign-in", "de-AT, en;q=0.5")).toEqual(['"Anmelden"', "de", "Accept, Accept-Language"])
      expect(yield* read("/sign-in", "fr")).toEqual(['"Sign in"', "en", "Accept, Accept-Language"])
      expect(yield* read("/broken", "de")).toEqual([
        '{"error":"Der Inhalt endet zu früh."}',
        "de",
        "Accept, Accept-Language"
      ])
      expect(yield* read("/hello", "de")).toEqual(["hello", null, null])
    })
  )

  it.scopedLive("responds with Retry-After when too many wait", () =>
    Effect.gen(function* () {
      const server = Mount.createServer()
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => void server.close().closeAllConnections())
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const many = yield* arrived(1000)
      const held = yield* Effect.fork(Raw.exchange(port, "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1000)))
      yield* many
      const first = yield* Raw.exchange(port, Raw.request("GET / HTTP/1.1"))
      expect(first).toMatch(/^HTTP\/1\.1 503 .*\r\nretry-after: 1\r\n/s)
      yield* Fiber.interrupt(held)
    })
  )
})
