// The OpenAPI document: valid by a foreign validator, and right where Effect's own is not.
import { expect, it } from "@effect/vitest"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Schema } from "effect"
import * as OpenApiDocument from "../../../routes/server/internal/OpenApiDocument.ts"
import { Api } from "../../support/AccountsApp.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"
import * as NotesApi from "../../support/NotesApi.ts"

const apis = [ExampleApi.TeaApi, ExampleApi.MeApi, NotesApi.NotesApi] as const

const document = OpenApiDocument.make(apis)

it("A foreign validator accepts the document", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  expect(result.errors).toBeUndefined()
  expect(result.valid).toBe(true)
})

it("The document leaves Effect's own as it was", () => {
  const before = JSON.stringify(OpenApi.fromApi(ExampleApi.TeaApi))
  OpenApiDocument.make(apis)
  expect(JSON.stringify(OpenApi.fromApi(ExampleApi.TeaApi))).toBe(before)
})

it("Two schemas of one name stay apart, and every reference leads somewhere", () => {
  const { schemas } = document.components
  expect(schemas["Draft"]).toMatchObject({ required: ["name", "price"] })
  expect(schemas["Draft2"]).toMatchObject({ required: ["draft"] })
  expect(JSON.stringify(document.paths["/api/draft"])).toContain("#/components/schemas/Draft2")
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)
  for (const [, kind = "", name = ""] of references) {
    expect(Reflect.get(document.components, kind), `${kind}/${name}`).toHaveProperty([name])
  }
  expect(JSON.stringify(document)).not.toContain('"$id"')
})

it("An operation behind the guard of a whole API needs it, with the statuses of the guard", () => {
  const me = document.paths["/api/me"]?.["get"]
  expect(me?.security).toEqual([{ bearer: [] }, { session: [] }])
  expect(Object.keys(me?.responses ?? {})).toEqual(["200", "401", "403", "500", "503", "default"])
  expect(document.paths["/api/teas"]?.["get"]?.security).toEqual([])
})

it("Every operation has the statuses of the server, with their headers", () => {
  const add = document.paths["/api/teas"]?.["post"]
  expect(Object.keys(add?.responses ?? {}).sort()).toEqual(
    ["201", "400", "401", "403", "409", "413", "422", "429", "500", "503", "default"].sort()
  )
  expect(add?.responses["429"]).toMatchObject({ headers: { "Retry-After": {}, "X-RateLimit-Reset": {} } })
  expect(add?.responses["401"]).toMatchObject({ headers: { "WWW-Authenticate": {} } })
  expect(add?.responses["400"]).toEqual({ $ref: "#/components/responses/BadRequest" })
  expect(document.components.responses["BadRequest"]).toMatchObject({
    content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } }
  })
  expect(add?.parameters).toContainEqual(
    expect.objectContaining({ in: "header", name: "x-csrf-token", required: false })
  )
  expect(document.paths["/api/teas"]?.["get"]?.responses).not.toHaveProperty("413")
})

it("An operation says who may call it, and whether it needs the CSRF token always, with cookies or never", () => {
  const { paths } = OpenApiDocument.make([Api])
  const told = (method: string, path: string) => {
    const { parameters = [], security = [] } = paths[`/api${path}`]?.[method] ?? {}
    const tokens = parameters.filter(({ name }) => name === "x-csrf-token")
    return [security.flatMap((one) => Object.keys(one)), tokens.map(({ required }) => required)]
  }
  expect(told("get", "/csrf")).toEqual([[], []])
  for (const path of ["/sign-up", "/sign-in"]) expect(told("post", path)).toEqual([[], [true]])
  for (const path of ["/bearer/sign-up", "/bearer/sign-in", "/bearer/sign-in/factor"]) {
    expect([path, told("post", path)]).toEqual([path, [[], []]])
  }
  // What is open to everyone reads cookies where there are some.
  for (const path of ["/password/forgot", "/password/reset", "/email/undo", "/factor-recovery/complete"]) {
    expect([path, told("post", path)]).toEqual([path, [[], [false]]])
  }
  for (const path of ["/sign-in/factor", "/sign-in/factor/recovery"]) {
    expect([path, told("post", path)]).toEqual([path, [["session"], [true]]])
  }
  expect(told("get", "/sign-in/factor/recovery")).toEqual([["session"], []])
  // An address is proved only in a session of its account.
  for (const path of ["/sign-out", "/verification/redeem"]) {
    expect([path, told("post", path)]).toEqual([path, [["bearer", "session"], [false]]])
  }
  expect(told("put", "/password")).toEqual([["bearer", "session"], [false]])
  // The token is compared, not decoded.
  expect(paths["/api/sign-in/factor/recovery"]?.["post"]?.responses).not.toHaveProperty("400")
})

it("Optional parameters of a path are required, as OpenAPI demands, and names of operations are unique", () => {
  const one = HttpApiGroup.make("same").add(
    HttpApiEndpoint.get("same", "/one/:id").setPath(Schema.Struct({ id: Schema.optional(Schema.String) }))
  )
  const two = HttpApiGroup.make("same").add(HttpApiEndpoint.get("same", "/two"))
  const made = OpenApiDocument.make([HttpApi.make("one").add(one), HttpApi.make("two").add(two)])
  expect(made.paths["/one/{id}"]?.["get"]?.parameters).toMatchObject([{ name: "id", required: true }])
  expect([made.paths["/one/{id}"]?.["get"]?.operationId, made.paths["/two"]?.["get"]?.operationId]).toEqual([
    "same.same",
    "same.same2"
  ])
})

it("A text that is no JSON has no example", () => {
  const plain = HttpApiGroup.make("plain").add(HttpApiEndpoint.get("text", "/text").addSuccess(HttpApiSchema.Text()))
  const made = OpenApiDocument.make([HttpApi.make("plain").add(plain)], {
    title: "Plain",
    version: "2",
    description: "x"
  })
  expect(made.paths["/text"]?.["get"]?.responses["200"]).toMatchObject({ content: { "text/plain": { schema: {} } } })
  expect(made.info).toEqual({ title: "Plain", version: "2", description: "x" })
})
