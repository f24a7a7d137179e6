// Recent confirmation in an API: typed, by cookie and by bearer, for the endpoints of a program and for API tokens.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, TestClock } from "effect"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import { CurrentIdentity, Identity } from "../../../src/session/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Scopes } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const vault = HttpApiGroup.make("vault").add(
  HttpApiEndpoint.post("open", "/vault").addSuccess(Identity).middleware(ApiAuthentication.ConfirmedAuthentication)
)

const Api = HttpApi.make("confirmed").add(AccountsApi.group).add(vault).prefix("/api")

const handlers = Layer.merge(
  AccountsApi.layer(Api),
  HttpApiBuilder.group(Api, "vault", (group) => group.handle("open", () => CurrentIdentity))
)

const services = Layer.merge(
  ApiHandlers.layer(Api).pipe(Layer.provide(handlers), Layer.provide(ApiAuthentication.layer)),
  Scopes.layer
)

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

const token = { name: "CI", scopes: ["notes:read"] }

describeDatabases("A confirmation in an API", (database) => {
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services }))((it) => {
    const clients = { cookie: TestApp.signedInUser, bearer: TestApp.bearerUser }

    it.effect.each(["cookie", "bearer"] as const)("is required and given, with a %s", (kind) =>
      Effect.gen(function* () {
        const client = yield* clients[kind]()
        const { email, password } = client.user
        expect((yield* client.json("POST", "/api/vault")).json).toMatchObject({ email })
        yield* TestClock.adjust("10 minutes")
        const refused = yield* client.json("POST", "/api/vault")
        expect([refused.status, refused.json]).toEqual([
          403,
          { _tag: "ConfirmationRequired", error: "Confirm that it is you to continue.", confirm: "/confirm" }
        ])
        const wrong = yield* client.json("POST", "/api/confirm", { current: "not this one" })
        expect([wrong.status, wrong.json]).toMatchObject([422, { _tag: "InvalidInput", fields: { current: /./ } }])
        const right = yield* client.json("POST", "/api/confirm", { current: password })
        expect([right.status, right.json]).toMatchObject([200, { message: "Confirmed." }])
        if (kind === "bearer") {
          expect((yield* client.json("POST", "/api/vault")).status).toBe(401)
          const { bearer } = right.json as { readonly bearer: { readonly token: string } }
          client.headers.set("authorization", `Bearer ${bearer.token}`)
        } else expect(right.json).toEqual({ message: "Confirmed." })
        expect((yield* client.json("POST", "/api/vault")).json).toMatchObject({ email })
      })
    )

    it.effect.each(["cookie", "bearer"] as const)("is given by a code, once, with a %s", (kind) =>
      Effect.gen(function* () {
        const client = yield* clients[kind]()
        const { recoveryCodes, secret } = yield* FactorApp.enrol(client.user)
        const api = yield* TestApp.apiClient(Api, client)
        yield* TestClock.adjust("10 minutes")
        const send = (code: string) => api.accounts.confirm({ payload: { code: Redacted.make(code) } })
        const wrong = yield* Effect.flip(send(yield* FactorApp.wrongCode(secret)))
        expect(wrong).toMatchObject({ _tag: "InvalidInput", fields: { code: expect.any(String) } })
        const code = yield* FactorApp.codeOf(secret)
        const { bearer } = yield* send(code)
        if (bearer !== undefined) client.headers.set("authorization", `Bearer ${Redacted.value(bearer.token)}`)
        expect(yield* api.vault.open()).toMatchObject({ email: client.user.email })
        expect(yield* Effect.flip(send(code))).toMatchObject({ _tag: "InvalidInput" })
        yield* TestClock.adjust("10 minutes")
        expect(yield* Effect.flip(api.vault.open())).toMatchObject({ _tag: "ConfirmationRequired" })
        yield* send(recoveryCodes[0] ?? "")
      })
    )

    it.effect("is typed for the client that is derived from the API", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const api = yield* TestApp.apiClient(Api, client)
        yield* TestClock.adjust("10 minutes")
        expect(yield* Effect.flip(api.vault.open())).toMatchObject({
          _tag: "ConfirmationRequired",
          confirm: "/confirm"
        })
        yield* api.accounts.confirm({ payload: { current: Redacted.make(client.user.password) } })
        expect(yield* api.vault.open()).toMatchObject({ email: client.user.email })
      })
    )

    it.effect("is a sign-in without cookies, too", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        const { json } = yield* client.request("/api/bearer/sign-in", { json: { email, password } })
        const { bearer } = json as { readonly bearer: { readonly token: string } }
        client.headers.set("authorization", `Bearer ${bearer.token}`)
        expect((yield* client.json("POST", "/api/vault")).status).toBe(200)
      })
    )

    it.effect("is refused to guests, to forged requests and to other ways in", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.json("POST", "/api/vault")).status).toBe(401)
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.request("/api/vault", { json: {} })).json).toMatchObject({ _tag: "CsrfMismatch" })
        expect((yield* browser.request("/api/confirm", { json: { current: browser.user.password } })).status).toBe(403)
        // A bearer that is none, beside the cookie of a confirmed session.
        browser.headers.set("authorization", `Bearer eft_${"0".repeat(49)}`)
        expect((yield* browser.json("POST", "/api/vault")).status).toBe(401)
      })
    )

    it.effect("makes an API token, and so does the password", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.bearerUser()
        expect((yield* client.json("POST", "/api/tokens", token)).status).toBe(201)
        yield* TestClock.adjust("10 minutes")
        const refused = yield* client.json("POST", "/api/tokens", token)
        expect([refused.status, refused.json]).toMatchObject([403, { _tag: "ConfirmationRequired" }])
        const current = client.user.password
        expect((yield* client.json("POST", "/api/tokens", { ...token, current })).status).toBe(201)
        expect((yield* client.json("POST", "/api/tokens", { ...token, current: "" })).status).toBe(422)
        expect((yield* client.json("POST", "/api/tokens", { ...token, current: "not this one" })).status).toBe(422)
      })
    )

    it.effect("is asked for by the page of API tokens, which keeps the form", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const form = { name: "Nightly backup", days: "30", "scope notes:read": "1" }
        expect((yield* browser.get("/account/tokens")).body).not.toContain('name="current"')
        expect((yield* browser.submit("/account/tokens", form)).status).toBe(201)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get("/account/tokens")).body).toContain('name="current"')
        const late = yield* browser.submit("/account/tokens", form)
        expect([late.status, late.text]).toEqual([422, expect.stringContaining("Enter your password.")])
        expect(late.body).toContain('value="Nightly backup"')
        const current = browser.user.password
        expect((yield* browser.submit("/account/tokens", { ...form, current })).status).toBe(201)
      })
    )
  })
})
