import { HttpApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { AccountsApi, ApiAuthentication, AuthRoutes } from "effect-framework/routes/auth"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp } from "effect-framework/testing"

const Api = HttpApi.make("shop").add(AccountsApi.group).prefix("/api")

const app = Pipeline.app([...Pipeline.pages(AuthRoutes.routes), ...Pipeline.api(Api)])

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

layer(TestApp.layerOf(app, { services: handlers }))("a client without cookies", (it) => {
  it.effect("signs up, and is signed in", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.guest
      const api = yield* TestApp.apiClient(Api, client)
      const payload = { email: "ann@example.com", password: Redacted.make("correct-horse-battery") }
      const { account, bearer } = yield* api.accounts.signUpBearer({ payload })
      client.headers.set("authorization", `Bearer ${Redacted.value(bearer.token)}`)
      expect(yield* api.accounts.me()).toEqual(account)
    })
  )

  it.effect("is told what is wrong", () =>
    Effect.gen(function* () {
      const api = yield* TestApp.apiClient(Api)
      const payload = { email: "ann@example.com", password: Redacted.make("not this one") }
      const failure = yield* Effect.flip(api.accounts.signInBearer({ payload }))
      expect(failure).toMatchObject({ _tag: "InvalidCredentials", error: "Invalid credentials." })
    })
  )
})
