// The page of API tokens, as a browser and as a JSON client, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { maxTokens } from "../../../src/auth/internal/ApiTokenRules.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as German from "../../../demo/texts/German.ts"
import * as Languages from "../../../src/http/Languages.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as BearerApp from "../../support/BearerApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const path = "/account/tokens"

const secretOf = (page: string): string => /value="(eft_[0-9A-Za-z]{49})"/.exec(page)?.[1] ?? ""

const formOf = ({ password }: TestApp.TestUser, more: Readonly<Record<string, string>> = {}) => ({
  name: "Nightly backup",
  days: "30",
  current: password,
  "scope notes:read": "1",
  ...more
})

describeDatabases("The page of API tokens", (database) => {
  layer(BearerApp.layer(database))((it) => {
    it.effect("makes a token that works, and shows it once", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get("/account")).text).toContain("Manage API tokens")
        expect((yield* browser.get(path)).text).toContain("You have no API tokens.")
        const made = yield* browser.submit(path, formOf(browser.user))
        expect([made.status, made.headers.get("cache-control")]).toEqual([201, "no-store"])
        const secret = secretOf(made.body)
        const program = yield* TestApp.guest
        program.headers.set("authorization", `Bearer ${secret}`)
        expect((yield* program.request("/scoped/read")).json).toMatchObject({ email: browser.user.email })
        expect((yield* program.request("/scoped/write", { json: { text: "tea" } })).status).toBe(403)
        const later = yield* browser.get(path)
        expect(later.body).not.toContain(secret.slice(4, 40))
        expect(later.text).toMatch(/Nightly backup notes:read created just now · last used just now · expires/)
      })
    )

    it.effect("revokes a token of its own account alone", () =>
      Effect.gen(function* () {
        const { client, handle, user } = yield* BearerApp.withToken(["notes:read"])
        const stranger = yield* TestApp.signedInUser()
        expect((yield* stranger.submit(`${path}/revoke`, { handle })).location).toBe(path)
        expect((yield* client.request("/scoped/read")).status).toBe(200)
        const owner = yield* TestApp.signedInUser(user)
        expect((yield* owner.submit(`${path}/revoke`, { handle })).location).toBe(path)
        expect((yield* owner.get(path)).text).toContain("That token was revoked.")
        expect((yield* client.request("/scoped/read")).status).toBe(401)
        expect((yield* owner.submit(`${path}/revoke`, { handle: "\0" })).location).toBe(path)
      })
    )

    it.effect("refuses a form without the password, a name, a scope or a lifetime, and keeps the rest", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const refused = Effect.fnUntraced(function* (more: Readonly<Record<string, string>>, message: string) {
          yield* TestClock.adjust("1 minute")
          const response = yield* browser.submit(path, formOf(browser.user, more))
          expect([response.status, secretOf(response.body)], message).toEqual([422, ""])
          expect(response.text).toContain(message)
          expect(response.body).toContain("Nightly backup".slice(0, more["name"] === undefined ? 7 : 0))
          expect(response.body).not.toContain(browser.user.password)
        })
        yield* refused({ current: "not this one" }, "Current password is incorrect.")
        yield* refused({ current: "" }, "Enter your password.")
        yield* refused({ name: "  " }, "Give the token a name.")
        yield* refused({ name: "x".repeat(101) }, "Use a name of at most 100 characters.")
        yield* refused({ days: "100000" }, "Choose one of the lifetimes.")
        yield* refused({ days: "" }, "Choose one of the lifetimes.")
        yield* refused({ scopes: "notes:read admin" }, "Choose what the token may do.")
        const { "scope notes:read": _left, ...none } = formOf(browser.user)
        yield* TestClock.adjust("1 minute")
        expect((yield* browser.submit(path, { ...none, "scope admin": "1" })).text).toContain("Choose what the token")
        const tokens = yield* ApiTokens
        expect(yield* tokens.list(browser.user.id)).toEqual([])
      })
    )

    it.effect("limits guesses of the password together with the form that changes it", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const wrong = formOf(browser.user, { current: "not this one" })
        for (let count = 0; count < 3; count++) expect((yield* browser.submit(path, wrong)).status).toBe(422)
        const password = { current: "nor this one", password: "a third harbour" }
        for (let count = 0; count < 2; count++) expect((yield* browser.submit("/password", password)).status).toBe(422)
        expect((yield* browser.submit(path, formOf(browser.user))).status).toBe(429)
      })
    )

    it.effect("limits guesses of the password by account, whichever form of a signed-in user they are made with", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const wrong = { current: "not this one", password: "a third harbour", password_confirmation: "a third harbour" }
        for (let round = 0; round < 4; round++) {
          yield* TestClock.adjust("1 minute")
          expect((yield* thief.submit("/confirm", wrong)).status).toBe(422)
          expect((yield* thief.submit(path, formOf(thief.user, wrong))).status).toBe(422)
          for (let count = 0; count < 3; count++) expect((yield* thief.submit("/password", wrong)).status).toBe(422)
        }
        yield* TestClock.adjust("1 minute")
        const right = { ...wrong, current: thief.user.password }
        const statuses = [
          yield* thief.submit("/password", right),
          yield* thief.submit(path, formOf(thief.user)),
          yield* thief.submit("/confirm", right)
        ].map(({ status }) => status)
        expect(statuses).toEqual([429, 429, 429])
        // A form that is filled in wrongly is no guess.
        expect((yield* thief.submit("/password", { ...right, password: "x" })).status).toBe(422)
        yield* TestClock.adjust("10 minutes")
        expect((yield* thief.submit("/password", right)).status).toBe(303)
      })
    )

    it.effect("says so when the account has as many tokens as it may have", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const tokens = yield* ApiTokens
        yield* Effect.replicateEffect(tokens.create(browser.user.id, { name: "many", scopes: [] }), maxTokens)
        const response = yield* browser.submit(path, formOf(browser.user))
        expect([response.status, secretOf(response.body)]).toEqual([422, ""])
        expect(response.text).toContain("You have 50 tokens.")
      })
    )

    it.effect("escapes the name of a token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const name = `"><script>alert(1)</script>`
        const { body } = yield* browser.submit(path, formOf(browser.user, { name }))
        expect(body).not.toContain("<script>alert")
        expect((yield* browser.get(path)).body).toContain("&lt;script&gt;")
      })
    )

    it.effect("is for signed-in browsers, with the form token", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get(path)).location).toBe("/login")
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.request(path, { form: formOf(browser.user) })).status).toBe(403)
        expect((yield* browser.submit(path, formOf(browser.user, { name: "CI" }))).body).toContain("eft_")
        const listed = yield* browser.get(path)
        expect([listed.text, listed.body]).toEqual([expect.stringContaining("CI"), expect.not.stringContaining("eft_")])
        const refused = yield* browser.submit(path, formOf(browser.user, { current: "no" }))
        expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
      })
    )

    it.effect("is offered on the form that changes the password once there is a token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get("/password")).text).not.toContain("Keep my API tokens")
        yield* BearerApp.withToken(["notes:read"], browser.user)
        expect((yield* browser.get("/password")).text).toContain("Keep my API tokens")
      })
    )
  })
})

const plain = Pipeline.app(Pipeline.pages(AuthRoutes.routes))

layer(TestApp.layerOf(plain))("A program without scopes", (it) => {
  it.effect("has no page of tokens and no link to it", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      expect((yield* browser.get("/account")).body).not.toContain(path)
      expect((yield* browser.get(path)).status).toBe(404)
      expect((yield* browser.submit(path, formOf(browser.user))).status).toBe(404)
    })
  )
})

const scopes = ApiScopes.make({
  "notes:read": (locale) => (locale.startsWith("de") ? "Ihre Notizen lesen" : "Read your notes")
})
const german = Layer.merge(Languages.layer({ en: Layer.empty, de: German.layer }), scopes.layer)

layer(TestApp.layerOf(plain, { services: german }))("In German", (it) => {
  it.effect("the page speaks German, with the program's own scopes", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      browser.headers.set("accept-language", "de")
      const page = yield* browser.get(path)
      for (const text of ["API-Token", "Ihre Notizen lesen", "90 Tage", "Token erstellen"]) {
        expect(page.text).toContain(text)
      }
      const refused = yield* browser.submit(path, { ...formOf(browser.user), name: "" })
      expect(refused.text).toContain("Geben Sie dem Token einen Namen.")
    })
  )
})
