// What a user's tests stand on, tried as a user would.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, inject, it, layer } from "@effect/vitest"
import { Context, Effect, Exit, Layer, TestClock } from "effect"
import { existsSync } from "node:fs"
import { Access, AuthRoutes } from "../../routes/auth/index.ts"
import { Respond } from "../../routes/session/index.ts"
import { Pipeline } from "../../routes/server/index.ts"
import { Health, Metrics } from "../../routes/observability/index.ts"
import { Users } from "../../src/auth/index.ts"
import { Identity } from "../../src/session/index.ts"
import { postgres } from "../support/Databases.ts"
import { CapturedExceptions, CapturedMail, TemporaryDatabase, TestApp } from "../../testing/index.ts"
import * as PageText from "../../testing/PageText.ts"
import { TemporaryFolder } from "../../testing/TemporaryFolder.ts"

class Cups extends Context.Tag("test/Cups")<Cups, { readonly count: Effect.Effect<number> }>() {}

const cups = Layer.effect(
  Cups,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    count: sql<{ cups: number }>`SELECT cups FROM cupboard`.pipe(
      Effect.map(([row]) => row?.cups ?? 0),
      Effect.orDie
    )
  }))
)

const migrations = {
  "0001_cupboard": Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(sql`CREATE TABLE cupboard (cups INTEGER NOT NULL)`, sql`INSERT INTO cupboard VALUES (6)`)
  )
}

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/me",
    Access.requireUser(Effect.map(Identity.CurrentIdentity, (me) => Respond.json(me)))
  ),
  HttpLayerRouter.route("POST", "/me", Access.requireUser(Effect.succeed(Respond.json({ told: true })))),
  HttpLayerRouter.route(
    "GET",
    "/cups",
    Effect.map(
      Effect.flatMap(Cups, ({ count }) => count),
      (count) => Respond.text(`${count} cups`)
    )
  ),
  HttpLayerRouter.route("GET", "/broken", Effect.die(new Error("The pot is cracked"))),
  HttpLayerRouter.route("GET", "/forgot", Effect.succeed(Respond.text("Ask at the bar")))
]

