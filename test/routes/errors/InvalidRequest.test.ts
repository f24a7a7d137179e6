// Schemas of @effect/platform in routes, requested over a real connection: what the client receives, and what is not reported.
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSources from "../../../layers/errors/FileSources.ts"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as LogReporter from "../../../layers/errors/LogReporter.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import type * as Environment from "../../../src/config/Environment.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Demo from "../../support/Demo.ts"
import * as Serving from "../../support/Serving.ts"
import { unchecked } from "../../support/Unchecked.ts"

const Account = Schema.Struct({
  email: Schema.String,
  password: Schema.String.pipe(Schema.minLength(8)),
  address: Schema.optional(Schema.Struct({ city: Schema.String, zip: Schema.NumberFromString }))
})

const Page = Schema.Struct({ page: Schema.NumberFromString, token: Schema.optional(Schema.Literal("none")) })
const Id = Schema.Struct({ id: Schema.NumberFromString })

const done = Effect.as(HttpServerResponse.text("done"))
const body = HttpServerRequest.schemaBodyJson(Account)

const routes = [
  HttpLayerRouter.route("POST", "/json", done(body)),
  HttpLayerRouter.route("POST", "/form", done(HttpServerRequest.schemaBodyUrlParams(Account.omit("address")))),
  HttpLayerRouter.route("POST", "/text", done(HttpServerRequest.schemaBodyJson(Schema.Number))),
  HttpLayerRouter.route("POST", "/query", done(HttpServerRequest.schemaSearchParams(Page))),
  HttpLayerRouter.route("GET", "/query", done(HttpServerRequest.schemaSearchParams(Page))),
  HttpLayerRouter.route("POST", "/path/:id", done(HttpLayerRouter.schemaPathParams(Id))),
  HttpLayerRouter.route(
    "POST",
    "/params/:id",
    done(HttpLayerRouter.schemaParams(Schema.Struct({ ...Id.fields, ...Page.fields })))
  ),
  HttpLayerRouter.route("POST", "/cookies", done(HttpServerRequest.schemaCookies(Id))),
  HttpLayerRouter.route(
    "POST",
    "/headers",
    done(HttpServerRequest.schemaHeaders(Schema.Struct({ "x-id": Schema.NumberFromString })))
  ),
  HttpLayerRouter.route(
    "POST",
    "/whole/:id",
    done(HttpLayerRouter.schemaJson(Schema.Struct({ pathParams: Id, body: Account })))
  ),
  HttpLayerRouter.route("POST", "/defect", Effect.orDie(done(body))),
  HttpLayerRouter.route("POST", "/wrapped", done(Effect.mapError(body, (cause) => new Error("not saved", { cause }))))
]

const serve = (environment: Environment.Name) =>
  Effect.gen(function* () {
    const path = join(yield* Demo.folder, "exceptions.log")
    const messages: Array<string> = []
    const context = yield* Layer.build(
      WebServer.layer(Pipeline.app(Pipeline.stateless(unchecked(routes))), { host: "127.0.0.1", port: 0 }).pipe(
        Layer.provideMerge(Layer.provide(LogReporter.layer({ path }), WorkerRecords.layer)),
        Layer.provideMerge(Layer.mergeAll(Serving.support({ environment }), WorkerReporters.layer, FileSources.layer))
      )
    )
    return yield* Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const reporters = yield* Reporters
      yield* reporters.add((throwable) => void messages.push(throwable.message))
      const log = Effect.map(reporters.settle, () => {
        try {
          return readFileSync(path, "utf8")
        } catch {
          return ""
        }
      })
      const post = (path: string, text: string, headers: Record<string, string> = {}) =>
        Effect.promise(async () => {
          const response = await fetch(url + path, {
            method: "POST",
            body: text,
            headers: { "content-type": "application/json", accept: "application/json", ...headers }
          })
          return { status: response.status, type: response.headers.get("content-type"), body: await response.text() }
        })
      return { url, messages, log, post }
    }).pipe(Effect.provide(context))
  })

const wrong = JSON.stringify({ email: 7, password: "hunter2" })

const bodyMessage = "The body of the request is not valid."
const addressMessage = "The path or query of the request is not valid."

