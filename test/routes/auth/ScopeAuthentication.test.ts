// API tokens over real sockets: their scopes, their limits, and every attack that is made on cookies.
import { expect, it, layer } from "@effect/vitest"
import { OpenApi } from "@effect/platform"
import { Effect, TestClock } from "effect"
import { inspect } from "node:util"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import { Users } from "../../../src/auth/Users.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import type * as TestClient from "../../../testing/TestClient.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as BearerApp from "../../support/BearerApp.ts"
import { describeDatabases, sqlite } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as Raw from "../../support/Raw.ts"

const write = (client: TestClient.TestClient, text = "tea") => client.request("/scoped/write", { json: { text } })

describeDatabases("An API token", (database) => {
  layer(BearerApp.layer(database))((it) => {
    it.effect("acts for its owner within its scopes, without cookies and CSRF token", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.withToken(["notes:read", "notes:write"])
        const read = yield* client.request("/scoped/read")
        expect([read.status, read.json]).toEqual([
          200,
          expect.objectContaining({ email: user.email, mayWrite: true, session: false })
        ])
        expect([read.cookies, read.headers.get("cache-control")]).toEqual([[], "no-store"])
        expect((yield* write(client)).json).toBe("tea")
        const locked = yield* write(client, "locked")
        expect([locked.status, locked.json]).toEqual([423, { error: "Locked", _tag: "Locked" }])
      })
    )

    it.effect("without the scope gets a typed 403 that names it, before the body is read", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.withToken(["notes:read"])
        expect((yield* client.request("/scoped/read")).json).toMatchObject({ mayWrite: false })
        for (const body of ['{"text":"tea"}', "{ broken"]) {
          const response = yield* client.request("/scoped/write", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body
          })
          expect([response.status, response.json]).toEqual([
            403,
            { error: "The API token has no scope notes:write.", _tag: "InsufficientScope", scope: "notes:write" }
          ])
          expect(response.headers.get("www-authenticate")).toMatch(
            /^Bearer realm="[^"]+", error="insufficient_scope", scope="notes:write"$/
          )
          expect([response.cookies, response.headers.get("cache-control")]).toEqual([[], "no-store"])
        }
        const none = yield* BearerApp.withToken([])
        expect((yield* none.client.request("/scoped/read")).status).toBe(403)
      })
    )

    it.effect("is not needed by a session, which has every scope, with a cookie or as a bearer", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.signedIn()
        expect((yield* client.request("/scoped/read")).json).toMatchObject({ mayWrite: true, session: true })
        expect((yield* write(client)).status).toBe(200)
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.request("/scoped/read")).json).toMatchObject({ mayWrite: true, session: true })
        expect((yield* write(browser)).status).toBe(403)
        expect((yield* browser.json("POST", "/scoped/write", { text: "tea" })).status).toBe(200)
        const guest = yield* TestApp.guest
        expect((yield* guest.request("/scoped/read")).status).toBe(401)
      })
    )

    it.effect("is not needed by a remembered device, here and behind the other guards", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const { email, password } = user
        const device = yield* TestApp.guest
        yield* device.submit("/login", { email, password, remember: "on" })
        for (const path of ["/api/me", "/scoped/read", "/api/me"]) {
          device.jar.delete("session")
          const response = yield* device.request(path)
          expect([response.status, response.json], path).toEqual([200, expect.objectContaining({ email })])
          expect(device.jar.has("session"), path).toBe(true)
        }
        yield* FactorApp.enrol(user)
        yield* Effect.flatMap(Factors, (factors) => factors.askOnEveryDevice(user.id, true))
        device.jar.delete("session")
        expect((yield* device.request("/scoped/read")).status).toBe(401)
      })
    )

    it.effect("decides alone: no cookie beside it counts, for the guard or for the handler", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { secret, user } = yield* BearerApp.withToken(["notes:read"])
        const headers = { authorization: `Bearer ${secret}` }
        const read = yield* browser.request("/scoped/read", { headers })
        expect(read.json).toMatchObject({ email: user.email, mayWrite: false, session: false })
        expect((yield* browser.json("POST", "/csrf")).status).not.toBe(200)
        const csrf = yield* browser.json("GET", "/csrf")
        const token = String((csrf.json as { readonly token: unknown }).token)
        const posted = { json: { text: "tea" }, headers: { ...headers, "x-csrf-token": token } }
        expect((yield* browser.request("/scoped/write", posted)).status).toBe(403)
        const bad = { authorization: `Bearer ${secret.slice(0, -1)}` }
        BearerApp.expectRefused(yield* browser.request("/scoped/read", { headers: bad }))
      })
    )

    it.effect("signs in no page, is no session, and manages neither tokens nor passwords nor sessions", () =>
      Effect.gen(function* () {
        const { client, secret, user } = yield* BearerApp.withToken(["notes:read", "notes:write"])
        for (const path of ["/api/me", "/alone/bearer", "/alone/session", "/alone/remember"]) {
          const response = yield* client.request(path, path === "/api/me" ? {} : { method: "POST" })
          expect(response.status, path).toBe(401)
        }
        const accept = "application/json"
        for (const path of ["/account", "/password", "/account/tokens"]) {
          expect((yield* client.request(path, { headers: { accept } })).status, path).toBe(401)
        }
        for (const path of ["/password", "/account/sessions", "/account/others", "/account/tokens"]) {
          const json = { current: user.password, password: "another harbour", name: "more" }
          expect((yield* client.request(path, { json, headers: { accept } })).status, path).toBe(403)
        }
        const thief = yield* TestApp.guest
        thief.jar.set("session", secret)
        thief.jar.set("remember", secret)
        expect((yield* thief.get("/account")).location).toBe("/login")
      })
    )

    it.effect("is refused when it is forged, cut, of another case, or sent in another way", () =>
      Effect.gen(function* () {
        const { client, secret } = yield* BearerApp.withToken(["notes:read"])
        const texts = [
          BearerToken.print("token", new Uint8Array(32).fill(3)),
          secret.slice(0, -1),
          `${secret}0`,
          secret.toLowerCase(),
          secret.toUpperCase(),
          secret.replace("eft_", "efs_"),
          secret.replace("eft_", "ghp_"),
          `${secret},${secret}`,
          "';DROP/**/TABLE/**/api_tokens;--",
          "\u00e9\u00ff",
          "a".repeat(10_000)
        ]
        for (const text of texts) {
          const headers = { authorization: `Bearer ${text}` }
          BearerApp.expectRefused(yield* client.request("/scoped/read", { headers }), text.slice(0, 60))
        }
        for (const authorization of [secret, `Token ${secret}`, `Basic ${btoa(`x:${secret}`)}`, `Bearer ${secret} x`]) {
          BearerApp.expectRefused(yield* client.request("/scoped/read", { headers: { authorization } }))
        }
        const guest = yield* TestApp.guest
        expect((yield* guest.request(`/scoped/read?access_token=${secret}`)).status).toBe(401)
        const { port } = new URL((yield* ServerAddress).url)
        const line = `Authorization: Bearer ${secret}`
        const twice = yield* Raw.exchange(Number(port), Raw.request("GET /scoped/read HTTP/1.1", [line, line]))
        expect(twice).toMatch(/^HTTP\/1\.1 401 /)
        expect((yield* client.request("/scoped/read")).status).toBe(200)
      })
    )

    it.effect("is refused by every worker with the next request after it was revoked, or its owner deleted", () =>
      Effect.gen(function* () {
        const { run } = yield* BearerApp.OtherWorker
        const status = (client: TestClient.TestClient) =>
          Effect.map(client.request("/scoped/read"), (response) => response.status)
        const revoked = yield* BearerApp.withToken(["notes:read"])
        const kept = yield* BearerApp.withToken(["notes:read"], revoked.user)
        expect(yield* status(revoked.client)).toBe(200)
        yield* run(Effect.flatMap(ApiTokens, ({ revoke }) => revoke(revoked.user.id, revoked.handle)))
        expect([yield* status(revoked.client), yield* status(kept.client)]).toEqual([401, 200])
        yield* run(Effect.flatMap(Users, ({ remove }) => remove(kept.user.id)))
        BearerApp.expectRefused(yield* kept.client.request("/scoped/read"))
      })
    )

    it.effect("ends with a password change unless its owner keeps it, and always with a reset", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.withToken(["notes:read"])
        const status = Effect.map(client.request("/scoped/read"), (response) => response.status)
        const browser = yield* TestApp.signedInUser(user)
        const change = (current: string, password: string, more: Readonly<Record<string, string>> = {}) =>
          browser.submit("/password", { current, password, password_confirmation: password, ...more })
        yield* change(user.password, "the second harbour", { keep_tokens: "1" })
        expect(yield* status).toBe(200)
        yield* change("the second harbour", "the third harbour")
        expect(yield* status).toBe(401)

        const other = yield* BearerApp.withToken(["notes:read"], user)
        expect((yield* other.client.request("/scoped/read")).status).toBe(200)
        const visitor = yield* TestApp.guest
        yield* visitor.submit("/forgot", { email: user.email })
        const link = yield* Effect.flatMap(CapturedMail, ({ linkTo }) => linkTo(user.email))
        const password = "the fourth harbour"
        expect((yield* visitor.submit(link, { password, password_confirmation: password })).location).toBe("/login")
        BearerApp.expectRefused(yield* other.client.request("/scoped/read"))
      })
    )

    it.effect("survives the theft of a remember-me cookie, by which nobody can make or read one", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.withToken(["notes:read"])
        const device = yield* TestApp.guest
        const { email, password } = user
        yield* device.submit("/login", { email, password, remember: "on" })
        const thief = yield* TestApp.guest
        thief.jar.set("remember", device.jar.get("remember") ?? "")
        device.jar.delete("session")
        yield* device.get("/account")
        yield* thief.get("/account")
        expect((yield* client.request("/scoped/read")).status).toBe(200)
      })
    )

    it.effect("may be guessed 30 times a minute from one address; a valid one passes all the same", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.withToken(["notes:read"])
        const guess = (seed: number) =>
          client.request("/scoped/read", {
            headers: { authorization: `Bearer ${BearerToken.print("token", new Uint8Array(32).fill(seed))}` }
          })
        for (let seed = 0; seed < 30; seed++) expect((yield* guess(seed)).status).toBe(401)
        const limited = yield* guess(31)
        expect([limited.status, limited.json]).toEqual([
          429,
          expect.objectContaining({ error: expect.any(String), _tag: "TooManyRequests", scope: "api_token" })
        ])
        expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0)
        expect((yield* client.request("/scoped/read")).status).toBe(200)
        // A text that cannot be a token costs nothing, and is not counted.
        BearerApp.expectRefused(
          yield* client.request("/scoped/read", { headers: { authorization: "Bearer eft_nothing" } })
        )
      })
    )

    it.effect("may be used as often as the program says", () =>
      Effect.gen(function* () {
        const { client, user } = yield* BearerApp.withToken(["notes:read"])
        for (let count = 0; count < 20; count++) expect((yield* client.request("/scoped/read")).status).toBe(200)
        const limited = yield* client.request("/scoped/read")
        expect([limited.status, limited.json]).toEqual([
          429,
          expect.objectContaining({ error: expect.any(String), _tag: "TooManyRequests", scope: "api_token.requests" })
        ])
        expect(limited.headers.get("retry-after")).not.toBeNull()
        const other = yield* BearerApp.withToken(["notes:read"], user)
        expect((yield* other.client.request("/scoped/read")).status).toBe(200)
        yield* TestClock.adjust("1 minute")
        expect((yield* client.request("/scoped/read")).status).toBe(200)
      })
    )

    it.effect("expires", () =>
      Effect.gen(function* () {
        const { client } = yield* BearerApp.withToken(["notes:read"])
        yield* TestClock.adjust("89 days")
        expect((yield* client.request("/scoped/read")).status).toBe(200)
        yield* TestClock.adjust("1 day")
        BearerApp.expectRefused(yield* client.request("/scoped/read"))
      })
    )
  })
})

