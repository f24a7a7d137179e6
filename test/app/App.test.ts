// A program of parts: what `App.run` puts around its pages, and what each option replaces.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Schema } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as App from "../../app/App.ts"
import type { Accepted } from "../../app/Parts.ts"
import * as AppConfig from "../../layers/server/AppConfig.ts"
import * as Access from "../../routes/auth/Access.ts"
import * as Page from "../../routes/session/Page.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import * as DefaultLayout from "../../src/http/DefaultLayout.ts"
import * as German from "../../src/texts/German.ts"
import { html } from "../../src/http/Html.ts"
import * as Languages from "../../src/http/Languages.ts"
import * as Job from "../../src/jobs/Job.ts"
import * as Jobs from "../../src/jobs/Jobs.ts"
import { fromSend, Mailer } from "../../src/mail/Mailer.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as TestClient from "../../testing/TestClient.ts"
import { folder } from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

class Kettle extends Context.Tag("test/Kettle")<Kettle, string>() {}

const text = (body: string) => Effect.succeed(HttpServerResponse.text(body))
const tea = Effect.map(CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))
const { route } = HttpLayerRouter

const password = "a quiet harbour"
const form = { email: "ada@example.com", password, password_confirmation: password }

/** Serves the program in a folder of its own. */
const serve = Effect.fnUntraced(function* ({ layer }: App.Program<unknown>) {
  const storage = yield* folder
  const variables = { PORT: "0", STORAGE_DIR: storage, AUTH_ARGON2_MEMORY: "19456", AUTH_ARGON2_TIME: "2" }
  const provider = ConfigProvider.fromMap(new Map(Object.entries(variables)))
  const settings = yield* Effect.withConfigProvider(AppConfig.config("test"), provider)
  const { url } = Context.get(yield* Layer.build(layer(settings)), ServerAddress)
  return { client: TestClient.make(url), storage }
})

describe("a program of pages alone", () => {
  it.scopedLive("has accounts, a first page, metrics, probes and error pages", () =>
    Effect.gen(function* () {
      const fail = route("GET", "/fail", Effect.dieMessage("no water"))
      const pages = [route("GET", "/tea", Access.requireUser(tea)), fail]
      const { client } = yield* serve(App.make({ name: "Teapots", pages }))
      const home = yield* client.get("/")
      expect(home.body).toContain("<title>Teapots</title>")
      expect(home.body).toMatch(/<main.*href="\/register".*href="\/login".*<\/main>/s)
      expect((yield* client.get("/tea")).location).toBe("/login")
      yield* client.submit("/register", form)
      expect((yield* client.get("/tea")).body).toBe("Tea for ada@example.com")
      expect((yield* client.get("/")).body).toMatch(/<main.*href="\/account".*<\/main>/s)
      expect((yield* client.get("/metrics")).body).toMatch(/^http_requests_total [1-9]/m)
      expect((yield* client.get("/readyz")).status).toBe(200)
      expect(yield* client.get("/fail")).toMatchObject({ status: 500, text: expect.stringContaining("Teapots") })
      expect(yield* client.get("/nothing")).toMatchObject({ status: 404, text: expect.stringContaining("Teapots") })
    })
  )
})

