// Every failure of an endpoint is one envelope, whoever built its group, and a derived client sees the declared ones.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { expect, it, layer } from "@effect/vitest"
import { Effect, Layer, Predicate, Schema } from "effect"
import * as ApiAuth from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as OpenApiDocument from "../../../routes/server/internal/OpenApiDocument.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import * as Auth from "../../../src/auth/index.ts"
import * as Http from "../../../src/http/index.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Pagination from "../../../src/pagination/index.ts"
import * as Session from "../../../src/session/index.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as GeneratedClient from "../../support/GeneratedClient.ts"

const texts = { photo: "Choose another file." }
const form = { field: "photo", fieldErrors: texts, values: { title: "Tea" } }

/** Every public error that has a response, with its status. */
const errors = {
  Unauthenticated: [401, new Auth.AuthError.Unauthenticated({})],
  ConfirmationRequired: [403, new Auth.AuthError.ConfirmationRequired({})],
  FactorRequired: [403, new Auth.AuthError.FactorRequired()],
  Forbidden: [403, new Auth.AuthError.Forbidden({ reason: "Not you." })],
  InsufficientScope: [403, new Auth.ApiScopes.InsufficientScope({ scope: "notes:write" })],
  NoProfile: [403, new Auth.Profile.NoProfile()],
  IdentityTaken: [409, new Auth.LinkedIdentities.IdentityTaken({ provider: "google" })],
  LastSignInMethod: [409, new Auth.SignInMethods.LastSignInMethod({})],
  ProfileTaken: [409, new Auth.Profile.ProfileTaken({ names: ["handle"] })],
  Overloaded: [503, new Auth.Password.Overloaded({ retryAfter: 7 })],
  BodyTooLarge: [413, new Http.BodyError.BodyTooLarge({ limit: 5 })],
  MalformedBody: [400, new Http.BodyError.MalformedBody({ reason: "notJson" })],
  TooManyParts: [413, new Http.BodyError.TooManyParts({ limit: 5 })],
  UnsupportedMediaType: [415, new Http.BodyError.UnsupportedMediaType({ contentType: "text/plain" })],
  InvalidRequest: [422, new Http.InvalidRequest.InvalidRequest({ part: "body", fields: { a: "expected a text" } })],
  CsrfMismatch: [403, new Session.Csrf.CsrfMismatch({ reason: "token" })],
  TooManyRequests: [429, new Session.RateLimit.TooManyRequests({ scope: "tea", retryAfter: 3 })],
  FileTooLarge: [413, new Session.UploadError.FileTooLarge({ ...form, limit: 5 })],
  WrongFileType: [415, new Session.UploadError.WrongFileType({ ...form, allowed: ["image/png"] })],
  TooManyFiles: [422, new Session.UploadError.TooManyFiles({ ...form, limit: 5 })],
  InvalidForm: [
    422,
    new FormState.InvalidForm({ status: 422, error: "Check the form.", fieldErrors: texts, values: {} })
  ],
  InvalidCursor: [400, new Pagination.Cursor.InvalidCursor({ problem: "list", detail: "" })],
  InvalidPagination: [400, new Pagination.Pagination.InvalidPagination({ reason: "Both ways." })],
  InvalidParameter: [
    400,
    new Pagination.InvalidParameter.InvalidParameter({ parameter: "sort", problem: "sort", expected: "a or b" })
  ]
} as const

type Failure = (typeof errors)[keyof typeof errors][1]

const names = Object.keys(errors) as ReadonlyArray<keyof typeof errors>

it("The table has every public error with a response", () => {
  const found: Array<string> = []
  for (const module of [Auth, Http, Session, Pagination, { FormState }].flatMap((entry) => Object.values(entry))) {
    for (const value of Object.values(module)) {
      if (typeof value !== "function" || !Predicate.isObject(value.prototype)) continue
      if (ErrorResponse.symbol in value.prototype) found.push(String(Reflect.get(value, "_tag")))
    }
  }
  expect(found.toSorted()).toEqual([...names].toSorted())
})

