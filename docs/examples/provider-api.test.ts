import { HttpApi } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { AccountsApi, ApiAuthentication } from "effect-framework/routes/auth"
import { ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { TestApp, TestProvider } from "effect-framework/testing"
import { createHash, randomBytes } from "node:crypto"

const Api = HttpApi.make("shop").add(AccountsApi.group).prefix("/api")

const handlers = ApiHandlers.layer(Api).pipe(
  Layer.provide(AccountsApi.layer(Api)),
  Layer.provide(ApiAuthentication.layer)
)

const return_to = "com.example.shop:/signed-in"

const server = TestApp.layer(Pipeline.api(Api), {
  services: Layer.merge(handlers, TestProvider.layer()),
  settings: { returnUrls: [return_to] }
})

layer(server)("An app", (it) => {
  it.effect("signs in with a provider", () =>
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const { accounts } = yield* TestApp.apiClient(Api)
      const verifier = randomBytes(32).toString("base64url")
      const challenge = createHash("sha256").update(verifier).digest("base64url")
      const { url } = yield* accounts.beginProviderBearer({
        path: { provider: "test" },
        payload: { challenge, return_to }
      })

      // The browser of the person.
      const browser = yield* TestApp.guest
      const path = yield* provider.approve(url, { sub: "ann", email: "ann@example.com" })
      const { location = "" } = yield* browser.get(path)

      const code = Redacted.make(new URL(location).searchParams.get("code") ?? "")
      const payload = { code, verifier: Redacted.make(verifier) }
      const signedIn = yield* accounts.signInProviderBearer({ payload })
      expect(signedIn).toMatchObject({ account: { email: "ann@example.com" } })
    })
  )
})
