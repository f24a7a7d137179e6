import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { connect } from "node:net"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Failures from "../../../demo/Failures.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import type * as Environment from "../../../src/config/Environment.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Serving from "../../support/Serving.ts"
import { unchecked } from "../../support/Unchecked.ts"

const serve = (
  routes: ReadonlyArray<HttpLayerRouter.Route<unknown, never>>,
  environment: Environment.Name = "production"
) =>
  Effect.gen(function* () {
    const messages: Array<string> = []
    const context = yield* Layer.build(
      WebServer.layer(Pipeline.app(Pipeline.stateless(unchecked(routes))), { host: "127.0.0.1", port: 0 }).pipe(
        Layer.provideMerge(Layer.merge(Serving.support({ environment }), WorkerReporters.layer))
      )
    )
    return yield* Effect.gen(function* () {
      const { port, url } = yield* ServerAddress
      const { add } = yield* Reporters
      yield* add((throwable, facts) => void messages.push(`${facts.method} ${facts.uri} ${throwable.message}`))
      return { port, url, messages }
    }).pipe(Effect.provide(context))
  })

describe("Errors over a real connection", () => {
  it.scopedLive("closes the connection and reports once when the body fails after the headers were sent", () =>
    Effect.gen(function* () {
      const seen = yield* Deferred.make<void>()
      const rest = Stream.fromEffect(Effect.zipRight(Deferred.await(seen), Effect.fail(new Error("too late"))))
      const body = Stream.encodeText(Stream.concat(Stream.make("half an answer"), rest))
      const late = HttpLayerRouter.route("GET", "/late", Effect.succeed(HttpServerResponse.stream(body)))
      const { messages, port } = yield* serve([late])
      const received = yield* Effect.async<string>((resume) => {
        const socket = connect(port, "127.0.0.1", () => socket.write("GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        let text = ""
        socket.on("data", (chunk) => {
          text += String(chunk)
          if (text.includes("half an answer")) Deferred.unsafeDone(seen, Effect.void)
        })
        socket.on("error", () => undefined)
        socket.on("close", () => resume(Effect.succeed(text)))
      })
      expect(received).toContain("half an answer")
      // The last chunk never comes: the client can tell that something is missing.
      expect(received.endsWith("0\r\n\r\n")).toBe(false)
      yield* eventually(
        Effect.sync(() => messages.length),
        (count) => count > 0
      )
      expect(messages).toEqual(["GET /late too late"])
    })
  )

  it.scopedLive("does not take a client that went away for an error", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const slow = HttpLayerRouter.route(
        "GET",
        "/slow",
        Deferred.succeed(started, undefined).pipe(
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
        )
      )
      const { messages, port } = yield* serve([slow])
      const socket = connect(port, "127.0.0.1", () => socket.write("GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n"))
      yield* Deferred.await(started)
      socket.destroy()
      yield* Deferred.await(ended)
      expect(messages).toEqual([])
    })
  )

  it.scopedLive("responds to the routes that fail on purpose, without details in production", () =>
    Effect.gen(function* () {
      const { messages, url } = yield* serve(Failures.routes)
      const client = TestClient.make(url)
      const bodies = new Set<string>()
      for (const path of ["/error", "/error/chain", "/error/typed"]) {
        const { body, headers, status } = yield* client.request(path, { headers: { "x-request-id": "r1" } })
        expect(body).toContain("<small>Request r1</small>")
        expect([status, headers.get("vary"), headers.get("cache-control")]).toEqual([500, "Accept", "no-store"])
        bodies.add(body)
        const json = yield* client.request(path, { headers: { accept: "application/json" } })
        expect(json.body).toBe('{"error":"Internal Server Error"}')
      }
      expect(bodies.size).toBe(1)
      expect(messages).toHaveLength(6)
    })
  )

  it.scopedLive("sends the response of a failure that has one, and reports nothing", () =>
    Effect.gen(function* () {
      const { messages, url } = yield* serve(Failures.routes, "development")
      const client = TestClient.make(url)
      const { body, status } = yield* client.request("/error/sold-out", { headers: { accept: "application/json" } })
      expect([status, body]).toEqual([409, '{"error":"This article is sold out."}'])
      expect(messages).toEqual([])
    })
  )

  it.scopedLive("shows the chain, the fields and the spans in development", () =>
    Effect.gen(function* () {
      const { url } = yield* serve(Failures.routes, "development")
      const client = TestClient.make(url)
      const chain = yield* client.get("/error/chain")
      expect(chain.body).toContain("Order 1042 cannot be placed.")
      expect(chain.body).toContain("caused by")
      const typed = yield* client.request("/error/typed", { headers: { accept: "application/json" } })
      expect(JSON.parse(typed.body)).toMatchObject({
        error: "OutOfStock",
        message: "Only 2 of “blue teapot” are left, but the order wants 3.",
        file: expect.stringContaining("demo/Failures.ts"),
        trace: expect.arrayContaining([expect.objectContaining({ call: "Stock.reserve" })])
      })
      const head = yield* client.request("/error", { method: "HEAD" })
      expect([head.status, head.body]).toEqual([500, ""])
    })
  )

  it.scopedLive("responds to many failing requests at once, each reported once", () =>
    Effect.gen(function* () {
      const { messages, url } = yield* serve(Failures.routes)
      const client = TestClient.make(url)
      const responses = yield* Effect.all(
        Array.from({ length: 100 }, () => client.get("/error")),
        { concurrency: 20 }
      )
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([500]))
      expect(messages).toHaveLength(100)
    })
  )
})
