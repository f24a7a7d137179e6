import { HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Layer, Option } from "effect"
import { ErrorPages } from "../../../src/errors/ErrorPages.ts"
import { respond } from "../../support/Catching.ts"

type Response = HttpServerResponse.HttpServerResponse

class Declined extends Error {
  readonly #response: Effect.Effect<Response, unknown>

  constructor(response: Effect.Effect<Response, unknown>) {
    super("canary-message")
    this.#response = response
  }

  [HttpServerRespondable.symbol]() {
    return this.#response
  }
}

const fail = (response: Effect.Effect<Response, unknown>) => Cause.fail(new Declined(response))
const empty = (status: number) => fail(HttpServerResponse.empty({ status }))
const text = (status: number) => fail(HttpServerResponse.text("This cup is sold out.", { status }))

const html = "text/html; charset=utf-8"
const environments = ["production", "development", "staging", "test"] as const

const page = Layer.succeed(ErrorPages, {
  page: ({ message, status, text }) =>
    Effect.succeed(Option.some({ markup: `${status} ${text}: ${message}`, policy: "default-src 'none'" }))
})

describe("a failure that is HttpServerRespondable", () => {
  it.effect.each(environments.map((environment) => ({ environment })))(
    "has its empty body rendered in the client's format in $environment",
    ({ environment }) =>
      Effect.gen(function* () {
        const shown = yield* respond(empty(409), { environment, accept: "text/html" })
        expect([shown.status, shown.type, shown.reports]).toEqual([409, html, []])
        expect(shown.body).toContain("<h1>Conflict</h1>")
        expect(shown.body).not.toContain("canary-message")
        const json = yield* respond(empty(409), { environment, accept: "application/json" })
        expect([json.status, json.type, json.body]).toEqual([409, "application/json", '{"error":"Conflict"}'])
        const problem = yield* respond(empty(409), { environment, accept: "application/problem+json" })
        expect(JSON.parse(problem.body)).toEqual({
          type: "about:blank",
          title: "Conflict",
          status: 409,
          instance: "r1"
        })
      })
  )

  it.effect("has its text shown as the message", () =>
    Effect.gen(function* () {
      const shown = yield* respond(text(409))
      expect([shown.type, shown.body.includes("<h1>This cup is sold out.</h1>")]).toEqual([html, true])
      const json = yield* respond(text(409), { accept: "application/json" })
      expect([json.status, json.body, json.reports]).toEqual([409, '{"error":"This cup is sold out."}', []])
      const raw = HttpServerResponse.raw("Sold out", { status: 410, contentType: "text/plain" })
      expect((yield* respond(fail(raw), { accept: "application/json" })).body).toBe('{"error":"Sold out"}')
    })
  )

  it.effect("has its text escaped on a page", () =>
    Effect.gen(function* () {
      const hostile = fail(HttpServerResponse.text("<script>", { status: 400 }))
      expect((yield* respond(hostile)).body).toContain("<h1>&lt;script&gt;</h1>")
    })
  )

  it.effect("gets the project's page of its status", () =>
    Effect.gen(function* () {
      expect((yield* respond(text(409), { views: page })).body).toBe("409 Conflict: This cup is sold out.")
      expect((yield* respond(empty(404), { views: page })).body).toBe("404 Not Found: Not Found")
    })
  )

  it.effect.each([
    { name: "JSON", response: HttpServerResponse.unsafeJson({ code: 7 }, { status: 409 }), body: '{"code":7}' },
    {
      name: "HTML",
      response: HttpServerResponse.html("<p>no</p>").pipe(HttpServerResponse.setStatus(409)),
      body: "<p>no</p>"
    },
    { name: "a status below 400", response: HttpServerResponse.text("later", { status: 202 }), body: "later" },
    { name: "a redirect", response: HttpServerResponse.redirect("/login", { status: 303 }), body: "" }
  ])("is sent as it is for $name", ({ body, response }) =>
    Effect.gen(function* () {
      const sent = yield* respond(fail(response), { accept: "application/json", environment: "development" })
      expect([sent.status, sent.body, sent.reports]).toEqual([response.status, body, []])
      expect(sent.headers).toEqual(response.headers)
    })
  )

  it.effect.each([500, 502, 503].map((status) => ({ status })))(
    "is reported once with the status $status",
    ({ status }) =>
      Effect.gen(function* () {
        for (const cause of [empty(status), text(status), fail(HttpServerResponse.unsafeJson({}, { status }))]) {
          const sent = yield* respond(cause, { environment: "development" })
          expect([sent.status, sent.reports.map(({ throwable }) => throwable.message)]).toEqual([
            status,
            ["canary-message"]
          ])
          expect(sent.body).not.toContain("canary-message")
        }
      })
  )

  it.effect("keeps its headers", () =>
    Effect.gen(function* () {
      const headers = { "retry-after": "7", "cache-control": "max-age=5", "x-a": "b" }
      const response = HttpServerResponse.text("Slow down", { status: 429, headers })
      const json = yield* respond(fail(response), { accept: "application/json" })
      expect(json.headers).toMatchObject({ ...headers, vary: "Accept", "content-type": "application/json" })
      expect(json.body).toBe('{"error":"Slow down"}')
    })
  )

  it.effect("may be a defect, and may be a response itself", () =>
    Effect.gen(function* () {
      const died = yield* respond(Cause.die(new Declined(HttpServerResponse.empty({ status: 410 }))))
      expect([died.status, died.reports]).toEqual([410, []])
      const thrown = yield* respond(Cause.die(HttpServerResponse.text("as it is", { status: 202 })))
      expect([thrown.status, thrown.body, thrown.reports]).toEqual([202, "as it is", []])
    })
  )

  it.effect("leaves a finalizer that fails afterwards an exception", () =>
    Effect.gen(function* () {
      const sent = yield* respond(Cause.sequential(empty(409), Cause.die(new Error("finalizer"))))
      expect([sent.status, sent.reports.map(({ throwable }) => throwable.message)]).toEqual([409, ["finalizer"]])
    })
  )

  it.effect("is an exception when its response cannot be made", () =>
    Effect.gen(function* () {
      const itself: Declined = new Declined(Effect.suspend(() => Effect.fail(itself)))
      const throwing = {
        [HttpServerRespondable.symbol]: () => {
          throw new Error("no response")
        }
      }
      for (const failure of [itself, throwing]) {
        const sent = yield* respond(Cause.fail(failure), { accept: "application/json" })
        expect([sent.status, sent.body, sent.reports.length]).toEqual([500, '{"error":"Internal Server Error"}', 1])
      }
    })
  )
})
