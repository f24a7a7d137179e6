import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { GitHub, Microsoft, OidcProvider } from "effect-framework/layers/auth"
import { TestApp } from "effect-framework/testing"

const clientSecret = Redacted.make("from your own store of secrets")

const providers = Layer.mergeAll(
  GitHub.layer({ clientId: "Iv1.0123456789abcdef", clientSecret }),
  Microsoft.layer({
    tenant: "11111111-2222-3333-4444-555555555555",
    clientId: "66666666-7777-8888-9999-000000000000",
    clientSecret
  }),
  OidcProvider.layer({
    id: "keycloak",
    name: "Teapot Inc.",
    issuer: "https://id.teapot.example/realms/staff",
    clientId: "app",
    clientSecret,
    authoritativeFor: ["teapot.example"],
    fields: (claims) => ({ display_name: String(claims["name"] ?? "") })
  })
)

layer(TestApp.layer([], { services: providers }))("The sign-in page", (it) => {
  it.effect("has a button for each provider", () =>
    Effect.gen(function* () {
      const { text } = yield* (yield* TestApp.guest).get("/login")
      for (const name of ["GitHub", "Microsoft", "Teapot Inc."]) expect(text).toContain(`Sign in with ${name}`)
    })
  )
})