const Public = Schema.Union(
  Auth.AuthError.Unauthenticated,
  Auth.AuthError.ConfirmationRequired,
  Auth.AuthError.FactorRequired,
  Auth.AuthError.Forbidden,
  Auth.ApiScopes.InsufficientScope,
  Auth.Profile.NoProfile,
  Auth.LinkedIdentities.IdentityTaken,
  Auth.SignInMethods.LastSignInMethod,
  Auth.Profile.ProfileTaken,
  Auth.Password.Overloaded,
  Http.BodyError.BodyTooLarge,
  Http.BodyError.MalformedBody,
  Http.BodyError.TooManyParts,
  Http.BodyError.UnsupportedMediaType,
  Http.InvalidRequest.errors,
  Session.Csrf.CsrfMismatch,
  Session.RateLimit.TooManyRequests,
  Session.UploadError.FileTooLarge,
  Session.UploadError.WrongFileType,
  Session.UploadError.TooManyFiles,
  FormState.InvalidForm,
  Pagination.Cursor.InvalidCursor,
  Pagination.Pagination.InvalidPagination,
  Pagination.InvalidParameter.InvalidParameter
)

// A GET has no body that could have another shape, and needs no token.
const undocumented: ReadonlySet<string> = new Set(["InvalidRequest", "CsrfMismatch"])

const documented = names.filter((name) => !undocumented.has(name))

// The names of the failures are part of the generated types: an unknown one does not compile.
const program = `
import createClient from "openapi-fetch"
import type { paths } from "./schema.ts"

const [baseUrl = ""] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })
const fail = (name: paths["/api/ours/fail/{name}"]["get"]["parameters"]["path"]["name"]) =>
  client.GET("/api/ours/fail/{name}", { params: { path: { name } } })
type Failure = NonNullable<Awaited<ReturnType<typeof fail>>["error"]>
type Name = Extract<Failure, { readonly _tag: string }>["_tag"]
const names = ${JSON.stringify(documented)} as const satisfies ReadonlyArray<Name>
// @ts-expect-error No endpoint has this failure.
const unknown: Name = "Unknown"
const seen = []
for (const name of names) {
  const { error, response } = await fail(name)
  seen.push([response.status, error !== undefined && "_tag" in error ? error._tag : unknown])
}
console.log(JSON.stringify(seen))
`

const id = Schema.Struct({ id: Schema.NumberFromString })
const payload = Schema.Struct({ name: Schema.String, password: Schema.Redacted(Schema.String) })

class SoldOut extends Schema.TaggedError<SoldOut>()(
  "SoldOut",
  { tea: Schema.String },
  HttpApiSchema.annotations({ status: 409 })
) {}

const groupOf = <const Name extends string>(name: Name) =>
  HttpApiGroup.make(name)
    .add(
      HttpApiEndpoint.get("fail", `/${name}/fail/:name`)
        .setPath(Schema.Struct({ name: Schema.Literal(...names) }))
        .addSuccess(Schema.String)
        .addError(Public)
    )
    .add(
      HttpApiEndpoint.get("undeclared", `/${name}/undeclared/:name`)
        .setPath(Schema.Struct({ name: Schema.Literal(...names) }))
        .addSuccess(Schema.String)
    )
    .add(
      HttpApiEndpoint.get("read", `/${name}/read/:id`)
        .setPath(id)
        .setUrlParams(Schema.Struct({ page: Schema.optional(Schema.NumberFromString) }))
        .addSuccess(Schema.Number)
    )
    .add(
      HttpApiEndpoint.post("create", `/${name}/create/:id`).setPath(id).setPayload(payload).addSuccess(Schema.String)
    )
    .add(HttpApiEndpoint.get("sold", `/${name}/sold`).addSuccess(Schema.String).addError(SoldOut))
    .add(HttpApiEndpoint.get("broken", `/${name}/broken`).addSuccess(Schema.String))
    .add(HttpApiEndpoint.get("mine", `/${name}/mine`).addSuccess(Schema.String).middleware(ApiAuth.ApiAuthentication))

