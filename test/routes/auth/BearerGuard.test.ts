// Bearer sessions over real sockets: what a client does with them, and every attack that is made on cookies.
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { inspect } from "node:util"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import type * as TestClient from "../../../testing/TestClient.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as BearerApp from "../../support/BearerApp.ts"
import { describeDatabases, sqlite } from "../../support/Databases.ts"
import * as Raw from "../../support/Raw.ts"

const csrfOf = Effect.fnUntraced(function* (client: TestClient.TestClient) {
  const { json } = yield* client.json("GET", "/csrf")
  return String((json as { readonly token: unknown }).token)
})

const changed = (secret: string, at: number): string =>
  secret.slice(0, at) + (secret[at] === "a" ? "b" : "a") + secret.slice(at + 1)

describeDatabases("A bearer session", (database) => {
  layer(BearerApp.layer(database))((it) => {
    it.effect("is the account of its request, without a cookie and without a CSRF token", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.signedIn()
        const read = yield* client.request("/api/me")
        expect([read.status, read.json]).toEqual([200, expect.objectContaining({ email: user.email })])
        expect([read.cookies, read.headers.get("cache-control")]).toEqual([[], "no-store"])
        const made = yield* client.request("/api/notes", { json: { text: "tea" } })
        expect([made.status, made.json]).toEqual([201, { id: 1, text: "tea" }])
        // No page of another site can send the header, whatever origin it has.
        const headers = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" }
        expect((yield* client.request("/api/notes", { json: { text: "tea" }, headers })).status).toBe(201)
      })
    )

    it.effect("leaves the failure of a handler as it is", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.signedIn()
        const locked = yield* client.request("/api/notes", { json: { text: "locked" } })
        expect([locked.status, locked.json]).toEqual([423, { error: "Locked", _tag: "Locked" }])
        const gone = yield* client.request("/api/notes/0")
        expect([gone.status, gone.json]).toEqual([410, { error: "Gone", _tag: "NoteGone", id: 0 }])
        expect(locked.headers.get("www-authenticate")).toBeNull()
      })
    )

    it.effect(
      "decides alone: a valid cookie does not help a bad bearer, and a bad cookie does not hurt a good one",
      () =>
        Effect.gen(function* () {
          const browser = yield* TestApp.signedInUser()
          const { secret, user } = yield* BearerApp.signedIn()
          const token = yield* csrfOf(browser)
          const session = browser.jar.get("session") ?? ""
          for (const authorization of [
            "Bearer x",
            "Basic YTpi",
            `Bearer ${session}`,
            `Bearer ${changed(secret, 20)}`,
            ""
          ]) {
            const headers = { authorization, "x-csrf-token": token }
            BearerApp.expectRefused(yield* browser.request("/api/me", { headers }), authorization)
            BearerApp.expectRefused(
              yield* browser.request("/api/notes", { json: { text: "tea" }, headers }),
              authorization
            )
          }
          const both = yield* browser.request("/api/me", { headers: { authorization: `Bearer ${secret}` } })
          expect(both.json).toMatchObject({ email: user.email })
          expect(both.cookies).toEqual([])
          expect((yield* browser.request("/api/me")).json).toMatchObject({ email: browser.user.email })
        })
    )

    it.effect("does not use up the remember-me cookie of a browser beside a bad bearer", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        yield* client.submit("/login", { email, password, remember: "on" })
        client.jar.delete("session")
        const kept = client.jar.get("remember")
        BearerApp.expectRefused(yield* client.request("/api/me", { headers: { authorization: "Bearer x" } }))
        expect(client.jar.get("remember")).toBe(kept)
        expect((yield* client.request("/api/me")).status).toBe(200)
      })
    )

    it.effect("is no cookie, and signs in no page", () =>
      Effect.gen(function* () {
        const { client, secret } = yield* BearerApp.signedIn()
        expect((yield* client.get("/account")).location).toBe("/login")
        const thief = yield* TestApp.guest
        thief.jar.set("session", secret)
        expect((yield* thief.request("/api/me")).status).toBe(401)
        expect((yield* thief.get("/account")).location).toBe("/login")
        thief.jar.set("remember", secret)
        expect((yield* thief.request("/api/me")).status).toBe(401)
      })
    )

    it.effect("is refused when it is forged, cut, of another case, or sent in another way", () =>
      Effect.gen(function* () {
        const { client, secret } = yield* BearerApp.signedIn()
        const forged = BearerToken.print("session", new Uint8Array(32).fill(9))
        const token = BearerToken.print("token", new Uint8Array(32).fill(9))
        const texts = [
          forged,
          token,
          secret.slice(0, -1),
          secret.slice(1),
          `${secret}0`,
          secret.toLowerCase(),
          secret.toUpperCase(),
          secret.replace("efs_", "eft_"),
          `${secret},${secret}`,
          `"${secret}"`,
          encodeURIComponent("' OR 1=1 --"),
          "';DROP/**/TABLE/**/sessions;--",
          "%00",
          "\u00e9\u00ff\u00a0",
          "a".repeat(10_000)
        ]
        const headers = [
          ...texts.map((text) => `Bearer ${text}`),
          `Bearer ${secret} ${secret}`,
          `Bearer: ${secret}`,
          `Bearer=${secret}`,
          secret,
          `Token ${secret}`,
          `Basic ${Buffer.from(`:${secret}`).toString("base64")}`,
          `Digest ${secret}`
        ]
        for (const authorization of headers) {
          BearerApp.expectRefused(
            yield* client.request("/api/me", { headers: { authorization } }),
            authorization.slice(0, 80)
          )
        }
        const url = yield* client.request(`/api/me?access_token=${secret}&token=${secret}`, {
          headers: { authorization: "Bearer x", "x-api-key": secret }
        })
        BearerApp.expectRefused(url)
        expect((yield* client.request("/api/me", { headers: { authorization: `bearer ${secret}` } })).status).toBe(200)
      })
    )

    it.effect("gets one response whether it is unknown, malformed, expired or of nobody", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const gone = yield* BearerApp.signedIn()
        yield* users.remove(gone.user.id)
        const ended = yield* BearerApp.signedIn()
        yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(ended.user.id))
        const secrets = [gone.secret, ended.secret, BearerToken.print("session", new Uint8Array(32)), "efs_x", "x"]
        const guest = yield* TestApp.guest
        const shown = yield* Effect.forEach(secrets, (secret) =>
          Effect.map(guest.request("/api/me", { headers: { authorization: `Bearer ${secret}` } }), (response) => {
            const { "x-request-id": _id, date: _date, ...headers } = Object.fromEntries(response.headers)
            return { status: response.status, body: response.body, headers }
          })
        )
        for (const one of shown) expect(one).toEqual(shown[0])
      })
    )

    it.effect("is refused when the header comes twice, in either order, also with the same secret", () =>
      Effect.gen(function* () {
        const { port } = new URL((yield* ServerAddress).url)
        const { secret } = yield* BearerApp.signedIn()
        const send = (lines: ReadonlyArray<string>) =>
          Raw.exchange(Number(port), Raw.request("GET /api/me HTTP/1.1", ["Accept: application/json", ...lines]))
        const good = `Authorization: Bearer ${secret}`
        expect(yield* send([good])).toMatch(/^HTTP\/1\.1 200 /)
        for (const other of ["Authorization: Bearer x", "authorization: Basic YTpi", good, good.toUpperCase()]) {
          for (const lines of [
            [good, other],
            [other, good]
          ]) {
            const received = yield* send(lines)
            expect(received, other).toMatch(/^HTTP\/1\.1 401 /)
            expect(received).toMatch(/www-authenticate: Bearer realm="[^"]+", error="invalid_token"\r\n/i)
            expect(received).not.toContain(secret)
          }
        }
        const nul = yield* send([`Authorization: Bearer ${secret}\0`])
        expect(nul).toMatch(/^HTTP\/1\.1 400 /)
      })
    )

    it.effect("ends on every worker with the next request: sign-out, password change, deletion", () =>
      Effect.gen(function* () {
        const { run } = yield* BearerApp.OtherWorker
        const here = (client: TestClient.TestClient) => Effect.map(client.request("/api/me"), ({ status }) => status)
        const ended = yield* BearerApp.signedIn()
        expect(yield* here(ended.client)).toBe(200)
        yield* run(
          Effect.gen(function* () {
            const sessions = yield* Sessions
            const [listed] = yield* sessions.list(ended.user.id)
            yield* sessions.end(ended.user.id, listed?.handle ?? "")
          })
        )
        expect(yield* here(ended.client)).toBe(401)

        const revoked = yield* BearerApp.signedIn()
        expect(yield* here(revoked.client)).toBe(200)
        yield* run(Effect.flatMap(Sessions, ({ revoke }) => revoke(revoked.user.id)))
        expect(yield* here(revoked.client)).toBe(401)

        const deleted = yield* BearerApp.signedIn()
        expect(yield* here(deleted.client)).toBe(200)
        yield* run(Effect.flatMap(Users, ({ remove }) => remove(deleted.user.id)))
        expect(yield* here(deleted.client)).toBe(401)
      })
    )

    it.effect("ends when its owner changes the password in a browser, and when all other devices are signed out", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.signedIn()
        const browser = yield* TestApp.signedInUser(user)
        const password = "another quiet harbour"
        yield* browser.submit("/password", { current: user.password, password, password_confirmation: password })
        BearerApp.expectRefused(yield* client.request("/api/me"))
        const again = yield* BearerApp.signedIn(user)
        expect((yield* again.client.request("/api/me")).status).toBe(200)
        yield* browser.submit("/account/others", {})
        BearerApp.expectRefused(yield* again.client.request("/api/me"))
      })
    )

    it.effect("ends with a stolen remember-me cookie", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.signedIn()
        const device = yield* TestApp.guest
        const { email, password } = user
        yield* device.submit("/login", { email, password, remember: "on" })
        const thief = yield* TestApp.guest
        thief.jar.set("remember", device.jar.get("remember") ?? "")
        device.jar.delete("session")
        expect((yield* device.get("/account")).status).toBe(200)
        yield* thief.get("/account")
        BearerApp.expectRefused(yield* client.request("/api/me"))
      })
    )

    it.effect("is shown among the sessions of the account page, where it can be ended", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.signedIn()
        client.headers.set("user-agent", "notes-cli/1.0")
        const browser = yield* TestApp.signedInUser(user)
        const { json } = yield* browser.json("GET", "/account")
        const { sessions } = json as {
          readonly sessions: ReadonlyArray<{ readonly handle: string; readonly current: boolean }>
        }
        const other = sessions.find(({ current }) => !current)
        yield* browser.submit("/account/sessions", { handle: other?.handle ?? "" })
        BearerApp.expectRefused(yield* client.request("/api/me"))
      })
    )

    it.effect("is accepted by the guards that take it, and by no other", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.signedIn()
        expect((yield* client.request("/alone/bearer", { method: "POST" })).status).toBe(200)
        for (const path of ["/alone/session", "/alone/remember"]) {
          const refused = yield* client.request(path, { method: "POST" })
          expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
            401,
            expect.stringMatching(/^Session /)
          ])
        }
        const browser = yield* TestApp.signedInUser()
        const headers = { "x-csrf-token": yield* csrfOf(browser) }
        for (const path of ["/alone/session", "/alone/remember"]) {
          expect((yield* browser.request(path, { method: "POST", headers })).status, path).toBe(200)
          expect((yield* browser.request(path, { method: "POST" })).status, path).toBe(403)
        }
        const refused = yield* browser.request("/alone/bearer", { method: "POST", headers })
        expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
          401,
          expect.stringMatching(/^Bearer realm="[^"]+"$/)
        ])
        const guest = yield* TestApp.guest
        const { headers: shown } = yield* guest.request("/api/me")
        expect(shown.get("www-authenticate")).toMatch(/^Session realm="[^"]+", Bearer realm="[^"]+"$/)
      })
    )
  })
})

