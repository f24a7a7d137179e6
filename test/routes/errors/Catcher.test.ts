import { HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { SqlError } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, FiberId, Layer, Option, Schema } from "effect"
import * as Catcher from "../../../routes/errors/Catcher.ts"
import { Overloaded } from "../../../src/auth/Password.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as EnvironmentName from "../../../src/config/internal/EnvironmentName.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import { ErrorPageError, ErrorPages } from "../../../src/errors/ErrorPages.ts"
import { pagePolicy } from "../../../src/errors/internal/Template.ts"
import { respond, send } from "../../support/Catching.ts"
import * as Throwables from "../../support/Throwables.ts"

const boom = () => Cause.die(new Error("canary-message"))

class Invalid extends Schema.TaggedError<Invalid>()("Invalid", {}) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, { message: "Invalid CSRF token" })
  }
}

class Unlucky extends Schema.TaggedError<Unlucky>()("Unlucky", {}) {
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(502, { retryAfter: 1 })
  }
}

const views = (page: ErrorPages["Type"]["page"]) => Layer.succeed(ErrorPages, { page })

const html = "text/html; charset=utf-8"
const accepts: ReadonlyArray<readonly [accept: string | undefined, kind: string]> = [
  [undefined, html],
  ["", html],
  ["*/*", html],
  ["text/html", html],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", html],
  ["image/png", html],
  ["text/html;q=0.5, application/json;q=0.5", html],
  ["garbage", html],
  ["application/json;q=0, */*", html],
  ["application/json", "application/json"],
  ["APPLICATION/JSON", "application/json"],
  ["application/*", "application/json"],
  ["application/json, text/html;q=0.9", "application/json"],
  ["application/json, */*;q=0.1", "application/json"],
  ["application/problem+json", "application/problem+json"],
  ["application/json, application/problem+json", "application/problem+json"],
  ["application/json, application/problem+json;q=0.5", "application/json"]
]

const production: Record<string, string> = {
  "application/json": '{"error":"Internal Server Error"}',
  "application/problem+json": '{"type":"about:blank","title":"Internal Server Error","status":500,"instance":"r1"}'
}

