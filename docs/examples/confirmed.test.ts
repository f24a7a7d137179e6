import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import { AccountExport } from "effect-framework/auth"
import { SqlAccountHooks } from "effect-framework/layers/auth"
import { Access, AccountDeletion } from "effect-framework/routes/auth"
import { TestApp } from "effect-framework/testing"

const vault = Effect.succeed(HttpServerResponse.text("gold"))

const routes = [HttpLayerRouter.route("GET", "/vault", Access.requireConfirmation(vault))]

const hooks = SqlAccountHooks.layer({ deletion: { afterResponse: ({ id }) => Effect.log(`${id} has left`) } })

const deletion = Layer.provideMerge(AccountDeletion.layer, hooks)

const exported = Layer.succeed(AccountExport.AccountExport, { of: () => Effect.succeed({ orders: ["a cup"] }) })

layer(TestApp.layer(routes, { services: Layer.merge(deletion, exported) }))("an account", (it) => {
  it.effect("opens the vault for ten minutes, and then when it is confirmed again", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      expect((yield* browser.get("/vault")).body).toBe("gold")
      yield* TestClock.adjust("11 minutes")
      expect((yield* browser.get("/vault")).location).toBe("/confirm")
      const confirmed = yield* browser.submit("/confirm", { current: browser.user.password })
      expect(confirmed.location).toBe("/vault")
      expect((yield* browser.get("/vault")).body).toBe("gold")
    })
  )

  it.effect("is downloaded with what the program stores, and can be deleted", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      const download = yield* browser.json("GET", "/account/export")
      expect(download.json).toMatchObject({ program: { orders: ["a cup"] } })
      expect((yield* browser.get("/account/delete")).status).toBe(200)
    })
  )
})
