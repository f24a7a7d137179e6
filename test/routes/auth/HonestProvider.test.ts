// A whole flow with `oidc-provider`, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as OidcProvider from "../../../layers/auth/OidcProvider.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as HonestServer from "../../support/HonestServer.ts"

const services = Layer.unwrapScoped(
  Effect.map(HonestServer.start(`${TestApp.appUrl}/login/with/honest/callback`), ({ issuer }) =>
    OidcProvider.layer({
      id: "honest",
      name: "Honest",
      issuer,
      clientId: HonestServer.client.clientId,
      clientSecret: Redacted.make(HonestServer.client.clientSecret),
      network: "loopback"
    })
  )
)

describeDatabases("A sign-in with oidc-provider", (database) => {
  layer(TestApp.layer([], { database: database.layer, services }))((it) => {
    it.effect("makes an account, and finds it the next time", () =>
      Effect.gen(function* () {
        for (const browser of [yield* TestApp.guest, yield* TestApp.guest]) {
          const { location = "" } = yield* browser.submit("/login/with/honest", {})
          const path = yield* Effect.promise(() => HonestServer.visit(location, "ann", TestApp.appUrl))
          expect((yield* browser.get(path)).location).toBe("/account")
          expect((yield* browser.get("/account")).text).toContain("ann@example.com")
        }
      })
    )
  })
})
