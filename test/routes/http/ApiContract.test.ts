// The document of an API tells the truth: every status that it declares is provoked, and its body and headers are as said.
import { expect, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Layer, Ref } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as OpenApiDocument from "../../../routes/server/internal/OpenApiDocument.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as FactorPolicy from "../../../src/auth/FactorPolicy.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as ApiDocument from "../../../src/server/internal/ApiDocument.ts"
import { defaultLimit } from "../../../src/http/internal/RouteOptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"

const apis = [ExampleApi.TeaApi, ExampleApi.MeApi] as const

const document = JSON.parse(JSON.stringify(OpenApiDocument.make(apis))) as ApiDocument.ApiDocument

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.api(ExampleApi.TeaApi),
  ...Pipeline.api(ExampleApi.MeApi)
])

const ajv = new Ajv2020({ strict: false, validateFormats: false })

const check = (schema: ApiDocument.JsonSchema, value: unknown): string => {
  const isValid = ajv.validate({ ...schema, components: document.components }, value)
  return isValid ? "" : `${ajv.errorsText()} in ${JSON.stringify(value)}`
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
  readonly text?: string
  readonly signedIn: boolean
  readonly token: boolean
  /** Whether the account needs a second factor, which it has not. */
  readonly isObliged: boolean
  readonly fault: "none" | "defect" | "unavailable" | "limit"
}

// The request that succeeds is made of the examples of the document.
const valid = ({ method, operation, path }: ApiDocument.Endpoint): Sent => ({
  method: method.toUpperCase(),
  path: path.replace(/\{(\w+)\}/g, (_, name) =>
    String(operation.parameters?.find((one) => one.name === name && one.in === "path")?.example)
  ),
  body: operation.requestBody?.content["application/json"]?.example,
  signedIn: (operation.security ?? []).length > 0,
  token: true,
  isObliged: false,
  fault: "none"
})

const invalidPath = ({ operation, path }: ApiDocument.Endpoint): string =>
  path.includes("{") ? path.replace(/\{\w+\}/g, "none") : `${path}?${operation.parameters?.at(-1)?.name}=none`

/** What to change in a valid request to get a status. */
const provoked: Readonly<Record<string, (endpoint: ApiDocument.Endpoint) => Partial<Sent>>> = {
  "200": () => ({}),
  "201": () => ({}),
  "204": () => ({}),
  "400": (endpoint) => (endpoint.operation.requestBody ? { text: "[" } : { path: invalidPath(endpoint) }),
  "422": () => ({ body: {} }),
  "401": () => ({ signedIn: false }),
  "403": ({ method }) => (method === "get" ? { isObliged: true } : { token: false }),
  "404": ({ path }) => ({ path: path.replace(/\{\w+\}/g, "404") }),
  "409": () => ({ body: { name: "taken", price: 1 } }),
  "413": () => ({ text: " ".repeat(defaultLimit + 1) }),
  "429": () => ({ fault: "limit" }),
  "500": () => ({ fault: "defect" }),
  "503": () => ({ fault: "unavailable" }),
  default: () => ({ method: "PATCH" })
}

const environment = "production"

let count = 0

const policy = FactorPolicy.layer(Effect.map(CurrentIdentity, ({ email }) => email.startsWith("obliged")))

const services = Layer.merge(ExampleApi.layer, policy)

layer(TestApp.layerOf(app, { environment, services }))("The document of an API", (it) => {
  const send = Effect.fnUntraced(function* ({ body, fault, isObliged, method, path, signedIn, text, token }: Sent) {
    const client = yield* signedIn
      ? TestApp.signedInUser(isObliged ? { email: `obliged-${count++}@example.com` } : {})
      : TestApp.guest
    const csrf = signedIn && token ? yield* client.json("GET", "/csrf") : undefined
    yield* Ref.set(yield* ExampleApi.Fault, fault)
    const { token: value = "" } = (csrf?.json ?? {}) as { readonly token?: string }
    return yield* client.request(path, {
      method,
      headers: {
        accept: "*/*",
        ...(csrf && { "x-csrf-token": value }),
        ...(body !== undefined && { "content-type": "application/json" })
      },
      ...(body !== undefined && { body: text ?? JSON.stringify(body) })
    })
  })

  for (const endpoint of ApiDocument.endpoints(document)) {
    for (const [status, part] of Object.entries(endpoint.operation.responses)) {
      it.effect(`${endpoint.operation.operationId} answers ${status} as it is declared`, () =>
        Effect.gen(function* () {
          const response = ApiDocument.responseOf(document, part)
          const change = provoked[status]
          if (change === undefined) return expect.fail(`nothing provokes ${status}`)
          const received = yield* send({ ...valid(endpoint), ...change(endpoint) })
          if (status === "default") return expect(received.status).toBe(405)
          expect(received.status, received.body).toBe(Number(status))
          for (const name of Object.keys(response.headers ?? {})) expect(received.headers.has(name), name).toBe(true)
          if (response.content === undefined) return expect(received.body).toBe("")
          const type = (received.headers.get("content-type") ?? "").split(";", 1)[0] ?? ""
          const schema = response.content[type]?.schema
          if (schema === undefined) return expect.fail(`${type} is not declared`)
          expect(check(schema, received.json)).toBe("")
          expect(received.body).not.toContain("secret")
        })
      )
    }
  }

  it.effect("has a problem document for a client that accepts it, and a page for one that prefers a page", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const fail = (accept: string) =>
        Effect.zipRight(
          Effect.flatMap(ExampleApi.Fault, (fault) => Ref.set(fault, "defect")),
          guest.request("/api/teas", { headers: { accept } })
        )
      const problem = yield* fail("application/json, application/problem+json")
      expect(problem.headers.get("content-type")).toBe("application/problem+json")
      expect(check({ $ref: "#/components/schemas/ProblemDetails" }, problem.json)).toBe("")
      expect((yield* fail("text/html")).headers.get("content-type")).toContain("text/html")
      expect((yield* fail("text/html,application/json;q=0.9")).headers.get("content-type")).toContain("text/html")
    })
  )
})

layer(TestApp.layerOf(app, { services: ExampleApi.layer }))("Every example of the document", (it) => {
  it.effect("is accepted by its own schema", () =>
    Effect.sync(() => {
      let count = 0
      const operations = ApiDocument.endpoints(document).map(({ operation }) => operation)
      const bodies = operations.map(({ requestBody }) => requestBody?.content ?? {})
      const parts = operations.flatMap(({ responses }) => Object.values(responses))
      const contents = bodies.concat(parts.map((part) => ApiDocument.responseOf(document, part).content ?? {}))
      for (const { example, schema } of contents.flatMap((content) => Object.values(content))) {
        if (example === undefined || schema === undefined) continue
        count++
        expect(check(schema, example)).toBe("")
      }
      expect(count).toBeGreaterThan(20)
    })
  )
})
