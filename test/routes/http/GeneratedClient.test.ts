// A client that a foreign generator makes of the document: the compiler accepts it, and it runs against a real server.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import openapiTypescript, { astToString } from "openapi-typescript"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiDocs from "../../../routes/http/ApiDocs.ts"
import * as Pipeline from "../../../routes/http/Pipeline.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { root } from "../../support/Demo.ts"
import * as ExampleApi from "../../support/ExampleApi.ts"

const run = promisify(execFile)

const apis = [ExampleApi.TeaApi, ExampleApi.MeApi] as const

const app = Pipeline.app([
  ...Pipeline.pages(AuthRoutes.routes),
  ...Pipeline.plain(ApiDocs.routes(apis)),
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

const settings = {
  strict: true,
  noEmit: true,
  module: "nodenext",
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "generated-client-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

layer(TestApp.layerOf(app, { environment: "production", services: ExampleApi.layer }))("A generated client", (it) => {
  it.scoped("compiles, and creates, reads, changes and deletes on a real server", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const person = yield* TestApp.signedInUser()
      const { token } = (yield* person.json("GET", "/csrf")).json as { readonly token: string }
      const document = (yield* person.request("/openapi.json")).body
      const path = yield* folder
      const output = yield* Effect.promise(async () => {
        writeFileSync(join(path, "schema.ts"), astToString(await openapiTypescript(document)))
        writeFileSync(join(path, "main.ts"), program)
        writeFileSync(join(path, "package.json"), JSON.stringify({ type: "module" }))
        writeFileSync(join(path, "tsconfig.json"), JSON.stringify({ compilerOptions: settings, files: ["main.ts"] }))
        symlinkSync(join(root, "node_modules"), join(path, "node_modules"))
        const require = createRequire(import.meta.url)
        const checked = run(process.execPath, [require.resolve("typescript/bin/tsc"), "-p", path]).then(
          () => "",
          (error: { readonly stdout: string }) => error.stdout
        )
        expect(await checked).toBe("")
        const cookie = [...person.jar].map(([name, value]) => `${name}=${value}`).join("; ")
        const args = [require.resolve("tsx/cli"), join(path, "main.ts"), url, cookie, token, person.address]
        return (await run(process.execPath, args)).stdout
      })
      expect(JSON.parse(output)).toEqual({
        first: "Assam",
        email: person.user.email,
        refused: expect.objectContaining({ _tag: "Unauthenticated" }),
        made: 201,
        changed: "Kenya",
        missing: { _tag: "TeaNotFound", id: 404 },
        removed: 204,
        wrong: 400
      })
    })
  )
})
