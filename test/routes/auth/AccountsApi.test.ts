// Accounts through the API, over real sockets, with the client that Effect derives from it.
import { expect, layer } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient, TestRequest } from "../../../testing/TestClient.ts"
import { Api, layer as server, someone, tokenTo } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const apiOf = (client: TestClient) => TestApp.apiClient(Api, client)

/** A JSON request as it is: no token is added. */
const send = (client: TestClient, method: string, path: string, json: unknown = {}, more: TestRequest = {}) =>
  client.request(`/api${path}`, {
    method,
    ...(method === "GET" || method === "DELETE" ? {} : { json }),
    headers: { accept: "application/json" },
    ...more
  })

const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.map(Effect.either(effect), Either.getLeft)

describeDatabases("Accounts through the API", (database) => {
  layer(server(database))((it) => {
    it.effect("are created, verified and read in a browser", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const api = yield* apiOf(client)
        const payload = someone()
        const account = yield* api.accounts.signUp({ payload })
        expect(account).toEqual({ id: expect.any(String), email: payload.email, verified: false })
        expect(client.jar.has("session")).toBe(true)
        expect(yield* api.accounts.me()).toEqual(account)
        const token = yield* tokenTo(payload.email)
        expect(yield* api.accounts.verify({ payload: { token } })).toEqual({ message: "E-mail verified!" })
        expect(yield* api.accounts.me()).toEqual({ ...account, verified: true })
        const again = yield* failureOf(api.accounts.verify({ payload: { token } }))
        expect(again).toMatchObject({ value: { _tag: "InvalidLink" } })
      })
    )

    it.effect("are created and read without a cookie", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const payload = someone()
        const json = { email: payload.email, password: Redacted.value(payload.password) }
        const created = yield* send(client, "POST", "/bearer/sign-up", json)
        const body = created.json as { readonly account: unknown; readonly bearer: { readonly token: string } }
        expect([created.status, created.cookies]).toEqual([201, []])
        expect(body).toEqual({
          account: { id: expect.any(String), email: payload.email, verified: false },
          bearer: { token: expect.stringMatching(/^efs_/), expires: expect.any(Number) }
        })
        expect(created.headers.get("cache-control")).toBe("no-store")
        const me = yield* send(client, "GET", "/me", undefined, {
          headers: { authorization: `Bearer ${body.bearer.token}` }
        })
        expect([me.status, me.json, me.cookies]).toEqual([200, body.account, []])
      })
    )

    it.effect("refuse an invalid sign-up with a message for each field, which repeats no password", () =>
      Effect.gen(function* () {
        const { email } = someone()
        for (const path of ["/sign-up", "/bearer/sign-up"]) {
          const client = yield* TestApp.guest
          const invalid = { email: "nobody", password: "secret1", password_confirmation: "secret2" }
          const response = yield* client.json("POST", `/api${path}`, invalid)
          expect([response.status, response.json]).toEqual([
            422,
            {
              _tag: "InvalidInput",
              error: expect.any(String),
              fields: { email: "This is not an e-mail address.", password: "Use at least 8 characters." }
            }
          ])
          const wrongTypes = yield* client.json("POST", `/api${path}`, { email: { a: 1 }, password: ["a secret text"] })
          expect([wrongTypes.status, wrongTypes.body.includes("a secret text")]).toEqual([422, false])
          const same = yield* client.json("POST", `/api${path}`, { email, password: email })
          expect(same.json).toMatchObject({ fields: { password: "Use something other than your e-mail address." } })
        }
      })
    )

    it.effect("refuse an e-mail that has an account, as the page does", () =>
      Effect.gen(function* () {
        const { email } = yield* TestApp.enrolledUser()
        const api = yield* TestApp.apiClient(Api)
        const payload = { ...someone(), email: ` ${email.toUpperCase()} ` }
        const error = "This e-mail is already registered."
        expect(yield* Effect.flip(api.accounts.signUp({ payload }))).toMatchObject({
          _tag: "InvalidInput",
          error,
          fields: { email: error }
        })
        expect(yield* Effect.flip(api.accounts.signUpBearer({ payload }))).toMatchObject({
          _tag: "InvalidInput",
          error
        })
      })
    )

    it.effect("sign in with a cookie, remembered on request", () =>
      Effect.gen(function* () {
        const { email, id, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        const api = yield* apiOf(client)
        const payload = { email, password: Redacted.make(password) }
        expect(yield* api.accounts.signIn({ payload })).toEqual({ id, email, verified: true })
        expect([client.jar.has("session"), client.jar.has("remember")]).toEqual([true, false])
        yield* api.accounts.signIn({ payload: { ...payload, remember: true } })
        expect(client.jar.has("remember")).toBe(true)
        client.jar.delete("session")
        expect(yield* api.accounts.me()).toMatchObject({ email })
      })
    )

    it.effect("sign in without a cookie, also where cookies are sent", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const other = yield* TestApp.enrolledUser()
        const { email, password } = other
        const response = yield* send(client, "POST", "/bearer/sign-in", { email, password })
        expect([response.status, response.cookies]).toEqual([200, []])
        const { bearer } = response.json as { readonly bearer: { readonly token: string } }
        expect((yield* send(client, "GET", "/me")).json).toMatchObject({ email: client.user.email })
        // The bearer decides, not the cookies beside it.
        const headers = { authorization: `Bearer ${bearer.token}` }
        expect((yield* send(client, "GET", "/me", undefined, { headers })).json).toMatchObject({ email })
        const listed = yield* send(client, "GET", "/devices", undefined, { headers })
        expect(listed.json).toEqual([])
      })
    )

    it.effect("do not tell an unknown e-mail from a wrong password", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        for (const path of ["/sign-in", "/bearer/sign-in"]) {
          const client = yield* TestApp.guest
          const wrong = yield* client.json("POST", `/api${path}`, { email, password: `${password}!` })
          const unknown = yield* client.json("POST", `/api${path}`, { email: someone().email, password })
          expect([wrong.status, wrong.json]).toEqual([
            401,
            { _tag: "InvalidCredentials", error: "Invalid credentials." }
          ])
          expect([unknown.status, unknown.json]).toEqual([wrong.status, wrong.json])
          expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()])
          expect(wrong.headers.get("www-authenticate")).toMatch(/realm=/)
          const empty = yield* client.json("POST", `/api${path}`, {})
          expect([empty.status, empty.json]).toEqual([
            422,
            expect.objectContaining({
              fields: { email: "Enter your e-mail address.", password: "Enter your password." }
            })
          ])
        }
      })
    )

    it.effect("let no other site sign its visitors in or up", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const json = { email, password }
        for (const path of ["/sign-in", "/sign-up"]) {
          const bare = yield* TestApp.guest
          const response = yield* send(bare, "POST", path, json)
          expect([response.status, response.json]).toEqual([
            403,
            { error: "Invalid CSRF token", _tag: "CsrfMismatch", reason: "token" }
          ])
          expect(response.cookies).toEqual([])
          const visitor = yield* TestApp.guest
          const { json: made } = yield* visitor.json("GET", "/csrf")
          const token = String((made as { readonly token: unknown }).token)
          const foreign = yield* send(visitor, "POST", path, json, {
            headers: { "x-csrf-token": token, origin: "https://evil.example" }
          })
          expect(foreign.json).toMatchObject({ _tag: "CsrfMismatch", reason: "origin" })
          const inBody = yield* send(visitor, "POST", path, { ...json, _token: token })
          expect(inBody.status).toBe(403)
          const form = yield* visitor.request(`/api${path}`, { form: json, headers: { "x-csrf-token": token } })
          expect(form.status).toBe(415)
        }
        for (const path of ["/bearer/sign-in", "/bearer/sign-up", "/password/forgot", "/password/reset"]) {
          const plain = yield* (yield* TestApp.guest).request(`/api${path}`, { form: json })
          expect([path, plain.status, plain.cookies]).toEqual([path, 415, []])
        }
      })
    )

    it.effect("refuse a body that is no JSON, or too long", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const headers = { "content-type": "application/json", accept: "application/json" }
        const broken = yield* client.request("/api/bearer/sign-in", { method: "POST", body: "{ broken", headers })
        expect(broken.status).toBe(400)
        const long = JSON.stringify({ email: "a".repeat(2_000_000) })
        const tooLong = yield* client.request("/api/bearer/sign-in", { method: "POST", body: long, headers })
        expect(tooLong.status).toBe(413)
      })
    )

    it.effect("share the limits of the pages, and say when to come back", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        for (let attempt = 0; attempt < 5; attempt++)
          yield* client.submit("/login", { email, password: "not this one" })
        for (const path of ["/sign-in", "/bearer/sign-in"]) {
          const response = yield* client.json("POST", `/api${path}`, { email, password })
          expect([response.status, response.json]).toEqual([
            429,
            { error: expect.any(String), _tag: "TooManyRequests", scope: "login", retryAfter: expect.any(Number) }
          ])
          expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
          expect(response.headers.get("x-ratelimit-limit")).toBe("5")
          expect(response.headers.get("x-ratelimit-remaining")).toBe("0")
        }
        const other = yield* TestApp.guest
        const allowed = yield* other.json("POST", "/api/bearer/sign-in", { email, password })
        expect([allowed.status, allowed.headers.get("x-ratelimit-remaining")]).toEqual([200, "4"])
        for (let attempt = 0; attempt < 4; attempt++) yield* send(other, "POST", "/bearer/sign-in", { email, password })
        expect((yield* other.submit("/login", { email, password })).status).toBe(429)
      })
    )

    it.effect("limit one account whatever the client, through pages and API together", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        for (let attempt = 0; attempt < 30; attempt++) {
          const client = yield* TestApp.guest
          if (attempt % 2 === 0) yield* send(client, "POST", "/bearer/sign-in", { email, password: "not this one" })
          else yield* client.submit("/login", { email, password: "not this one" })
        }
        const api = yield* TestApp.apiClient(Api)
        const payload = { email, password: Redacted.make(password) }
        expect(yield* Effect.flip(api.accounts.signInBearer({ payload }))).toMatchObject({
          _tag: "TooManyRequests",
          scope: "login.account"
        })
      })
    )

    it.effect("limit every open endpoint by client", () =>
      Effect.gen(function* () {
        const limits = [
          ["/bearer/sign-up", 5],
          ["/password/forgot", 3],
          ["/password/reset", 5],
          ["/verification/redeem", 10]
        ] as const
        for (const [path, limit] of limits) {
          const client = path === "/verification/redeem" ? yield* TestApp.bearerUser() : yield* TestApp.guest
          for (let attempt = 0; attempt < limit; attempt++) {
            expect([path, (yield* send(client, "POST", path)).status]).not.toEqual([path, 429])
          }
          const response = yield* send(client, "POST", path)
          expect([path, response.status, response.headers.has("retry-after")]).toEqual([path, 429, true])
        }
      })
    )

    it.effect("sign out a browser and a bearer, each alone", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.signedInUser(user)
        const bearer = yield* TestApp.bearerUser(user)
        const [inBrowser, byBearer] = [yield* apiOf(browser), yield* apiOf(bearer)]
        expect((yield* send(browser, "POST", "/sign-out")).json).toMatchObject({ _tag: "CsrfMismatch" })
        expect(yield* byBearer.accounts.signOut()).toEqual({ message: "Signed out." })
        expect((yield* Effect.flip(byBearer.accounts.signOut()))._tag).toBe("Unauthenticated")
        expect(yield* inBrowser.accounts.me()).toMatchObject({ email: user.email })
        expect(yield* inBrowser.accounts.signOut()).toEqual({ message: "Signed out." })
        expect((yield* Effect.flip(inBrowser.accounts.me()))._tag).toBe("Unauthenticated")
        const guest = yield* send(yield* TestApp.guest, "POST", "/sign-out")
        expect([guest.status, guest.headers.has("www-authenticate")]).toEqual([401, true])
      })
    )

    it.effect("forget a remembered device at a sign-out, though its session has ended", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        yield* client.submit("/login", { email, password, remember: "on" })
        client.jar.delete("session")
        const response = yield* client.json("POST", "/api/sign-out")
        expect([response.status, client.jar.has("remember")]).toEqual([401, false])
        expect((yield* send(client, "GET", "/me")).status).toBe(401)
      })
    )

    it.effect("do not use the cookies beside a bearer that is not valid", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const headers = { authorization: "Bearer efs_nothing" }
        const endpoints = [
          ["GET", "/me"],
          ["POST", "/sign-out"],
          ["PUT", "/password"],
          ["POST", "/verification"],
          ["GET", "/sessions"],
          ["DELETE", "/sessions"],
          ["DELETE", "/sessions/x"],
          ["GET", "/devices"],
          ["DELETE", "/devices/x"]
        ] as const
        for (const [method, path] of endpoints) {
          const response = yield* send(client, method, path, {}, { headers })
          expect([method, path, response.status]).toEqual([method, path, 401])
          const guest = yield* send(yield* TestApp.guest, method, path)
          expect([method, path, guest.status]).toEqual([method, path, 401])
          if (method === "GET") continue
          const forged = yield* send(client, method, path)
          expect([method, path, forged.status, forged.json]).toEqual([
            method,
            path,
            403,
            { error: "Invalid CSRF token", _tag: "CsrfMismatch", reason: "token" }
          ])
        }
        expect((yield* send(client, "GET", "/me")).status).toBe(200)
      })
    )

    it.effect("change the password: other sessions end, a bearer gets a new secret", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.signedInUser(user)
        const bearer = yield* TestApp.bearerUser(user)
        const api = yield* apiOf(bearer)
        const password = Redacted.make("another quiet harbour")
        const current = Redacted.make(user.password)
        const wrong = yield* Effect.flip(api.accounts.changePassword({ payload: { current: password, password } }))
        expect(wrong).toMatchObject({ fields: { current: "Current password is incorrect." } })
        const changed = yield* api.accounts.changePassword({ payload: { current, password } })
        expect(changed.message).toBe("Password changed. Other devices were signed out.")
        expect((yield* send(browser, "GET", "/me")).status).toBe(401)
        expect((yield* Effect.flip(api.accounts.me()))._tag).toBe("Unauthenticated")
        bearer.headers.set("authorization", `Bearer ${Redacted.value(changed.bearer?.token ?? Redacted.make(""))}`)
        expect(yield* api.accounts.me()).toMatchObject({ email: user.email })
        const again = yield* apiOf(yield* TestApp.signedInUser({ ...user, password: Redacted.value(password) }))
        const back = yield* again.accounts.changePassword({ payload: { current: password, password: current } })
        expect(back).toEqual({ message: changed.message })
        expect((yield* again.accounts.me()).email).toBe(user.email)
        expect((yield* Effect.flip(api.accounts.me()))._tag).toBe("Unauthenticated")
        yield* Effect.forEach([1, 2, 3, 4], () =>
          Effect.either(again.accounts.changePassword({ payload: { current, password: current } }))
        )
        const limited = yield* Effect.flip(again.accounts.changePassword({ payload: { current, password } }))
        expect(limited).toMatchObject({ _tag: "TooManyRequests", scope: "password" })
      })
    )

    it.effect("answer a request for a reset link the same for every address", () =>
      Effect.gen(function* () {
        const { email } = yield* TestApp.enrolledUser()
        const mail = yield* CapturedMail
        const [known, unknown] = yield* Effect.forEach([email, someone().email], (address) =>
          Effect.flatMap(TestApp.guest, (guest) => send(guest, "POST", "/password/forgot", { email: address }))
        )
        expect([known?.status, known?.json, known?.cookies]).toEqual([
          200,
          { message: "If that e-mail exists, we sent a password reset link." },
          []
        ])
        expect([unknown?.status, unknown?.json, unknown?.cookies]).toEqual([known?.status, known?.json, []])
        expect([...(unknown?.headers.keys() ?? [])]).toEqual([...(known?.headers.keys() ?? [])])
        expect(yield* mail.messagesTo(email)).toHaveLength(1)
        const invalid = yield* send(yield* TestApp.guest, "POST", "/password/forgot", { email: "nobody" })
        expect([invalid.status, invalid.json]).toEqual([422, expect.objectContaining({ _tag: "InvalidInput" })])
        // Three in ten minutes to one account, from wherever they are asked for.
        yield* (yield* TestApp.guest).submit("/forgot", { email })
        for (let more = 0; more < 3; more++) yield* send(yield* TestApp.guest, "POST", "/password/forgot", { email })
        expect(yield* mail.messagesTo(email)).toHaveLength(3)
      })
    )

    it.effect("reset a password by the link: every session ends", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser({ verified: false })
        const browser = yield* TestApp.signedInUser(user)
        const bearer = yield* TestApp.bearerUser(user)
        const api = yield* TestApp.apiClient(Api)
        yield* api.accounts.forgotPassword({ payload: { email: user.email } })
        const token = yield* tokenTo(user.email)
        const password = Redacted.make("a harbour after the storm")
        const weak = yield* Effect.flip(
          api.accounts.resetPassword({ payload: { token, password: Redacted.make("short") } })
        )
        expect(weak).toMatchObject({ _tag: "InvalidInput", fields: { password: "Use at least 8 characters." } })
        const invalid = Redacted.make("0/0")
        const gone = yield* Effect.flip(api.accounts.resetPassword({ payload: { token: invalid, password } }))
        expect(gone).toMatchObject({ _tag: "InvalidLink", error: "This reset link is invalid or has expired." })
        expect(yield* api.accounts.resetPassword({ payload: { token, password } })).toEqual({
          message: "Password reset! Sign in with your new password."
        })
        const twice = yield* Effect.flip(api.accounts.resetPassword({ payload: { token, password } }))
        expect(twice._tag).toBe("InvalidLink")
        for (const client of [browser, bearer]) expect((yield* send(client, "GET", "/me")).status).toBe(401)
        const signedIn = yield* api.accounts.signInBearer({ payload: { email: user.email, password } })
        expect(signedIn).toMatchObject({ account: { verified: true } })
      })
    )

    it.effect("keep the session of the browser that resets its own password, and need its token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email } = browser.user
        expect((yield* send(browser, "POST", "/password/forgot", { email })).status).toBe(403)
        yield* browser.json("POST", "/api/password/forgot", { email })
        const token = Redacted.value(yield* tokenTo(email))
        const id = browser.jar.get("session")
        const json = { token, password: "a harbour after the storm" }
        expect((yield* send(browser, "POST", "/password/reset", json)).status).toBe(403)
        expect((yield* browser.json("POST", "/api/password/reset", json)).status).toBe(200)
        expect(browser.jar.get("session")).not.toBe(id)
        expect((yield* send(browser, "GET", "/me")).status).toBe(200)
      })
    )

    it.effect("send the verification e-mail again, until the address is verified", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser({ verified: false })
        const mail = yield* CapturedMail
        const bearer = yield* TestApp.bearerUser(user)
        const api = yield* apiOf(bearer)
        expect(yield* api.accounts.resendVerification()).toEqual({
          message: "Verification link sent. Check your inbox."
        })
        expect(yield* mail.messagesTo(user.email)).toHaveLength(1)
        yield* api.accounts.verify({ payload: { token: yield* tokenTo(user.email) } })
        expect(yield* api.accounts.resendVerification()).toEqual({ message: "Your e-mail is already verified." })
        yield* api.accounts.resendVerification()
        expect((yield* Effect.flip(api.accounts.resendVerification()))._tag).toBe("TooManyRequests")
        expect(yield* mail.messagesTo(user.email)).toHaveLength(1)
      })
    )

    it.effect("list sessions and devices, and end those of the account alone", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const stranger = yield* apiOf(yield* TestApp.bearerUser())
        const browser = yield* TestApp.guest
        yield* browser.submit("/login", { email: user.email, password: user.password, remember: "on" })
        const bearer = yield* TestApp.bearerUser(user)
        const [inBrowser, byBearer] = [yield* apiOf(browser), yield* apiOf(bearer)]
        const listed = yield* byBearer.accounts.sessions()
        expect(listed.map(({ current }) => current)).toEqual([true, false])
        const [, other] = listed
        const [device] = yield* inBrowser.accounts.devices()
        expect(device).toMatchObject({ current: true, device: { address: browser.address } })
        expect(yield* byBearer.accounts.devices()).toMatchObject([{ current: false }])
        const path = { handle: other?.handle ?? "" }
        expect(yield* stranger.accounts.endSession({ path })).toEqual({ message: "That session was signed out." })
        expect(yield* stranger.accounts.forgetDevice({ path: { selector: device?.selector ?? "" } })).toEqual({
          message: "That device has to sign in again."
        })
        expect(yield* byBearer.accounts.sessions()).toHaveLength(2)
        expect(yield* byBearer.accounts.devices()).toHaveLength(1)
        yield* byBearer.accounts.endSession({ path })
        expect(yield* byBearer.accounts.sessions()).toHaveLength(1)
        // The device signs in again by itself, until it is forgotten.
        expect(yield* inBrowser.accounts.me()).toMatchObject({ email: user.email })
        yield* byBearer.accounts.forgetDevice({ path: { selector: device?.selector ?? "" } })
        yield* TestApp.bearerUser(user)
        expect(yield* byBearer.accounts.endOthers()).toEqual({ message: "All other devices were signed out." })
        expect(yield* byBearer.accounts.sessions()).toHaveLength(1)
        expect((yield* send(browser, "GET", "/me")).status).toBe(401)
      })
    )

    it.effect("leave a device of the cookies alone when a bearer ends all others", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        yield* client.submit("/login", { email, password, remember: "on" })
        const bearer = yield* TestApp.bearerUser()
        const headers = { authorization: bearer.headers.get("authorization") ?? "" }
        const response = yield* send(client, "DELETE", "/sessions", undefined, { headers })
        expect([response.status, response.cookies]).toEqual([200, []])
        client.jar.delete("session")
        expect((yield* send(client, "GET", "/me")).json).toMatchObject({ email })
      })
    )
  })
})