describe("a part of a program", () => {
  it.scopedLive("takes the place of the framework's page with the same method and path", () =>
    Effect.gen(function* () {
      const pages = [
        route("GET", "/", text("Our first page")),
        route("GET", "/login", text("Our sign-in page")),
        route("GET", "/account", Access.requireUser(text("Our account page")))
      ]
      const { client } = yield* serve(
        App.make({ name: "Teapots", pages, routes: Pipeline.stateless([route("GET", "/metrics", text("none"))]) })
      )
      expect((yield* client.get("/")).body).toBe("Our first page")
      expect((yield* client.get("/login")).body).toBe("Our sign-in page")
      expect((yield* client.get("/metrics")).body).toBe("none")
      expect((yield* client.submit("/register", form)).location).toBe("/account")
      expect((yield* client.get("/account")).body).toBe("Our account page")
      // The framework's form of the page that was replaced.
      expect((yield* client.json("POST", "/login", {})).status).not.toBe(404)
    })
  )

  it.scopedLive("takes the place of the layout, the languages, the mailer, the database and a service", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      const mailer = fromSend(({ to }) => Effect.sync(() => void sent.push(to)))
      const own = join(yield* folder, "own.sqlite")
      const kettle = Effect.gen(function* () {
        const { server } = yield* App.CurrentConfig
        return `blue kettle on port ${server.port}`
      })
      const show = Effect.flatMap(Kettle, (kettle) => Page.render({ title: "Kettle", main: html`<h1>${kettle}</h1>` }))
      const { client, storage } = yield* serve(
        App.make({
          name: "Teapots",
          pages: [route("GET", "/kettle", show)],
          services: Layer.effect(Kettle, kettle),
          layout: DefaultLayout.layer({ name: "Pots & more" }),
          languages: Languages.layer({ de: German.layer }),
          mailer: Layer.succeed(Mailer, mailer),
          database: () => SqliteClient.layer({ filename: own })
        })
      )
      const page = yield* client.get("/kettle")
      expect(page.text).toContain("blue kettle on port 0")
      expect(page.body).toContain("Pots &amp; more</title>")
      expect(page.body).toContain('<html lang="de">')
      yield* client.submit("/register", form)
      yield* eventually(
        Effect.sync(() => sent),
        ([to]) => to === "ada@example.com"
      )
      expect(existsSync(own)).toBe(true)
      expect(existsSync(join(storage, "mails"))).toBe(false)
      expect(existsSync(join(storage, "test.sqlite"))).toBe(false)
    })
  )
})

describe("the type checker", () => {
  const unguarded = [route("GET", "/tea", tea)] as const
  const lacking = [route("GET", "/kettle", Effect.map(Kettle, HttpServerResponse.text))] as const

  it("names the guard for a page that reads CurrentIdentity without one", () => {
    // @ts-expect-error UnguardedPage
    App.make({ name: "Teapots", pages: unguarded })
    // @ts-expect-error UnguardedPage
    App.make({ name: "Teapots", pages: [...unguarded, ...lacking] })
    // @ts-expect-error UnguardedPage
    const run = () => App.run({ name: "Teapots", pages: [route("GET", "/tea", tea)] })
    expect(run).toBeDefined()
    expectTypeOf<Accepted<typeof unguarded, never>>().toEqualTypeOf<App.UnguardedPage>()
    expectTypeOf<keyof App.UnguardedPage>().toExtend<`${string}CurrentIdentity${string}Access.requireUser${string}`>()
  })

  it("names the service that a page needs and the program does not have", () => {
    // @ts-expect-error The option `services` is missing.
    App.make({ name: "Teapots", pages: lacking })
    // @ts-expect-error MissingService<Kettle>
    App.make({ name: "Teapots", pages: lacking, services: Layer.empty })
    expectTypeOf<Accepted<typeof lacking, never>>().toEqualTypeOf<App.MissingService<Kettle>>()
    expectTypeOf<Accepted<typeof lacking, Kettle>>().toEqualTypeOf<typeof lacking>()
  })

  it("refuses a page that enqueues a job without a handler, until another program has it", () => {
    const Brew = Job.make("brew", { payload: Schema.Struct({}) })
    const enqueuing = [
      route("POST", "/tea", Effect.as(Jobs.enqueue(Brew, {}), HttpServerResponse.text("Soon")))
    ] as const
    // @ts-expect-error MissingService<Handled<"brew">>
    App.make({ name: "Teapots", pages: enqueuing, services: Layer.empty })
    App.make({ name: "Teapots", pages: enqueuing, services: Job.toLayer(Brew, () => Effect.void) })
    App.make({ name: "Teapots", pages: enqueuing, services: Job.layerElsewhere(Brew) })
    expectTypeOf<Accepted<typeof enqueuing, never>>().toEqualTypeOf<App.MissingService<Job.Handled<"brew">>>()
  })

  it("names a failure that has no response", () => {
    // @ts-expect-error UnhandledFailure<Error>
    App.make({ name: "Teapots", pages: [route("GET", "/tea", Effect.fail(new Error("cold")))] })
  })
})
