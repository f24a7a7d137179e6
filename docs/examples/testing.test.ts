import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { Identity } from "effect-framework/session"
import { Access } from "effect-framework/routes/auth"
import { Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => Respond.text(`Tea for ${email}`))
const routes = [HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))]

layer(TestApp.layer(routes))("GET /tea", (it) => {
  it.effect("serves members and sends guests to sign in", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/tea")).location).toBe("/login")
      const user = yield* TestApp.signedInUser()
      expect((yield* user.get("/tea")).body).toBe(`Tea for ${user.user.email}`)
    })
  )

  it.effect("ends with the session", () =>
    Effect.gen(function* () {
      const user = yield* TestApp.signedInUser()
      yield* TestClock.adjust("121 minutes")
      expect((yield* user.get("/tea")).location).toBe("/login")
    })
  )
})
