// The second step of a sign-in, as a browser and as a JSON client, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { SqlClient } from "@effect/sql"
import { Factors } from "../../../src/auth/Factors.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as Visitor from "../../support/Visitor.ts"

const account = Effect.gen(function* () {
  const app = yield* AuthApp.AuthApp
  const { person } = yield* AuthApp.register()
  return { app, person, ...(yield* FactorApp.enrol(person)) }
})

/** A browser in which the password was right. */
const pending = Effect.fnUntraced(function* (more: Readonly<Record<string, string>> = {}) {
  const given = yield* account
  const { response, visitor } = yield* AuthApp.signIn(given.person, more)
  expect(response).toMatchObject({ status: 303, location: "/login/factor" })
  yield* visitor.get("/login/factor")
  return { ...given, visitor }
})

const verify = (email: string) =>
  Effect.gen(function* () {
    const users = yield* Users
    const identity = Option.getOrThrow(yield* users.fetch(email))
    yield* users.confirm(identity.id)
  })

/** Sets a new password by the mailed link, and returns it. */
const reset = Effect.fnUntraced(function* (app: AuthApp.App, email: string) {
  const link = yield* AuthApp.recoveryLink(email)
  const browser = Visitor.make(app.url)
  yield* browser.get(link)
  const password = "another quiet harbour"
  const done = yield* browser.submit(link, { password, password_confirmation: password })
  expect(done.location).toBe("/login")
  return password
})

const guarded = ["/account", "/password", "/account/sessions"]

