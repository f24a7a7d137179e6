import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Identity } from "effect-framework/session"
import { Html } from "effect-framework/http"
import { Access, AuthRoutes } from "effect-framework/routes/auth"
import { FormState, Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const { html } = Html

// Replaced: the account page of the shop.
const page = Effect.map(Identity.CurrentIdentity, ({ email }) => ({
  title: "Your orders",
  main: html`<h1>Your orders</h1>
    <p>${email} has ordered nothing yet.</p>`
}))

const account = [HttpLayerRouter.route("GET", "/account", Access.requireUser(Respond.render(page)))]

// Extended: only addresses of the company may sign up.
class NotInvited extends Schema.TaggedError<NotInvited>()("NotInvited", {}) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("Only addresses of tea.example can sign up.", { status: 403 })
  }
}

const invited = Effect.flatMap(FormState.read(Schema.Struct({ email: Schema.Trim })), ({ email }) =>
  email.endsWith("@tea.example") ? Effect.void : new NotInvited()
)

const register = AuthRoutes.pages.register.map((route) =>
  route.method === "POST" ? { ...route, handler: Effect.zipRight(invited, route.handler) } : route
)

export const routes = Object.values({ ...AuthRoutes.pages, account, register }).flat()

layer(TestApp.layer(routes))("the routes of the shop", (it) => {
  it.effect("show its own account page", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/account")).location).toBe("/login")
      const user = yield* TestApp.signedInUser()
      expect((yield* user.get("/account")).text).toContain("has ordered nothing yet.")
    })
  )

  it.effect("let only the company sign up", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const password = "quiet harbour"
      expect((yield* guest.submit("/register", { email: "ann@example.com", password })).status).toBe(403)
      expect((yield* guest.submit("/register", { email: "ann@tea.example", password })).location).toBe("/account")
    })
  )
})