describe("Catcher", () => {
  for (const environment of EnvironmentName.names) {
    it.effect.each(accepts.map(([accept, kind]) => ({ accept, kind })))(
      `responds to an exception in ${environment} for Accept $accept with $kind`,
      ({ accept, kind }) =>
        Effect.gen(function* () {
          const options = accept === undefined ? { environment } : { environment, accept }
          const response = yield* respond(boom(), options)
          expect(response.status).toBe(500)
          expect(response.headers).toMatchObject({ vary: "Accept", "cache-control": "no-store" })
          expect(response.reports).toHaveLength(1)
          if (environment === "test") return expect(response.body).toBe(" ")
          expect(response.type).toBe(kind)
          expect(response.body.includes("canary-message")).toBe(environment === "development")
          if (environment !== "development" && kind !== html) expect(response.body).toBe(production[kind])
          if (environment === "development" && kind === "application/json") {
            const keys = ["error", "message", "file", "line", "trace"]
            expect(Object.keys(JSON.parse(response.body))).toEqual(keys)
          }
        })
    )
  }

  it.effect("carries the policy of the debug page with a nonce of its own", () =>
    Effect.gen(function* () {
      const one = yield* respond(boom(), { environment: "development" })
      const two = yield* respond(boom(), { environment: "development" })
      const nonce = /script-src 'nonce-([0-9a-f]{32})'/.exec(one.headers["content-security-policy"] ?? "")?.[1]
      expect(one.body).toContain(`<script nonce="${nonce}">`)
      expect(two.headers["content-security-policy"]).not.toContain(nonce)
    })
  )

  it.effect("gives byte-identical production responses whatever was thrown", () =>
    Effect.gen(function* () {
      for (const accept of ["text/html", "application/json", "application/problem+json"]) {
        const bodies = new Set<string>()
        for (const [, value] of Throwables.all()) {
          for (const cause of [Cause.die(value), Cause.fail(value)]) {
            const { body, headers, status } = yield* respond(cause, { accept })
            bodies.add(JSON.stringify([status, headers, body]))
          }
        }
        expect([accept, bodies.size]).toEqual([accept, 1])
      }
      expect(Throwables.all().length).toBeGreaterThanOrEqual(50)
    })
  )

  it.effect("renders whatever is thrown in development", () =>
    Effect.gen(function* () {
      for (const [name, value] of Throwables.all()) {
        const response = yield* respond(Cause.die(value), { environment: "development" })
        expect([name, response.status, response.body.includes("Copy as Markdown")]).toEqual([name, 500, true])
      }
    })
  )

  it.effect("responds as a failure declares, and reports only exceptions", () =>
    Effect.gen(function* () {
      const refused = yield* respond(Cause.fail(new Invalid()), {
        accept: "application/json",
        environment: "development"
      })
      expect([refused.status, refused.body, refused.reports]).toEqual([403, '{"error":"Invalid CSRF token"}', []])
      const page = yield* respond(Cause.die(new Invalid()))
      expect(page.body).toContain("Invalid CSRF token")
      const unlucky = yield* respond(Cause.fail(new Unlucky()))
      expect([unlucky.status, unlucky.headers["retry-after"], unlucky.reports.length]).toEqual([502, "1", 1])
    })
  )

  it.effect("does not report that the password queue is full, however often it is", () =>
    Effect.gen(function* () {
      const overloaded = new Overloaded({ retryAfter: 7 })
      for (const cause of [Cause.fail(overloaded), Cause.die(overloaded)]) {
        const busy = yield* respond(cause)
        expect([busy.status, busy.headers["retry-after"], busy.reports]).toEqual([503, "7", []])
      }
      const worse = yield* respond(Cause.sequential(Cause.fail(overloaded), Cause.die(new Error("finalizer"))))
      expect(worse.reports.map(({ throwable }) => throwable.message)).toEqual(["finalizer"])
    })
  )

  it.effect("responds with 503 and Retry-After when the database cannot be reached", () =>
    Effect.gen(function* () {
      const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })
      const lost = new SqlError.SqlError({ cause, message: "canary" })
      for (const failure of [Cause.die(lost), Cause.fail(lost)]) {
        const response = yield* respond(failure, { accept: "application/json" })
        expect([response.status, response.headers["retry-after"], response.body]).toEqual([
          503,
          "5",
          '{"error":"Service Unavailable"}'
        ])
        expect(response.reports).toHaveLength(1)
      }
      const development = yield* respond(Cause.die(lost), { environment: "development" })
      expect([development.status, development.headers["retry-after"]]).toEqual([503, "5"])
      expect(development.body).toContain("SqlError")
    })
  )

  it.effect("responds with 404 and 400 to what the router cannot find and the request cannot read", () =>
    Effect.gen(function* () {
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/x"))
      const missing = yield* respond(Cause.fail(new HttpServerError.RouteNotFound({ request })))
      const broken = yield* respond(Cause.fail(new HttpServerError.RequestError({ request, reason: "Decode" })))
      expect([missing.status, missing.reports, broken.status, broken.reports]).toEqual([404, [], 400, []])
    })
  )

  it.effect("reports a finalizer that fails after the response", () =>
    Effect.gen(function* () {
      const cause = Cause.sequential(Cause.fail(new Invalid()), Cause.die(new Error("finalizer")))
      const response = yield* respond(cause)
      expect([response.status, response.reports.map(({ throwable }) => throwable.message)]).toEqual([
        403,
        ["finalizer"]
      ])
    })
  )

  it.effect("does not take an interruption for an error", () =>
    Effect.gen(function* () {
      const response = yield* respond(Cause.interrupt(FiberId.none), { environment: "development" })
      expect([response.status, response.reports]).toEqual([503, []])
    })
  )

  it.effect("reports a throwable once however many handlers see it", () =>
    Effect.gen(function* () {
      const cause = boom()
      const twice = Effect.zipRight(Catcher.respond(cause), Catcher.catching(Effect.failCause(cause)))
      const late = Effect.zipRight(twice, Effect.as(Catcher.report(cause), HttpServerResponse.empty()))
      expect((yield* send(late)).reports).toHaveLength(1)
    })
  )

  it.effect("leaves a success alone", () =>
    Effect.gen(function* () {
      const response = yield* send(Catcher.catching(Effect.succeed(HttpServerResponse.text("fine"))))
      expect([response.status, response.body, response.reports]).toEqual([200, "fine", []])
    })
  )

  it.effect("uses the overridden environment once", () =>
    Effect.gen(function* () {
      const failing = Catcher.catching(Effect.zipRight(Environment.override("development"), Effect.failCause(boom())))
      const first = yield* send(failing)
      expect(first.body).toContain("canary-message")
      const second = yield* send(Effect.zipRight(failing, Catcher.catching(Effect.failCause(boom()))))
      expect(second.body).not.toContain("canary-message")
    })
  )
})

