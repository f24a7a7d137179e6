// Sign-in with a passkey over real sockets: what it gives, and how it is attacked.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const refusal = "That passkey was not accepted. Try again."

const eventsOf = Effect.fnUntraced(function* (account: TestApp.TestUser) {
  const events = yield* SecurityEvents
  const { items } = yield* events.list(account.id)
  return items
})

describeDatabases("Sign-in with a passkey", (database) => {
  layer(AuthApp.layer(database))((it) => {
    it.effect("signs the account in, in a session of its own, and returns to the page that was asked for", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        yield* guest.get("/password")
        const options = yield* PasskeyUser.requestOptions(guest)
        const before = guest.jar.get("session")
        const response = yield* guest.submit("/login/passkey", { credential: device.get(options), remember: "1" })
        expect([response.status, response.location]).toEqual([303, "/password"])
        expect(guest.jar.get("session")).not.toBe(before)
        expect(guest.jar.has("remember")).toBe(true)
        expect((yield* guest.get("/account")).text).toContain(user.email)
        expect((yield* eventsOf(user))[0]).toMatchObject({ _tag: "SignedIn", by: "passkey", outcome: "success" })
      })
    )

    it.effect("begins a session that counts as confirmed, and is not remembered unasked", () =>
      Effect.gen(function* () {
        const { device } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const response = yield* PasskeyUser.signIn(guest, device)
        expect([response.status, response.location]).toEqual([303, "/account"])
        expect(response.headers.get("cache-control")).toBe("no-store")
        expect(guest.jar.has("remember")).toBe(false)
        expect((yield* guest.get(PasskeyUser.path)).status).toBe(200)
      })
    )

    it.effect("asks everyone the same: the options say nothing of an account, and nothing of the Host header", () =>
      Effect.gen(function* () {
        const { browser } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const first = yield* PasskeyUser.requestOptions(guest)
        const known = yield* browser.json("POST", "/login/passkey/options", { email: browser.user.email })
        expect(known.json).toEqual({ ...first, challenge: (known.json as typeof first).challenge })
        expect(first).toMatchObject({ rpId: "app.example", allowCredentials: [], userVerification: "required" })
        expect((yield* PasskeyUser.requestOptions(guest)).challenge).not.toBe(first.challenge)
        expect(known.headers.get("cache-control")).toBe("no-store")
      })
    )

    it.effect("refuses everything wrong with the same words, and signs nobody in", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const other = yield* PasskeyUser.make
        const deleted = yield* PasskeyUser.make
        yield* (yield* Users).remove(deleted.user.id)
        yield* PasskeyUser.signIn(yield* TestApp.guest, device, { counter: 50 })
        const outcomes = [
          yield* PasskeyUser.signIn(yield* TestApp.guest, device, { origin: "https://evil.example" }),
          yield* PasskeyUser.signIn(yield* TestApp.guest, device, { rpId: "evil.example" }),
          yield* PasskeyUser.signIn(yield* TestApp.guest, device, { userVerified: false, counter: 60 }),
          yield* PasskeyUser.signIn(yield* TestApp.guest, device, { counter: 49 }),
          yield* PasskeyUser.signIn(yield* TestApp.guest, device, { id: other.device.id }),
          yield* PasskeyUser.signIn(yield* TestApp.guest, new SoftAuthenticator(TestApp.appUrl)),
          yield* PasskeyUser.signIn(yield* TestApp.guest, deleted.device),
          yield* (yield* TestApp.guest).json("POST", "/login/passkey", { credential: "{}" }),
          yield* (yield* TestApp.guest).json("POST", "/login/passkey", { credential: { id: "nested" } }),
          yield* (yield* TestApp.guest).json("POST", "/login/passkey")
        ]
        for (const { headers, status, text } of outcomes) {
          expect([status, text]).toEqual([401, expect.stringContaining(refusal)])
          expect(headers.get("www-authenticate")).toBe('Session realm="Protected area"')
        }
        const failures = (yield* eventsOf(user)).filter(({ outcome }) => outcome === "failure")
        expect(failures.map(({ _tag }) => _tag)).toEqual(Array.from({ length: 4 }, () => "SignInFailed"))
      })
    )

    it.effect("refuses a challenge that was answered, that belongs to another visit, or to another purpose", () =>
      Effect.gen(function* () {
        const { browser, device } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const credential = device.get(yield* PasskeyUser.requestOptions(guest))
        const elsewhere = yield* TestApp.guest
        yield* elsewhere.get("/login")
        expect((yield* elsewhere.submit("/login/passkey", { credential })).status).toBe(401)
        expect((yield* guest.submit("/login/passkey", { credential })).status).toBe(303)
        expect((yield* guest.submit("/login/passkey", { credential })).status).toBe(401)
        const { challenge } = yield* PasskeyUser.creationOptions(browser)
        const purpose = yield* PasskeyUser.signIn(browser, device, { challenge })
        expect([purpose.status, purpose.text]).toEqual([401, expect.stringContaining(refusal)])
      })
    )

    it.effect("lets one of two answers in that arrive together", () =>
      Effect.gen(function* () {
        const { device } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const credential = device.get(yield* PasskeyUser.requestOptions(guest))
        const { json } = yield* guest.request("/csrf", { headers: { accept: "application/json" } })
        const headers = { accept: "application/json", "x-csrf-token": String((json as { token: string }).token) }
        const send = guest.request("/login/passkey", { method: "POST", headers, json: { credential } })
        const outcomes = yield* Effect.all([send, send, send, send], { concurrency: "unbounded" })
        expect(outcomes.map(({ status }) => status).toSorted()).toEqual([303, 401, 401, 401])
      })
    )

    it.effect("is behind the check of the form token and of the origin", () =>
      Effect.gen(function* () {
        const { device } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const credential = device.get(yield* PasskeyUser.requestOptions(guest))
        for (const to of ["/login/passkey", "/login/passkey/options"]) {
          expect((yield* guest.request(to, { form: { credential } })).status).toBe(403)
          const cross = { origin: "https://evil.example", "sec-fetch-site": "cross-site" }
          expect((yield* guest.request(to, { form: { credential }, headers: cross })).status).toBe(403)
        }
        expect((yield* guest.submit("/login/passkey", { credential })).status).toBe(303)
      })
    )

    it.effect("is limited by client, apart from the password", () =>
      Effect.gen(function* () {
        const { device } = yield* PasskeyUser.make
        const guest = yield* TestApp.guest
        const sent: Array<number> = []
        for (let n = 0; n < 11; n++) {
          const { status } = yield* guest.submit("/login/passkey", { credential: "{}" })
          sent.push(status)
        }
        expect(sent).toEqual([...Array.from({ length: 10 }, () => 401), 429])
        expect((yield* guest.json("POST", "/login", { email: "a@example.com", password: "x" })).status).toBe(401)
        const asked: Array<number> = []
        for (let n = 0; n < 21; n++) {
          const { status } = yield* guest.json("POST", "/login/passkey/options")
          asked.push(status)
        }
        expect(asked).toEqual([...Array.from({ length: 20 }, () => 200), 429])
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(303)
      })
    )

    it.effect("shows the sign-in page again in a browser, and a reload leads back to it", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const { body, status, text } = yield* guest.submit("/login/passkey", { credential: "{}", remember: "1" })
        expect(status).toBe(401)
        expect(text).toContain(refusal)
        expect(body).toMatch(/<input id="remember"[^>]*checked/)
        expect((yield* guest.get("/login/passkey")).location).toBe("/login")
      })
    )

    it.effect("serves its script from the program itself, and the button is hidden until the script shows it", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const page = yield* guest.get("/login")
        const href = /<script src="(\/login\/passkey\.js\?v=[0-9a-f]+)" defer>/.exec(page.body)?.[1] ?? ""
        expect(page.body).toMatch(/<div data-passkeys hidden>/)
        expect(page.body).not.toMatch(/<script>|onclick=/)
        expect(page.headers.get("content-security-policy")).toContain("script-src 'self'")
        const script = yield* guest.get(href)
        expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"])
        expect(script.headers.get("cache-control")).toContain("immutable")
      })
    )
  })
})

