// API tokens through the API of accounts, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { maxTokens } from "../../../src/auth/internal/ApiTokenRules.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, app, handlers, layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const path = "/api/tokens"

const wanted = ({ password }: TestApp.TestUser, more: object = {}) => ({
  name: "Nightly backup",
  scopes: ["notes:read"],
  current: password,
  ...more
})

const payloadOf = ({ password }: TestApp.TestUser) => ({
  name: " Nightly backup ",
  scopes: ["notes:write", "notes:read"],
  current: Redacted.make(password)
})

const day = 24 * 60 * 60

describeDatabases("API tokens through the API", (database) => {
  layer(server(database))((it) => {
    it.effect("are made with the password, shown once, listed and revoked, by a bearer session and by a browser", () =>
      Effect.gen(function* () {
        const tokens = yield* ApiTokens
        for (const client of [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          expect(yield* accounts.tokens()).toEqual([])
          const { secret, ...made } = yield* accounts.createToken({ payload: payloadOf(client.user) })
          expect(made).toEqual({
            handle: expect.any(String),
            name: "Nightly backup",
            scopes: ["notes:read", "notes:write"],
            created: expect.any(Number),
            expires: made.created + 90 * day
          })
          expect(Option.getOrThrow(yield* tokens.verify(secret)).identity.email).toBe(client.user.email)
          const [listed, ...none] = yield* accounts.tokens()
          expect([listed, none]).toEqual([{ ...made, lastUsed: expect.any(Number) }, []])
          const revoked = yield* accounts.revokeToken({ path: { handle: made.handle } })
          expect(revoked).toEqual({ message: "That token was revoked." })
          expect(Option.isNone(yield* tokens.verify(secret))).toBe(true)
          expect(yield* accounts.revokeToken({ path: { handle: made.handle } })).toEqual(revoked)
          expect(yield* accounts.tokens()).toEqual([])
        }
      })
    )

    it.effect("have a body that no cache keeps, and a secret that no list repeats", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.bearerUser()
        const made = yield* client.json("POST", path, wanted(client.user, { days: 7 }))
        const { created, expires } = made.json as { readonly created: number; readonly expires: number }
        expect([made.status, made.headers.get("cache-control"), expires - created]).toEqual([201, "no-store", 7 * day])
        expect(made.json).toMatchObject({ secret: expect.stringMatching(/^eft_[0-9A-Za-z]{49}$/) })
        const listed = yield* client.json("GET", path)
        expect([listed.headers.get("cache-control"), listed.body.includes("eft_")]).toEqual(["no-store", false])
      })
    )

    it.effect("belong to their account: no other lists or revokes them", () =>
      Effect.gen(function* () {
        const [ann, bob] = [yield* TestApp.bearerUser(), yield* TestApp.bearerUser()]
        const [mine, other] = [yield* TestApp.apiClient(Api, ann), yield* TestApp.apiClient(Api, bob)]
        const { handle } = yield* mine.accounts.createToken({ payload: payloadOf(ann.user) })
        expect(yield* other.accounts.tokens()).toEqual([])
        const answer = yield* other.accounts.revokeToken({ path: { handle } })
        expect(answer).toEqual(yield* other.accounts.revokeToken({ path: { handle: "\0" } }))
        expect(yield* mine.accounts.tokens()).toHaveLength(1)
      })
    )

    it.effect("are refused with a message for each field, as on the page", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const refused = Effect.fnUntraced(function* (more: object, fields: Readonly<Record<string, string>>) {
          yield* TestClock.adjust("1 minute")
          const given = wanted(client.user, more)
          const response = yield* client.json("POST", path, given)
          expect([response.status, response.json], JSON.stringify(more)).toEqual([
            422,
            { _tag: "InvalidInput", error: expect.any(String), fields }
          ])
          const onPage = yield* client.json("POST", "/account/tokens", given)
          expect(onPage.status).toBe(422)
          for (const message of Object.values(fields)) expect(onPage.text).toContain(message)
        })
        const scopes = "Choose what the token may do."
        const days = "Choose one of the lifetimes."
        yield* refused({ current: "not this one" }, { current: "Current password is incorrect." })
        yield* refused({ current: [client.user.password] }, { current: "Enter your password." })
        yield* refused({ name: " " }, { name: "Give the token a name." })
        yield* refused({ name: "x".repeat(101) }, { name: "Use a name of at most 100 characters." })
        yield* refused({ name: "a\0b", days: 8 }, { name: "Give the token a name.", days })
        yield* refused({ days: "" }, { days })
        for (const given of [[], ["admin"], ["notes:read", "admin"], [["notes:read"]], [{}], null, "admin", 7]) {
          yield* refused({ scopes: given }, { scopes })
        }
        const tokens = yield* ApiTokens
        expect(yield* tokens.list(client.user.id)).toEqual([])
      })
    )

    it.effect("are at most as many as an account may have", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.bearerUser()
        const tokens = yield* ApiTokens
        yield* Effect.replicateEffect(tokens.create(client.user.id, { name: "many", scopes: [] }), maxTokens)
        const { accounts } = yield* TestApp.apiClient(Api, client)
        const failure = yield* Effect.flip(accounts.createToken({ payload: payloadOf(client.user) }))
        expect(failure).toMatchObject({ _tag: "InvalidInput", fields: { name: expect.stringMatching(/50 tokens/) } })
      })
    )

    it.effect("share the limit of the page and of the password", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const wrong = wanted(client.user, { current: "not this one" })
        for (const at of [path, path, "/account/tokens", "/account/tokens", "/password"]) {
          expect((yield* client.json("POST", at, { ...wrong, password: "a third harbour" })).status).toBe(422)
        }
        const limited = yield* client.json("POST", path, wanted(client.user))
        expect([limited.status, limited.json]).toEqual([429, expect.objectContaining({ scope: "password" })])
        expect(limited.headers.has("retry-after")).toBe(true)
      })
    )

    it.effect("are managed by nobody else: no guest, no forged form, no bad bearer beside a cookie, no API token", () =>
      Effect.gen(function* () {
        const [guest, browser] = [yield* TestApp.guest, yield* TestApp.signedInUser()]
        const tokens = yield* ApiTokens
        const scopes = ["notes:read", "notes:write"]
        const { handle, secret } = yield* tokens.create(browser.user.id, { name: "backup", scopes })
        const json = wanted(browser.user)
        for (const [method, at] of [
          ["GET", path],
          ["POST", path],
          ["DELETE", `${path}/${handle}`]
        ] as const) {
          const request = { method, ...(method === "POST" && { json }) }
          expect([method, (yield* guest.request(at, request)).status]).toEqual([method, 401])
          for (const bearer of [Redacted.value(secret), "efs_nothing"]) {
            const headers = { authorization: `Bearer ${bearer}` }
            expect([method, (yield* browser.request(at, { ...request, headers })).status]).toEqual([method, 401])
          }
          if (method === "GET") continue
          const forged = yield* browser.request(at, request)
          expect([method, forged.status, forged.json]).toEqual([
            method,
            403,
            { error: "Invalid CSRF token", _tag: "CsrfMismatch", reason: "token" }
          ])
        }
        const form = yield* TestApp.bearerUser(browser.user)
        expect((yield* form.request(path, { form: { name: "x", current: browser.user.password } })).status).toBe(415)
        expect(
          (yield* form.request(path, { method: "POST", body: "[", headers: { "content-type": "application/json" } }))
            .status
        ).toBe(400)
        expect(yield* tokens.list(browser.user.id)).toHaveLength(1)
      })
    )

    it.effect("are revoked by a password change that does not keep them", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const { accounts } = yield* TestApp.apiClient(Api, client)
        yield* accounts.createToken({ payload: payloadOf(client.user) })
        const [first, second] = [Redacted.make(client.user.password), Redacted.make("another quiet harbour")]
        yield* accounts.changePassword({ payload: { current: first, password: second, keep_tokens: true } })
        expect(yield* accounts.tokens()).toHaveLength(1)
        yield* accounts.changePassword({ payload: { current: second, password: first } })
        expect(yield* accounts.tokens()).toEqual([])
      })
    )
  })
})

layer(TestApp.layerOf(app, { services: handlers }))("A program without scopes", (it) => {
  it.effect("has no endpoints of tokens", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.signedInUser()
      expect((yield* client.json("GET", path)).status).toBe(404)
      expect((yield* client.json("POST", path, wanted(client.user))).status).toBe(404)
      expect((yield* client.json("DELETE", `${path}/x`)).status).toBe(404)
    })
  )
})