class Api extends HttpApi.make("failures")
  .add(groupOf("ours"))
  .add(groupOf("effects"))
  .addError(Http.InvalidRequest.errors)
  .prefix("/api") {}

const plain = { headers: { accept: "*/*" } }

const failing = (name: keyof typeof errors): Effect.Effect<never, Failure> => Effect.fail(errors[name][1])

const ours = ApiHandlers.group(Api, "ours", (handlers) =>
  handlers
    .handle("fail", ({ path }) => failing(path.name))
    .handle("undeclared", ({ path }) => Effect.die(errors[path.name][1]))
    .handle("read", ({ path }) => Effect.succeed(path.id))
    .handle("create", () => Effect.succeed("created"))
    .handle("sold", () => new SoldOut({ tea: "Assam" }))
    .handle("broken", () => Effect.dieMessage("a secret of the program"))
    .handle("mine", () => Effect.succeed("mine"))
)

const effects = HttpApiBuilder.group(Api, "effects", (handlers) =>
  handlers
    .handle("fail", ({ path }) => failing(path.name))
    .handle("undeclared", ({ path }) => Effect.die(errors[path.name][1]))
    .handle("read", ({ path }) => Effect.succeed(path.id))
    .handle("create", () => Effect.succeed("created"))
    .handle("sold", () => new SoldOut({ tea: "Assam" }))
    .handle("broken", () => Effect.dieMessage("a secret of the program"))
    .handle("mine", () => Effect.succeed("mine"))
)

const services = ApiHandlers.layer(Api).pipe(Layer.provide([ours, effects]), Layer.provideMerge(ApiAuth.layer))
const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