describeDatabases("The second step of a sign-in", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("signs in with the code, and only then", () =>
      Effect.gen(function* () {
        const { person, secret, visitor } = yield* pending()
        const sql = yield* SqlClient.SqlClient
        const sessions = sql`SELECT key FROM sessions JOIN users ON users.id = user_id WHERE email = ${person.email}`
        const before = (yield* sessions).length
        for (const path of guarded) {
          const { body, location, status } = yield* visitor.get(path)
          expect([status, body.includes(person.email)], path).toEqual([path === "/account/sessions" ? 405 : 303, false])
          if (status === 303) expect(location).toBe("/login/factor")
        }
        expect((yield* visitor.json("GET", "/account")).status).toBe(401)
        const page = yield* visitor.get("/login/factor")
        expect(page.headers.get("cache-control")).toBe("no-store")
        expect(page.body).not.toContain(person.email)
        expect((yield* sessions).length).toBe(before)
        const done = yield* visitor.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        expect(done).toMatchObject({ status: 303, location: "/password" })
        expect(yield* visitor.read("/account")).toContain("Welcome back!")
        expect((yield* visitor.get("/login/factor")).location).toBe("/account")
        expect((yield* sessions).length).toBe(before + 1)
      })
    )

    it.effect("refuses a wrong code with 401 and says so, and counts both steps", () =>
      Effect.gen(function* () {
        const { person, secret } = yield* account
        const work = Effect.gen(function* () {
          const { visitor } = yield* AuthApp.signIn(person)
          yield* visitor.get("/login/factor")
          const code = yield* FactorApp.wrongCode(secret)
          const refused = yield* visitor.submit("/login/factor", { code })
          expect([refused.status, refused.headers.get("www-authenticate")?.slice(0, 7)]).toEqual([401, "Session"])
          expect(refused.text).toContain("This code is wrong or was used already.")
          expect(refused.body).not.toContain(code)
          expect((yield* visitor.submit("/login/factor", { code: "" })).text).toContain("Enter a code.")
          const right = yield* FactorApp.codeOf(secret)
          expect((yield* visitor.submit("/login/factor", { code: right })).location).toBe("/account")
        })
        expect(yield* EffectMetrics.growth("auth_sign_ins_total", work)).toEqual({
          "outcome=pending": 1,
          "outcome=factor_failure": 1,
          "outcome=success": 1
        })
      })
    )

    it.effect("allows five codes, whatever the browser does with its cookie, and then begins from the start", () =>
      Effect.gen(function* () {
        const { secret, visitor } = yield* pending()
        const wrong = yield* FactorApp.wrongCode(secret)
        // The cookie of the first moment, sent again with each try.
        const cookies = new Map(visitor.jar)
        for (let tries = 0; tries < 4; tries++) {
          visitor.jar.clear()
          for (const [name, value] of cookies) visitor.jar.set(name, value)
          expect((yield* visitor.submit("/login/factor", { code: wrong })).status).toBe(401)
        }
        const fifth = yield* visitor.submit("/login/factor", { code: wrong })
        expect(fifth).toMatchObject({ status: 303, location: "/login" })
        for (const [name, value] of cookies) visitor.jar.set(name, value)
        const right = yield* FactorApp.codeOf(secret)
        expect(yield* visitor.submit("/login/factor", { code: right })).toMatchObject({
          status: 303,
          location: "/login"
        })
        expect(yield* visitor.read("/login")).toContain("Sign in again")
        expect((yield* visitor.get("/account")).location).toBe("/login")
      })
    )

    it.effect("ends after ten minutes", () =>
      Effect.gen(function* () {
        const { secret, visitor } = yield* pending()
        yield* TestClock.adjust("10 minutes")
        const late = yield* visitor.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        expect(late).toMatchObject({ status: 303, location: "/login" })
      })
    )

    it.effect("limits the codes of an account over all its pending sign-ins", () =>
      Effect.gen(function* () {
        const { person, secret } = yield* account
        const wrong = yield* FactorApp.wrongCode(secret)
        let tried = 0
        for (let round = 0; round < 5; round++) {
          const { visitor } = yield* AuthApp.signIn(person)
          yield* visitor.get("/login/factor")
          for (let tries = 0; tries < 4 && tried < 20; tries++, tried++) {
            expect((yield* visitor.submit("/login/factor", { code: wrong })).status, String(tried)).toBe(401)
          }
          if (tried < 20) continue
          const refused = yield* visitor.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
          expect([refused.status, refused.headers.has("retry-after")]).toEqual([429, true])
          yield* TestClock.adjust("1 hour")
        }
        const { visitor } = yield* AuthApp.signIn(person)
        yield* visitor.get("/login/factor")
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* visitor.submit("/login/factor", { code })).location).toBe("/account")
      })
    )

    it.effect("accepts a code once, on whichever device it arrives first", () =>
      Effect.gen(function* () {
        const { person, secret } = yield* account
        const visitors = yield* Effect.replicateEffect(AuthApp.signIn(person), 4)
        for (const { visitor } of visitors) yield* visitor.get("/login/factor")
        const code = yield* FactorApp.codeOf(secret)
        const responses = yield* Effect.forEach(visitors, ({ visitor }) => visitor.submit("/login/factor", { code }), {
          concurrency: "unbounded"
        })
        expect(responses.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401])
      })
    )

    it.effect("accepts a recovery code once, never that of another account", () =>
      Effect.gen(function* () {
        const other = yield* account
        const { person, recoveryCodes, visitor } = yield* pending()
        const [code = ""] = recoveryCodes
        const [foreign = ""] = other.recoveryCodes
        expect((yield* visitor.submit("/login/factor", { code: foreign })).status).toBe(401)
        expect((yield* visitor.submit("/login/factor", { code: code.toUpperCase() })).location).toBe("/account")
        const again = yield* AuthApp.signIn(person)
        yield* again.visitor.get("/login/factor")
        expect((yield* again.visitor.submit("/login/factor", { code })).status).toBe(401)
      })
    )

    it.effect("responds alike to a secret that is missing, forged, used up or expired", () =>
      Effect.gen(function* () {
        const { app, secret, visitor } = yield* pending()
        const used = Visitor.make(app.url)
        for (const [name, value] of visitor.jar) used.jar.set(name, value)
        yield* used.get("/login/factor")
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* visitor.submit("/login/factor", { code })).location).toBe("/account")
        const none = Visitor.make(app.url)
        yield* none.get("/login")
        const forged = Visitor.make(app.url)
        forged.jar.set(
          "session",
          `g.1.${Buffer.from(`[1,"x",[["pending","x"]]]`).toString("base64url")}.${"A".repeat(43)}`
        )
        yield* forged.get("/login")
        const seen = yield* Effect.forEach([used, none, forged], (one) =>
          Effect.gen(function* () {
            const page = yield* one.get("/login/factor")
            const posted = yield* one.submit("/login/factor", { code: "123456" })
            return [page, posted].map(({ body, location, status }) => [status, location, body])
          })
        )
        expect(seen[0]).toEqual([
          [303, "/login", ""],
          [303, "/login", ""]
        ])
        expect(seen[1]).toEqual(seen[0])
        expect(seen[2]).toEqual(seen[0])
        for (const one of [used, none, forged]) expect(yield* one.read("/login")).toContain("Sign in again")
      })
    )

    it.effect("is not skipped by a sign-in form of an older tab, nor left behind by another account", () =>
      Effect.gen(function* () {
        const { person, visitor } = yield* account.pipe(
          Effect.map((given) => ({ ...given, visitor: Visitor.make(given.app.url) }))
        )
        const { email, password } = person
        const tab = Visitor.tokenOf((yield* visitor.get("/login")).body) ?? ""
        expect((yield* visitor.submit("/login", { email, password })).location).toBe("/login/factor")
        expect((yield* visitor.submit("/login", { email, password, _token: tab })).status).toBe(403)
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/login", { email, password })).location).toBe("/login/factor")
        expect((yield* visitor.get("/account")).location).toBe("/login/factor")
        const { person: other } = yield* AuthApp.register()
        yield* visitor.get("/login")
        expect((yield* visitor.submit("/login", { ...other })).location).toBe("/account")
        expect((yield* visitor.get("/login/factor")).location).toBe("/account")
        expect(yield* visitor.read("/account")).toContain(other.email)
        yield* visitor.submit("/logout", {})
        expect((yield* visitor.get("/account")).location).toBe("/login")
      })
    )

    it.effect("signs whoever was signed in out, and keeps its secret out of the table of sessions", () =>
      Effect.gen(function* () {
        const { person } = yield* account
        const { visitor } = yield* AuthApp.register()
        yield* visitor.get("/login")
        const page = yield* visitor.get("/account")
        expect(page.status).toBe(200)
        const { email, password } = person
        expect((yield* visitor.submit("/login", { email, password })).location).toBe("/login/factor")
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ data: string }>`SELECT data FROM sessions`
        expect(rows.filter(({ data }) => data.includes("pending"))).toEqual([])
        expect((yield* visitor.get("/account")).location).toBe("/login/factor")
      })
    )

    it.effect("ends with a reset of the password, which removes no factor of a verified address", () =>
      Effect.gen(function* () {
        const { app, person, secret, visitor } = yield* pending()
        yield* verify(person.email)
        const password = yield* reset(app, person.email)
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* visitor.submit("/login/factor", { code })).location).toBe("/login")
        const again = yield* AuthApp.signIn({ ...person, password })
        expect(again.response.location).toBe("/login/factor")
      })
    )

    it.effect("is not asked of the owner of an address with which somebody else has signed up", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const password = yield* reset(app, person.email)
        const { response } = yield* AuthApp.signIn({ ...person, password })
        expect(response.location).toBe("/account")
      })
    )

    it.effect("is told to a JSON client with 202", () =>
      Effect.gen(function* () {
        const { app, person } = yield* account
        const client = Visitor.make(app.url)
        const first = yield* client.json("POST", "/login", { ...person })
        expect([first.status, first.json]).toEqual([202, { factors: ["totp", "recovery"] }])
        expect((yield* client.json("GET", "/account")).status).toBe(401)
      })
    )

    it.effect("lets a trusted device sign in by itself, unless its owner is asked on every device", () =>
      Effect.gen(function* () {
        const { person, secret, visitor } = yield* pending({ remember: "1" })
        expect(visitor.jar.has("remember")).toBe(false)
        const code = yield* FactorApp.codeOf(secret)
        yield* visitor.submit("/login/factor", { code })
        expect(visitor.jar.has("remember")).toBe(true)
        visitor.jar.delete("session")
        expect((yield* visitor.get("/account")).status).toBe(200)
        const factors = yield* Factors
        const users = yield* Users
        const { id } = yield* Effect.flatten(users.fetch(person.email))
        yield* factors.askOnEveryDevice(id, true)
        visitor.jar.delete("session")
        expect((yield* visitor.get("/password")).location).toBe("/login/factor")
        expect((yield* visitor.get("/account")).location).toBe("/login/factor")
        expect((yield* visitor.json("GET", "/account")).status).toBe(401)
        yield* visitor.get("/login/factor")
        yield* FactorApp.nextCode
        const next = yield* FactorApp.codeOf(secret)
        expect((yield* visitor.submit("/login/factor", { code: next })).location).toBe("/account")
        expect((yield* visitor.get("/account")).status).toBe(200)
        // The device stays trusted, and is asked the next time too.
        visitor.jar.delete("session")
        expect((yield* visitor.get("/account")).location).toBe("/login/factor")
      })
    )
  })
})
