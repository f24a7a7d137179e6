// Error pages in the layout of the program, and what they fall back to.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { requireUser } from "../../../routes/auth/Access.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Catcher from "../../../routes/errors/Catcher.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { html } from "../../../src/http/Html.ts"
import { Csrf } from "../../../src/session/Csrf.ts"
import { ErrorPages } from "../../../src/errors/ErrorPages.ts"
import { Layout } from "../../../src/http/Layout.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"

const die = Effect.die(new Error("the secret recipe"))

const pages = [
  HttpLayerRouter.route("GET", "/boom", die),
  HttpLayerRouter.route("GET", "/guarded", requireUser(die)),
  HttpLayerRouter.route("GET", "/conflict", Catcher.status(409, { message: "Sold <out>." })),
  HttpLayerRouter.route("POST", "/form", Catcher.status(429)),
  HttpLayerRouter.route("GET", "/closed", Catcher.status(503))
]

const machines = [HttpLayerRouter.route("GET", "/probe", Catcher.status(409))]

const app = Pipeline.app([...Pipeline.pages([...AuthRoutes.routes, ...pages]), ...Pipeline.stateless(machines)])

const bar = '<header class="bar">'

layer(TestApp.layerOf(app, { environment: "production" }))("An error page", (it) => {
  it.effect("is in the layout, with the status, its message and the policy of every page", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const cases = [
        ["/nowhere", 404, "404 Not Found"],
        ["/conflict", 409, "409 Sold &lt;out&gt;."],
        ["/boom", 500, "500 Internal Server Error"],
        ["/closed", 503, "503 Service Unavailable"]
      ] as const
      for (const [path, status, title] of cases) {
        const response = yield* guest.get(path)
        expect([path, response.status]).toEqual([path, status])
        expect(response.body).toContain(bar)
        expect(response.body).toContain(`<title>${title} · Test</title>`)
        expect(response.body).not.toContain("recipe")
        expect(response.headers.get("content-security-policy")).toContain("style-src 'self'")
        expect(response.headers.get("cache-control")).toBe("no-store")
        expect(response.headers.get("vary")).toContain("Accept")
      }
      expect((yield* guest.request("/form", { method: "POST", form: {} })).body).toContain("403 Invalid CSRF token")
      const long = { method: "POST", body: "x".repeat(1_100_000) }
      expect((yield* guest.request("/form", long)).body).toContain(`<title>413 Content Too Large · Test</title>`)
    })
  )

  it.effect("shows who is signed in", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      for (const path of ["/nowhere", "/guarded", "/boom"]) {
        const { body } = yield* member.get(path)
        expect(body).toContain('action="/logout"')
        expect(body).not.toContain('href="/login"')
      }
    })
  )

  it.effect("is JSON for a JSON client, and the built-in page for a machine's route", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.json("GET", "/nowhere")).json).toEqual({ error: "Not Found" })
      const { body } = yield* guest.get("/probe")
      expect(body).toContain("<h1>Conflict</h1>")
      expect(body).not.toContain(bar)
    })
  )

  it.effect("does not fail with the session", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const member = yield* TestApp.signedInUser()
      yield* sql`ALTER TABLE sessions RENAME TO away`
      const response = yield* member.get("/nowhere")
      yield* sql`ALTER TABLE away RENAME TO sessions`
      expect(response.status).toBe(404)
      expect(response.body).toContain(bar)
    })
  )
})

const broken = Layer.succeed(Layout, {
  page: () => {
    throw new Error("the layout is broken")
  }
})

const plainLayout = Layer.succeed(Layout, { page: ({ main, title }) => html`<title>${title}</title>${main}` })

layer(TestApp.layerOf(app, { environment: "production", services: broken }))("With a broken layout", (it) => {
  it.effect("an error page is the built-in one", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.get("/nowhere")
      expect(response.status).toBe(404)
      expect(response.body).toContain("<h1>Not Found</h1>")
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'sha256-")
    })
  )
})

layer(TestApp.layerOf(app, { environment: "production", services: plainLayout }))("With another layout", (it) => {
  it.effect("an error page is in that one", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/boom")).body).toMatch(/^<title>500 Internal Server Error<\/title>/)
    })
  )
})

// What reads the message of this value gets an exception.
const hostile = (): never => {
  throw Object.defineProperty(new Error(), "message", {
    get: () => {
      throw new Error("gone")
    }
  })
}

const describeThrowing = <S>(name: string, services: Layer.Layer<S>) =>
  layer(TestApp.layerOf(app, { environment: "production", services }))(`An error page over ${name}`, (it) => {
    it.effect("is the built-in one, and reported once, when it throws a hostile value", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const { reported } = yield* CapturedExceptions
        const { body, headers, status } = yield* guest.get("/nowhere")
        expect([status, headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
        expect(body).toContain("<h1>Not Found</h1>")
        expect(yield* reported).toHaveLength(1)
      })
    )
  })

describeThrowing("a page of the project", Layer.succeed(ErrorPages, { page: hostile }))
describeThrowing("a layout", Layer.succeed(Layout, { page: hostile }))

let isBroken = false
const csrf = Layer.effect(
  Csrf,
  Effect.map(Csrf, (own) => Csrf.of({ ...own, token: (session) => (isBroken ? hostile() : own.token(session)) }))
)

layer(TestApp.layerOf(app, { environment: "production", services: csrf }))("An error page over a session", (it) => {
  it.effect("is that of a guest, and not reported, when its form secret throws a hostile value", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      const { reported } = yield* CapturedExceptions
      isBroken = true
      const { body, status } = yield* member.get("/nowhere")
      isBroken = false
      expect([status, body.includes(bar), yield* reported]).toEqual([404, true, []])
    })
  )
})
