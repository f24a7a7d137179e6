import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { AuthError, Users } from "effect-framework/auth"
import { SignIn } from "effect-framework/routes/auth"
import { FormState } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const Badge = Schema.Struct({ badge: Schema.NonEmptyString })

const directory = new Map([["4711", "ann@example.com"]])

const unknown = () => new AuthError.Forbidden({ reason: "This badge is unknown." })

const enter = Effect.gen(function* () {
  const { badge } = yield* Effect.catchTag(FormState.read(Badge), "InvalidForm", unknown)
  const users = yield* Users.Users
  const user = yield* users.fetch(directory.get(badge) ?? "")
  if (Option.isNone(user)) return yield* unknown()
  return yield* SignIn.complete(user.value, { by: "a badge" })
})

const routes = [HttpLayerRouter.route("POST", "/badge", enter)]

layer(TestApp.layer(routes))("a badge", (it) => {
  it.effect("signs in, and leads to the page that was wanted", () =>
    Effect.gen(function* () {
      yield* TestApp.enrolledUser({ email: "ann@example.com" })
      const browser = yield* TestApp.guest
      expect((yield* browser.submit("/badge", { badge: "0815" })).status).toBe(403)
      yield* browser.get("/account/activity")
      expect((yield* browser.submit("/badge", { badge: "4711" })).location).toBe("/account/activity")
      expect((yield* browser.get("/account/activity")).text).toContain("Signed in with a badge.")
    })
  )
})
