import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Respond from "../../../routes/session/Respond.ts"
import * as Auth from "../../../src/auth/AuthConfig.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Raw from "../../support/Raw.ts"
import * as Serving from "../../support/Serving.ts"

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/",
    Effect.sync(() => Respond.text("secret page"))
  )
]

const send = (port: number, host: string) =>
  Raw.exchange(port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

const serve = (options: Serving.Options) =>
  Layer.build(
    Serving.layer(routes, options).pipe(Layer.provide(Auth.layerWith({ appUrl: "http://app.test:8087" })))
  ).pipe(Effect.flatMap((context) => Effect.provide(ServerAddress, context)))

const own = [
  "localhost",
  "LOCALHOST:8087",
  "a.localhost",
  "127.0.0.1:8087",
  "127.8.9.1",
  "[::1]:80",
  "app.test",
  "app.test:1"
]
const foreign = [
  "evil.example",
  "localhost.evil.example",
  "127.0.0.1.evil.example",
  "app.test.evil.example",
  "10.0.0.1",
  "[::2]"
]

describe("The host of a request", () => {
  it.scopedLive("is a loopback name or that of APP_URL in development; others get 421 and nothing else", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ environment: "development" })
      for (const host of own) expect(yield* send(port, host), host).toMatch(/^HTTP\/1\.1 200 OK.*secret page$/s)
      for (const host of foreign) {
        const received = yield* send(port, host)
        expect(received, host).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\n/)
        expect(received).not.toContain("secret")
      }
      // A client so old that it names no host is no browser.
      expect(yield* Raw.exchange(port, "GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK/)
    })
  )

  it.scopedLive("may be one of those that the program names", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ environment: "development", hosts: ["phone.test"] })
      expect(yield* send(port, "phone.test:8087")).toMatch(/^HTTP\/1\.1 200 OK/)
      expect(yield* send(port, "other.test")).toMatch(/^HTTP\/1\.1 421 /)
    })
  )

  it.scopedLive("is any that can exist in production", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ environment: "production" })
      for (const host of [...own, ...foreign]) expect(yield* send(port, host)).toMatch(/^HTTP\/1\.1 200 OK/)
    })
  )
})
