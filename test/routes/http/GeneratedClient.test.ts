// A client that a foreign generator makes of the document: the compiler accepts it, and it runs against a real server.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiDocs from "../../../routes/server/ApiDocs.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"
import * as GeneratedClient from "../../support/GeneratedClient.ts"

const apis = [ExampleApi.TeaApi, ExampleApi.MeApi] as const

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.stateless(ApiDocs.routes(apis)),
  ...Pipeline.api(ExampleApi.TeaApi),
  ...Pipeline.api(ExampleApi.MeApi)
])

// The types of the generated client are part of what is tested: a wrong property does not compile.
const program = `
import createClient from "openapi-fetch"
import type { paths } from "./schema.ts"

const [baseUrl = "", cookie = "", token = "", address = ""] = process.argv.slice(2)
const headers = { cookie, "x-csrf-token": token, "x-forwarded-for": address }
const member = createClient<paths>({ baseUrl, headers })
const guest = createClient<paths>({ baseUrl })

const listed = await guest.GET("/api/teas", { params: { query: { origin: "india" } } })
const first: string | undefined = listed.data?.[0]?.name
const refused = await guest.POST("/api/teas", { body: { name: "Assam", price: 1 } })
const made = await member.POST("/api/teas", { body: { name: "Assam", price: 2, tags: ["black"] } })
const id: number = made.data?.id ?? 0
const changed = await member.PUT("/api/teas/{id}", { params: { path: { id: String(id) } }, body: { name: "Kenya", price: 3 } })
const missing = await guest.GET("/api/teas/{id}", { params: { path: { id: "404" } } })
const removed = await member.DELETE("/api/teas/{id}", { params: { path: { id: String(id) } } })
const me = await member.GET("/api/me")
const email: string | undefined = me.data?.email
// @ts-expect-error A price is a number.
const wrong = await member.POST("/api/teas", { body: { name: "Assam", price: "much" } })
console.log(JSON.stringify({
  first, email, refused: refused.error, made: made.response.status, changed: changed.data?.name,
  missing: missing.error, removed: removed.response.status, wrong: wrong.response.status
}))
`

layer(TestApp.layerOf(app, { environment: "production", services: ExampleApi.layer }))("A generated client", (it) => {
  it.scoped("compiles, and creates, reads, changes and deletes on a real server", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const person = yield* TestApp.signedInUser()
      const { token } = (yield* person.json("GET", "/csrf")).json as { readonly token: string }
      const document = (yield* person.request("/openapi.json")).body
      const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join("; ")
      const args = [url, cookie, token, person.address]
      const { printed, refused } = yield* GeneratedClient.compileAndRun(document, program, args)
      expect(refused).toBe("")
      expect(JSON.parse(printed)).toEqual({
        first: "Assam",
        email: person.user.email,
        refused: expect.objectContaining({ _tag: "Unauthenticated" }),
        made: 201,
        changed: "Kenya",
        missing: { error: "Not Found", _tag: "TeaNotFound", id: 404 },
        removed: 204,
        wrong: 422
      })
    })
  )
})