let suspended = ""

const hooks = SqlAccountHooks.layer({
  signIn: {
    inTransaction: ({ email }) =>
      email === suspended ? new Forbidden({ reason: "This account is suspended." }) : Effect.void
  }
})

const { account, csrf, login } = AuthRoutes.pages

layer(TestApp.layer([], { environment: "production", services: hooks }))("The program", (it) => {
  it.effect("may refuse a sign-in with a passkey by the hook that it has for every sign-in", () =>
    Effect.gen(function* () {
      const { device, user } = yield* PasskeyUser.make
      const guest = yield* TestApp.guest
      suspended = user.email
      expect((yield* PasskeyUser.signIn(guest, device)).status).toBe(403)
      expect((yield* guest.get("/account")).location).toBe("/login")
      suspended = ""
      expect((yield* PasskeyUser.signIn(guest, device)).status).toBe(303)
    })
  )
})

layer(TestApp.layerOf(Pipeline.app(Pipeline.pages([...login, ...account, ...csrf]))))(
  "A program without the pages of passkeys",
  (it) => {
    it.effect("has neither the button, nor the script, nor the link", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.guest
        const page = yield* browser.get("/login")
        expect(page.body).not.toContain("passkey")
        const member = yield* TestApp.signedInUser()
        expect((yield* member.get("/account")).body).not.toContain("passkey")
        expect((yield* browser.get("/login/passkey.js")).status).toBe(404)
      })
    )
  }
)

/** What happens before the passkeys of an account are removed. */
let meanwhile: Effect.Effect<unknown> = Effect.void

const interrupted = Layer.effect(
  Passkeys,
  Effect.map(Passkeys, (passkeys) =>
    Passkeys.of({
      ...passkeys,
      removeAll: (user) =>
        Effect.zipRight(
          Effect.suspend(() => meanwhile),
          passkeys.removeAll(user)
        )
    })
  )
)

describeDatabases("Sign-in with a passkey while its owner reports it", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer, services: interrupted }))((it) => {
    it.effect("ends with the report", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const thief = yield* TestApp.guest
        meanwhile = PasskeyUser.signIn(thief, device)
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(yield* lastLink(user.email, "/not-me"), {})).location).toBe("/login")
        expect((yield* thief.get("/account")).location).toBe("/login")
      })
    )
  })
})
