// The transport of the exporters against real servers.
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Runtime, Scope } from "effect"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { OtlpTransport } from "../../../layers/observability/internal/OtlpClient.ts"
import * as ThreadTransport from "../../../layers/observability/internal/ThreadTransport.ts"

/** The address of a server with this listener. */
const serving = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly stop: () => void }>((resume) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const stop = () => void server.close(() => undefined).closeAllConnections()
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, stop }))
      })
    }),
    ({ stop }) => Effect.sync(stop)
  )

const post = (url: string, body = "{}") =>
  Effect.flatMap(OtlpTransport, (send) => send({ url, headers: { "api-key": "k" }, body }))

describe("the thread of the exports", () => {
  it.scopedLive("posts text in any script, and returns what the collector said", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((request, response) => {
        let text = ""
        request.setEncoding("utf8").on("data", (part: string) => (text += part))
        request.on("end", () => {
          const { headers, method, url: path } = request
          response.writeHead(503, { "retry-after": "7" })
          response.end(JSON.stringify([method, path, headers["api-key"], headers["content-length"], text]))
        })
      })
      const received = yield* post(`${url}/v1/traces`, '{"a":"grün 🌱"}')
      expect(received).toEqual({
        status: 503,
        retryAfter: "7",
        body: JSON.stringify(["POST", "/v1/traces", "k", "18", '{"a":"grün 🌱"}'])
      })
    }).pipe(Effect.provide(ThreadTransport.layer))
  )

  it.scopedLive("does not mix up responses, and has one connection for requests in turn", () =>
    Effect.gen(function* () {
      const ports = new Set<number | undefined>()
      const { url } = yield* serving((request, response) => {
        ports.add(request.socket.remotePort)
        request.resume().on("end", () => setTimeout(() => response.end(request.url), request.url === "/0" ? 50 : 0))
      })
      const paths = Array.from({ length: 20 }, (_, at) => `/${at}`)
      const together = yield* Effect.forEach(paths, (path) => post(`${url}${path}`), { concurrency: "unbounded" })
      expect(together.map(({ body }) => body)).toEqual(paths)
      ports.clear()
      for (const path of paths) expect((yield* post(`${url}${path}`)).body).toBe(path)
      expect(ports.size).toBe(1)
    }).pipe(Effect.provide(ThreadTransport.layer))
  )

  it.scopedLive("tells why there is no response", () =>
    Effect.gen(function* () {
      const { stop, url } = yield* serving((request) => request.socket.destroy())
      expect(yield* Effect.flip(post(url))).toMatchObject({ status: undefined, reason: "socket hang up" })
      stop()
      const refused = yield* Effect.flip(post(url))
      expect(refused.reason).toContain("ECONNREFUSED")
      expect((yield* Effect.flip(post("gopher://127.0.0.1/"))).status).toBeUndefined()
      expect((yield* Effect.flip(post("nowhere"))).reason).toContain("Invalid URL")
    }).pipe(Effect.provide(ThreadTransport.layer))
  )

  it.scopedLive("breaks a request off when it is interrupted", () =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime<never>()
      const arrived = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const { url } = yield* serving((request) => {
        request.socket.on("close", () => Runtime.runFork(runtime)(Deferred.succeed(closed, undefined)))
        Runtime.runFork(runtime)(Deferred.succeed(arrived, undefined))
      })
      const fiber = yield* Effect.fork(post(url))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
      expect(Exit.isInterrupted(yield* Fiber.await(fiber))).toBe(true)
    }).pipe(Effect.provide(ThreadTransport.layer))
  )

  it.scopedLive("ends with its scope, and what still waits fails", () =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime<never>()
      const arrived = yield* Deferred.make<void>()
      const { url } = yield* serving(() => Runtime.runFork(runtime)(Deferred.succeed(arrived, undefined)))
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(ThreadTransport.layer, scope)
      const fiber = yield* Effect.fork(Effect.provide(Effect.flip(post(url)), context))
      yield* Deferred.await(arrived)
      yield* Scope.close(scope, Exit.void)
      expect((yield* Fiber.join(fiber)).reason).toBe("the thread of the exports ended")
    })
  )

  it.scopedLive("leaves the output of the process alone", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((request, response) => void request.resume().on("end", () => response.end()))
      const piped = () => [process.stdout, process.stderr].map((output) => output.listenerCount("unpipe"))
      const before = piped()
      yield* post(url)
      expect(piped()).toEqual(before)
    }).pipe(Effect.provide(ThreadTransport.layer))
  )

  it.scopedLive("cuts a reply that has no end", () =>
    Effect.gen(function* () {
      const { url } = yield* serving((request, response) => {
        request.resume().on("end", () => response.end("x".repeat(5_000_000)))
      })
      expect((yield* post(url)).body.length).toBeLessThan(200_000)
    }).pipe(Effect.provide(ThreadTransport.layer))
  )
})