layer(BearerApp.layer(sqlite, { environment: "development" }))("In development an API token", (it) => {
  it.effect("is on no page, in no report, and in no message of an exception", () =>
    Effect.gen(function* () {
      const { client, secret } = yield* BearerApp.withToken(["notes:read"])
      for (const accept of ["text/html", "application/json"]) {
        const broken = yield* client.request("/api/broken", { headers: { accept } })
        expect(broken.status).toBe(500)
        expect(broken.body).not.toContain(secret.slice(4, 40))
      }
      const { reported } = yield* CapturedExceptions
      expect(inspect(yield* reported, { depth: 9 })).not.toContain(secret.slice(4, 40))
    })
  )
})

it("The OpenAPI document of a scoped endpoint has both schemes, its scope and every status of its guard", () => {
  const { components, paths } = OpenApi.fromApi(BearerApp.ScopedApi)
  expect(components.securitySchemes["bearer"]).toMatchObject({ type: "http", scheme: "bearer" })
  const operation = paths["/scoped/write"]?.post
  expect(operation?.security).toEqual([{ bearer: [] }, { session: [] }])
  expect(Object.keys(operation?.responses ?? {})).toEqual(
    expect.arrayContaining(["200", "400", "401", "403", "423", "429"])
  )
  expect(JSON.stringify(operation?.responses[403])).toContain("InsufficientScope")
})