describe("A request that a schema refuses", () => {
  it.scopedLive("gets 422 for its body and 400 for its path, query, cookies and headers, and what was expected", () =>
    Effect.gen(function* () {
      const { log, messages, post } = yield* serve("production")
      const send = (path: string, text = "{}", headers = {}) =>
        Effect.map(post(path, text, headers), ({ body, status }) => [status, JSON.parse(body)])
      const invalid = (fields: Record<string, string>) => [422, { error: bodyMessage, fields }]
      const invalidParams = (fields: Record<string, string>) => [400, { error: addressMessage, fields }]
      const number = "expected NumberFromString"

      expect(yield* send("/json", wrong)).toEqual(invalid({ email: "expected string" }))
      expect(yield* send("/json", JSON.stringify({ email: "a@b.c", password: "hunter2" }))).toEqual(
        invalid({ password: "expected a string at least 8 character(s) long" })
      )
      expect(yield* send("/json", "{}")).toEqual(invalid({ email: "expected string, but it is missing" }))
      const address = { email: "a@b.c", password: "long enough", address: { city: "X", zip: "y" } }
      expect(yield* send("/json", JSON.stringify(address))).toEqual(invalid({ "address.zip": number }))
      expect(yield* send("/text", '"hunter2"')).toEqual(invalid({ "": "expected number" }))
      expect(
        yield* send("/form", "email=a@b.c&password=short", { "content-type": "application/x-www-form-urlencoded" })
      ).toEqual(invalid({ password: "expected a string at least 8 character(s) long" }))

      expect(yield* send("/query?page=two", wrong)).toEqual(invalidParams({ page: number }))
      expect(yield* send("/query", wrong)).toEqual(
        invalidParams({ page: "expected NumberFromString, but it is missing" })
      )
      expect(yield* send("/path/seven", wrong)).toEqual(invalidParams({ id: number }))
      expect(yield* send("/params/7?page=two", wrong)).toEqual(invalidParams({ page: number }))
      expect(yield* send("/cookies", wrong, { cookie: "id=seven" })).toEqual(invalidParams({ id: number }))
      expect(yield* send("/headers", wrong, { "x-id": "seven" })).toEqual(invalidParams({ "x-id": number }))
      expect(yield* send("/whole/seven", wrong)).toEqual(invalidParams({ "pathParams.id": number }))
      expect(yield* send("/whole/7", wrong)).toEqual(invalid({ "body.email": "expected string" }))

      // What cannot be read at all, and what is too long, stay what they were.
      expect(yield* send("/json", "{")).toEqual([400, { error: "Bad Request" }])
      expect((yield* post("/json", " ".repeat(1024 * 1024 + 1))).status).toBe(413)
      expect(messages).toEqual([])
      expect(yield* log).toBe("")
    })
  )

  it.scopedLive.each(["production", "development", "test"] as const)(
    "is told by a page to a person in %s",
    (environment) =>
      Effect.gen(function* () {
        const { log, messages, post, url } = yield* serve(environment)
        const page = yield* post("/json", wrong, { accept: "text/html" })
        expect([page.status, page.type]).toEqual([422, "text/html; charset=utf-8"])
        expect(page.body).toContain(bodyMessage)
        expect(page.body).not.toContain("hunter2")
        const query = yield* Effect.promise(() => fetch(`${url}/query?page=two&token=hunter2`))
        expect(query.status).toBe(400)
        const problem = yield* post("/json", wrong, { accept: "application/problem+json" })
        expect(JSON.parse(problem.body)).toMatchObject({ status: 422, fields: { email: "expected string" } })
        expect(messages).toEqual([])
        expect(yield* log).toBe("")
      })
  )

  it.scopedLive.each(["production", "development"] as const)(
    "is an exception as a defect, and the value is nowhere, in %s",
    (environment) =>
      Effect.gen(function* () {
        const { log, messages, post } = yield* serve(environment)
        const secret = JSON.stringify({ email: "a@b.c", password: "hunter2" })
        const responses = [
          yield* post("/defect", secret),
          yield* post("/defect", secret, { accept: "text/html" }),
          yield* post("/wrapped", secret),
          yield* post("/wrapped", secret, { accept: "text/html" })
        ]
        expect(responses.map(({ status }) => status)).toEqual([500, 500, 500, 500])
        const expected = "password: expected a string at least 8 character(s) long"
        expect(messages).toEqual([expected, expected, "not saved", "not saved"])
        const lines = yield* log
        expect(lines).toContain(expected)
        expect(lines + responses.map(({ body }) => body).join()).not.toContain("hunter2")
      })
  )

  it.scopedLive("never repeats a value, whatever is sent", () =>
    Effect.gen(function* () {
      const { log, post } = yield* serve("development")
      const run = yield* Effect.runtime<never>()
      const send = (path: string, text: string) => Effect.runPromise(Effect.provide(post(path, text), run))
      yield* Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.constantFrom("/json", "/defect", "/wrapped"),
            FastCheck.constantFrom("email", "password", "address"),
            FastCheck.string({ minLength: 6, maxLength: 6 }).map(
              (text) => `canary-${Buffer.from(text).toString("hex")}`
            ),
            async (path, name, canary) => {
              const text = JSON.stringify({ email: "a@b.c", password: "12345678", [name]: [canary] })
              const { body, status } = await send(path, text)
              expect(status).toBe(path === "/json" ? 422 : 500)
              expect(body).not.toContain(canary)
            }
          ),
          { numRuns: 30 }
        )
      )
      expect(yield* log).not.toContain("canary-")
    })
  )
})