describe("TestApp", () => {
  layer(TestApp.layer(routes, { migrations, services: cups }))((it) => {
    it.effect("serves routes that stand on tables and services of the program's own", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get("/cups")).body).toBe("6 cups")
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE cupboard SET cups = 5`
        expect((yield* guest.get("/cups")).body).toBe("5 cups")
      })
    )

    it.effect("prefers a route of the program to one of authentication", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get("/forgot")).body).toBe("Ask at the bar")
        expect((yield* guest.get("/register")).text).toContain("Create account")
      })
    )

    it.effect("signs people in, each in a browser of their own", () =>
      Effect.gen(function* () {
        const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
        const me = yield* ann.json("GET", "/me")
        expect(me.json).toEqual({ id: ann.user.id, email: ann.user.email, verified: true })
        expect((yield* bob.json("GET", "/me")).json).toMatchObject({ email: bob.user.email })
        expect(ann.address).not.toBe(bob.address)
        const again = yield* TestApp.signedInUser(ann.user)
        expect((yield* again.json("GET", "/me")).json).toEqual(me.json)
      })
    )

    it.effect("sends forms and JSON with a token that fits, and nothing but what is told otherwise", () =>
      Effect.gen(function* () {
        const member = yield* TestApp.signedInUser()
        expect((yield* member.submit("/me", { cup: "blue" })).json).toEqual({ told: true })
        expect((yield* member.json("POST", "/me", { cup: "blue" })).json).toEqual({ told: true })
        expect((yield* member.request("/me", { form: { cup: "blue" } })).status).toBe(403)
      })
    )

    it.effect("sends the headers of a client with every request", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        guest.headers.set("x-request-id", "tea")
        expect((yield* guest.get("/cups")).headers.get("x-request-id")).toBe("tea")
        expect((yield* guest.json("POST", "/me")).headers.get("x-request-id")).toBe("tea")
        const stated = yield* guest.request("/cups", { headers: { "x-request-id": "coffee" } })
        expect(stated.headers.get("x-request-id")).toBe("coffee")
      })
    )

    it.effect("moves the server's clock with the test's", () =>
      Effect.gen(function* () {
        const member = yield* TestApp.signedInUser()
        yield* TestClock.adjust("119 minutes")
        expect((yield* member.get("/me")).status).toBe(200)
        yield* TestClock.adjust("121 minutes")
        expect((yield* member.get("/me")).location).toBe("/login")
      })
    )

    it.effect("captures e-mails, and opens their links", () =>
      Effect.gen(function* () {
        const mail = yield* CapturedMail.CapturedMail
        const guest = yield* TestApp.guest
        const [email, password] = ["cleo@example.com", "a quiet harbour"]
        yield* guest.submit("/register", { email, password, password_confirmation: password })
        const [message] = yield* mail.messagesTo(email)
        expect(message).toMatchObject({ to: email, subject: "Confirm your e-mail address" })
        expect(message?.text).toContain(`${TestApp.appUrl}${yield* mail.linkTo(email)}`)
        expect((yield* guest.follow(yield* mail.linkTo(email))).text).toContain("E-mail verified!")
        expect((yield* guest.json("GET", "/me")).json).toMatchObject({ verified: true })
        const nobody = yield* Effect.exit(mail.linkTo("nobody@example.com"))
        expect(String(nobody)).toContain("No message with a link went to nobody@example.com")
      })
    )

    it.effect("enrols people who have not confirmed their address", () =>
      Effect.gen(function* () {
        const person = yield* TestApp.enrolledUser({ email: "dan@example.com", verified: false })
        const users = yield* Users.Users
        expect(yield* users.findById(person.id)).toMatchObject({ value: { email: "dan@example.com", verified: false } })
      })
    )

    it.effect("keeps exceptions for the test to look at", () =>
      Effect.gen(function* () {
        const exceptions = yield* CapturedExceptions.CapturedExceptions
        const guest = yield* TestApp.guest
        expect(yield* guest.get("/broken")).toMatchObject({ status: 500, body: " " })
        expect((yield* exceptions.reported).map(({ message }) => message)).toEqual(["The pot is cracked"])
      })
    )

    it.effect("says why a sign-in failed", () =>
      Effect.gen(function* () {
        const person = yield* TestApp.enrolledUser()
        const exit = yield* Effect.exit(TestApp.signedInUser({ ...person, password: "wrong" }))
        expect(Exit.isFailure(exit) && String(exit.cause)).toContain(`Signing in ${person.email} returned 401`)
      })
    )
  })

  it.effect("hashes for real when asked to", () =>
    Effect.gen(function* () {
      const { email } = (yield* TestApp.signedInUser()).user
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ password: string }>`SELECT password FROM users WHERE email = ${email}`
      expect(row?.password).toMatch(/^\$argon2id\$/)
    }).pipe(Effect.provide(TestApp.layer([], { hashing: "argon2" })))
  )

  it.effect("stands on another database when asked to", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      const sql = yield* SqlClient.SqlClient
      expect(sql.onDialectOrElse({ pg: () => "PostgreSQL", orElse: () => "another" })).toBe("PostgreSQL")
      expect((yield* member.get("/cups")).body).toBe("6 cups")
    }).pipe(Effect.provide(TestApp.layer(routes, { migrations, services: cups, database: postgres.layerEmpty })))
  )

  it.effect("serves a complete program, with probes and metrics", () => {
    const app = Pipeline.app([
      ...Pipeline.pages(AuthRoutes.pages.login),
      ...Pipeline.stateless([...Health.live, ...Health.ready, ...Metrics.routes])
    ])
    return Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.json("GET", "/health")).json).toMatchObject({ status: "ok" })
      expect((yield* guest.json("GET", "/readyz")).json).toEqual({ status: "ready" })
      expect((yield* guest.get("/metrics")).body).toMatch(/^http_requests_total 3$/m)
    }).pipe(Effect.provide(TestApp.layerOf(app)))
  })

  it.effect("leaves nothing behind", () =>
    Effect.gen(function* () {
      const folder = yield* Effect.provide(
        Effect.tap(TemporaryFolder, (path) => expect(existsSync(path)).toBe(true)),
        TestApp.layer([])
      )
      expect(existsSync(folder)).toBe(false)
    })
  )

  it("reads a page as a person does", () => {
    const page =
      '<!doctype html><title>No</title><body class="x"><h1>Tea &amp; &lt;cake&gt;</h1><p>It&#39;s &amp;lt;</p>'
    expect(PageText.textOf(page)).toBe("Tea & <cake> It's &lt;")
  })
})

layer(TestApp.layer([]))("A person of the test kit", (it) => {
  it.effect("has an authenticator app, whose code completes a sign-in", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust("1 hour")
      const user = yield* TestApp.enrolledUser()
      const phone = yield* TestApp.authenticatorApp(user)
      const client = yield* TestApp.guest
      const { email, password } = user
      expect((yield* client.submit("/login", { email, password })).location).toBe("/login/factor")
      expect((yield* client.submit("/login/factor", { code: yield* phone.code })).status).toBe(303)
      expect((yield* client.get("/account")).status).toBe(200)
      expect(phone.recoveryCodes).toHaveLength(10)
    })
  )
})

it.effect("A temporary database on PostgreSQL is fresh, migrated and gone afterwards", () =>
  Effect.gen(function* () {
    const server = `${inject("postgresServer")}/postgres`
    const names = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ readonly name: string }>`SELECT current_database() AS name`
    )
    const users = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM users`)
    const postgres = TemporaryDatabase.layerPostgres(server)
    const database = TemporaryDatabase.layer({}, { database: postgres })
    const [one] = yield* Effect.provide(Effect.zipLeft(names, users), database)
    const [other] = yield* Effect.provide(names, postgres)
    expect(one?.name).toMatch(/^test_[0-9a-f]{16}$/)
    expect(other?.name).not.toBe(one?.name)
    const left = Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT 1 FROM pg_database WHERE datname = ${one?.name ?? ""}`
    )
    expect(yield* Effect.provide(left, postgres)).toEqual([])
  })
)