layer(TestApp.layerOf(app, { environment: "production", services }))("A failure of an endpoint", (it) => {
  const client = TestApp.apiClient(Api)

  it.scoped("has its type and its status in a client that a foreign generator makes", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const document = JSON.stringify(OpenApiDocument.make([Api]))
      const { printed, refused } = yield* GeneratedClient.compileAndRun(document, program, [url])
      expect(refused).toBe("")
      expect(JSON.parse(printed)).toEqual(documented.map((name) => [errors[name][0], name]))
    })
  )

  for (const group of ["ours", "effects"] as const) {
    for (const name of names) {
      const [status, failure] = errors[name]

      it.effect(`of ${group} is its envelope and what a derived client sees: ${name}`, () =>
        Effect.gen(function* () {
          const guest = yield* TestApp.guest
          const { headers, json, status: answered } = yield* guest.request(`/api/${group}/fail/${name}`, plain)
          expect([answered, json]).toMatchObject([status, { error: expect.any(String), _tag: name }])
          const fields = ErrorResponse.from(failure)?.fields
          if (fields !== undefined) expect(json).toMatchObject({ fields })
          if ("retryAfter" in failure) expect(headers.get("retry-after")).toBe(String(failure.retryAfter))
          if (status === 401) expect(headers.get("www-authenticate")).toMatch(/^\S+ realm=/)
          const api = yield* client
          const seen = yield* Effect.flip(api[group].fail({ path: { name } }))
          expect(seen).toEqual(failure)
        })
      )

      it.effect(`of ${group} that it does not declare has the same name: ${name}`, () =>
        Effect.gen(function* () {
          const guest = yield* TestApp.guest
          const { json, status: answered } = yield* guest.request(`/api/${group}/undeclared/${name}`, plain)
          expect([answered, json]).toMatchObject([status, { error: expect.any(String), _tag: name }])
          expect(json).not.toHaveProperty("values")
        })
      )
    }

    it.effect(`of ${group} is a problem document for a client that asks for one`, () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        for (const at of ["fail", "undeclared"]) {
          const headers = { accept: "application/problem+json" }
          const { headers: got, json } = yield* guest.request(`/api/${group}/${at}/TooManyRequests`, { headers })
          expect(got.get("content-type")).toBe("application/problem+json")
          expect(json).toEqual({
            type: "about:blank",
            title: "Too Many Requests",
            status: 429,
            instance: got.get("x-request-id"),
            detail: "Too many requests. Try again in 3 seconds.",
            _tag: "TooManyRequests",
            scope: "tea",
            retryAfter: 3
          })
        }
      })
    )

    it.effect(`of ${group} names what was expected of a request, and never what was sent`, () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const bad = [
          [guest.request(`/api/${group}/read/x`, plain), 400, "path", "id"],
          [guest.request(`/api/${group}/read/1?page=x`, plain), 400, "query", "page"],
          [
            guest.request(`/api/${group}/create/x`, { json: { name: "a", password: "b" }, ...plain }),
            400,
            "path",
            "id"
          ],
          [
            guest.request(`/api/${group}/create/1`, { json: { name: "a", password: 31337 }, ...plain }),
            422,
            "body",
            "password"
          ],
          [guest.request(`/api/${group}/create/1`, { json: {}, ...plain }), 422, "body", "name"]
        ] as const
        for (const [request, status, part, field] of bad) {
          const response = yield* request
          expect([response.status, response.json]).toMatchObject([
            status,
            { error: expect.any(String), _tag: "InvalidRequest", part, fields: { [field]: expect.any(String) } }
          ])
          expect(response.body).not.toContain("31337")
        }
        const unread = yield* guest.request(`/api/${group}/create/1`, {
          method: "POST",
          body: "[",
          headers: { accept: "*/*", "content-type": "application/json" }
        })
        expect([unread.status, unread.json]).toMatchObject([
          400,
          { error: expect.any(String), _tag: expect.any(String) }
        ])
      })
    )

    it.effect(`of ${group} that the program declares has its facts, a defect nothing, and a guard its name`, () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const sold = yield* guest.request(`/api/${group}/sold`, plain)
        expect([sold.status, sold.json]).toEqual([409, { error: "Conflict", _tag: "SoldOut", tea: "Assam" }])
        const broken = yield* guest.request(`/api/${group}/broken`, plain)
        expect([broken.status, broken.json]).toEqual([500, { error: "Internal Server Error" }])
        const mine = yield* guest.request(`/api/${group}/mine`, plain)
        expect([mine.status, mine.json]).toMatchObject([401, { error: "Unauthorized", _tag: "Unauthenticated" }])
      })
    )
  }
})

it("The document has the status and the envelope of every public error", () => {
  for (const name of names) {
    const [status, failure] = errors[name]
    const schema: unknown = Reflect.get(failure, "constructor")
    if (!Schema.isSchema(schema)) return expect.fail(`${name} is no schema`)
    expect([name, HttpApiSchema.getStatusErrorAST(schema.ast)]).toEqual([name, status])
  }
  const document = OpenApiDocument.make([Api])
  const { responses = {} } = document.paths["/api/ours/fail/{name}"]?.["get"] ?? {}
  for (const name of documented) {
    const text = JSON.stringify(responses[String(errors[name][0])])
    const component = JSON.stringify(document.components.schemas[name] ?? "")
    expect(text.includes(`"#/components/schemas/${name}"`) || text.includes(`"${name}"`), name).toBe(true)
    expect(component === '""' || /"required":\[[^\]]*"error"/.test(component), name).toBe(true)
  }
  expect(document.components.schemas).not.toHaveProperty("HttpApiDecodeError")
  expect(OpenApi.fromApi(Api).components.schemas).toHaveProperty("HttpApiDecodeError")
})
