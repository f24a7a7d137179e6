import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestApp, TestProvider } from "effect-framework/testing"

layer(TestApp.layer([], { services: TestProvider.layer() }))("Sign in with a provider", (it) => {
  it.effect("makes an account, and lets nobody in by a token that is not the provider's", () =>
    Effect.gen(function* () {
      const provider = yield* TestProvider.TestProvider
      const ann = yield* TestApp.guest
      yield* provider.signIn(ann, { sub: "ann", email: "ann@example.com" })
      expect((yield* ann.get("/account")).text).toContain("ann@example.com")

      yield* provider.lie({ signature: "broken" })
      const thief = yield* TestApp.guest
      yield* provider.signIn(thief, { sub: "ann" })
      expect((yield* thief.get("/account")).location).toBe("/login")
    })
  )
})
