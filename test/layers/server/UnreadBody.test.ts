import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import * as FormFields from "../../../routes/http/internal/FormFields.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import type { RequestState } from "../../../src/http/internal/RequestState.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { describeHaproxy, inFront } from "../../support/Haproxy.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const { HttpServerRequest: Request } = HttpServerRequest

const routes: ReadonlyArray<HttpLayerRouter.Route<unknown, RequestState>> = [
  // Like a guard, a limit or a failed check: it responds and does not read the body.
  HttpLayerRouter.route(
    "POST",
    "/status/:code",
    Effect.map(HttpLayerRouter.params, ({ code }) => Respond.text("unread", { status: Number(code) }))
  ),
  HttpLayerRouter.route(
    "POST",
    "/text",
    Effect.flatMap(Request, (request) => Effect.map(request.text, ({ length }) => Respond.json({ length })))
  ),
  HttpLayerRouter.route(
    "POST",
    "/fields",
    Effect.map(FormFields.read, ({ names }) => Respond.json({ names }))
  ),
  HttpLayerRouter.route(
    "POST",
    "/first",
    Effect.flatMap(Request, (request) =>
      Effect.as(Effect.orDie(Stream.runHead(request.stream)), Respond.text("enough", { status: 400 }))
    )
  ),
  HttpLayerRouter.route(
    "POST",
    "/echo",
    Effect.map(Request, (request) => HttpServerResponse.stream(request.stream))
  ),
  HttpLayerRouter.route(
    "GET",
    "/next",
    Effect.sync(() => Respond.text("next"))
  )
]

const next = "GET /next HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

const form = "Content-Type: application/x-www-form-urlencoded"

const declared =
  (size: number) =>
  (path: string, version: string, headers: ReadonlyArray<string> = []) =>
    `POST ${path} HTTP/${version}\r\n${["Host: localhost", form, `Content-Length: ${size}`, ...headers].join("\r\n")}` +
    `\r\n\r\n${"x".repeat(size)}`

const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`

const chunked = (chunks: number) => (path: string, version: string) =>
  `POST ${path} HTTP/${version}\r\n${["Host: localhost", form, "Transfer-Encoding: chunked"].join("\r\n")}` +
  `\r\n\r\n${chunk.repeat(chunks)}0\r\n\r\n`

const bodies = {
  "a short declared body": declared(10),
  "a long declared body": declared(900_000),
  "a declared body over the limit": declared(defaultLimit + 1),
  "a declared body far over the limit": declared(20 * defaultLimit),
  "a short chunked body": chunked(1),
  "a long chunked body": chunked(15),
  "a chunked body over the limit": chunked(17),
  "a chunked body far over the limit": chunked(400)
} as const

const paths = {
  "/nope": /404/,
  "/next": /405/,
  "/status/303": /303/,
  "/status/403": /403/,
  "/status/415": /415/,
  "/status/429": /429/,
  "/first": /400/,
  "/text": /200|413/,
  "/fields": /200|413/
} as const

const statuses = (received: string) =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status).join(" ")

const cases = Object.entries(paths).flatMap(([path, status]) =>
  Object.entries(bodies).map(([body, request]) => [path, body, request, status] as const)
)

layer(Serving.layer(routes, { probe: "/livez" }))("A body that no handler reads", (it) => {
  it.effect.each(cases)("%s with %s: the next request is served, or the connection is closed", (one) =>
    Effect.gen(function* () {
      const [path, body, request, status] = one
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, request(path, "1.1") + next)
      const [first = "", second] = statuses(received).split(" ")
      // A declared length over the limit is refused before the route runs.
      expect(first).toMatch(new RegExp(`${status.source}|413`))
      if (second === undefined) expect(body).toContain("over the limit")
      else expect(received).toMatch(/\r\n\r\nnext$/)
    })
  )

  it.effect.each(Object.keys(paths))("%s keeps the connection when the body is short", (path) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      for (const body of ["a short declared body", "a long declared body", "a short chunked body"] as const) {
        expect(statuses(yield* Raw.exchange(port, bodies[body](path, "1.1") + next))).toMatch(/^\d{3} 200$/)
      }
    })
  )

  it.effect.each(Object.entries(paths))("%s over HTTP/1.0: the response is complete", ([path, status]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      for (const size of [10, 900_000, 3_000_000]) {
        const received = yield* Raw.exchange(port, declared(size)(path, "1.0"))
        expect(statuses(received)).toMatch(size > defaultLimit ? /413|405/ : status)
        const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? "0")
        expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(length)
      }
    })
  )

  it.effect.each(Object.entries(paths))("%s gives no leave to send what it does not read", ([path, status]) =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${form}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n`
      const reads = path === "/text" || path === "/fields" || path === "/first"
      const received = yield* Raw.exchange(port, reads ? `${head}a=b${next}` : head)
      if (reads) expect(statuses(received)).toMatch(/^100 (200|400) 200$/)
      else {
        expect(statuses(received)).toMatch(status)
        expect(received.toLowerCase()).toContain("connection: close\r\n")
      }
    })
  )

  it.effect("the probe does not wait for one either", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const probe = "GET /livez HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
      expect(statuses(yield* Raw.exchange(port, `${probe}${chunk}0\r\n\r\n${next}`))).toBe("200 200")
      expect(statuses(yield* Raw.exchange(port, probe + chunk.repeat(400)))).toBe("200")
    })
  )

  it.effect("is distinguished from one that is still being read while the response is written", () =>
    Effect.gen(function* () {
      const { port } = yield* ServerAddress
      const received = yield* Raw.exchange(port, chunked(15)("/echo", "1.1") + next)
      expect(statuses(received)).toBe("200 200")
      expect(received.split("x").length - 1).toBeGreaterThan(15 * 0x10000)
    })
  )
})

describeHaproxy("HAProxy with one connection for all clients", () => {
  it.scopedLive("gives the next client its response at once after a body far over the limit", () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Serving.layer(routes))
      const { port } = yield* Effect.provide(ServerAddress, context)
      const front = yield* inFront(port)
      for (const path of ["/fields", "/text", "/first", "/nope", "/status/403", "/status/429"]) {
        for (const body of ["a chunked body far over the limit", "a declared body over the limit"] as const) {
          const refused = yield* Raw.exchange(front, bodies[body](path, "1.1"), (text) => text.includes("\r\n\r\n"))
          expect(statuses(refused)).toMatch(/^4\d\d|^$/)
          expect(statuses(yield* Raw.exchange(front, next))).toBe("200")
        }
      }
    })
  )
})