layer(BearerApp.layer(sqlite, { environment: "development" }))("In development a bearer", (it) => {
  it.effect("is on no page, in no report, and in no message of an exception", () =>
    Effect.gen(function* () {
      const { client, secret } = yield* BearerApp.signedIn()
      for (const accept of ["text/html", "application/json"]) {
        const broken = yield* client.request("/api/broken", { headers: { accept } })
        expect(broken.status).toBe(500)
        expect(broken.body).not.toContain(secret.slice(4, 40))
      }
      const { reported } = yield* CapturedExceptions
      expect(inspect(yield* reported, { depth: 9 })).not.toContain(secret.slice(4, 40))
    })
  )

  it.effect("never signs in as made-up text", () =>
    Effect.gen(function* () {
      const { client, secret } = yield* BearerApp.signedIn()
      const text = fc.oneof(
        fc.string({ maxLength: 80 }),
        fc.tuple(fc.nat(secret.length), fc.string({ maxLength: 5 })).map(([at, put]) => secret.slice(0, at) + put),
        fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => BearerToken.print("session", bytes))
      )
      const header = text.map((given) => `Bearer ${given.replace(/[^\x20-\x7e]/g, "")}`.trim())
      const property = fc.asyncProperty(header, async (authorization) => {
        fc.pre(authorization !== `Bearer ${secret}`)
        const response = await Effect.runPromise(client.request("/api/me", { headers: { authorization } }))
        expect(response.status).toBe(401)
      })
      yield* Effect.promise(() => fc.assert(property, { numRuns: 50 }))
    })
  )
})