describe("Catcher.status", () => {
  it.effect.each([400, 401, 403, 404, 405, 406, 413, 415, 422, 429, 500, 503].map((status) => ({ status })))(
    "renders $status for a person and for a program",
    ({ status }) =>
      Effect.gen(function* () {
        const page = yield* send(Catcher.status(status, { headers: { "X-A": "b" } }))
        expect([page.status, page.type, page.headers["x-a"]]).toEqual([status, html, "b"])
        expect(page.body).toContain(`<p>${status}</p>`)
        const json = yield* send(Catcher.status(status, { message: "Said so" }), { accept: "application/json" })
        expect([json.status, json.body, json.reports]).toEqual([status, '{"error":"Said so"}', []])
      })
  )

  it.effect("prefers the project's page, with a policy for its inline styles", () =>
    Effect.gen(function* () {
      const own = views(({ message, status }) =>
        Effect.succeed(Option.some({ markup: `<p>${status} ${message}</p>`, policy: pagePolicy(["'sha256-x'"]) }))
      )
      const response = yield* send(Catcher.status(404), { views: own })
      expect(response.body).toBe("<p>404 Not Found</p>")
      expect(response.headers["content-security-policy"]).toContain("style-src 'self' 'sha256-x';")
      const failed = yield* respond(boom(), { views: own })
      expect([failed.status, failed.body]).toEqual([500, "<p>500 Internal Server Error</p>"])
    })
  )

  const broken: ReadonlyArray<readonly [string, ErrorPages["Type"]["page"]]> = [
    ["fails", ({ status }) => Effect.fail(new ErrorPageError({ status, reason: "canary" }))],
    ["dies", () => Effect.die("canary")],
    [
      "throws",
      () => {
        throw new Error("canary")
      }
    ]
  ]
  it.effect.each(broken.map(([how, page]) => ({ how, page })))(
    "falls back to the built-in page when the project's page $how, and reports that",
    ({ page }) =>
      Effect.gen(function* () {
        const response = yield* send(Catcher.status(404), { views: views(page) })
        expect([response.status, response.body.includes("<h1>Not Found</h1>")]).toEqual([404, true])
        expect(response.body).not.toContain("canary")
        expect(response.reports).toHaveLength(1)
      })
  )

  it.effect("falls back to plain text when even that fails", () =>
    Effect.gen(function* () {
      const hostile = views(() =>
        Effect.succeed(
          Option.some(
            Object.freeze({
              markup: "x",
              get policy(): never {
                throw new Error("no")
              }
            })
          )
        )
      )
      const failing: Reporters.Reporters["Type"] = {
        add: () => Effect.void,
        notify: () => Effect.die("no"),
        settle: Effect.void
      }
      const response = Effect.provideService(Catcher.status(404), Reporters.Reporters, failing)
      expect((yield* send(response, { views: hostile })).body).toBe("Not Found")
    })
  )
})
