import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { FormState, RequestSession, Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const key = "teashop/basket"
const Basket = Schema.parseJson(Schema.Array(Schema.String))

const basket = Effect.gen(function* () {
  const session = yield* RequestSession.current
  return Option.getOrElse(Option.flatMap(yield* session.get(key), Schema.decodeOption(Basket)), () => [])
})

const add = Effect.gen(function* () {
  const { tea } = yield* FormState.read(Schema.Struct({ tea: Schema.NonEmptyString }))
  const session = yield* RequestSession.current
  yield* session.set(key, JSON.stringify([...(yield* basket), tea]))
  return yield* Respond.redirect("/basket", { value: { tea } })
})

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/basket",
    Effect.map(basket, (teas) => Respond.text(teas.join(", ")))
  ),
  HttpLayerRouter.route("POST", "/basket", add)
]

layer(TestApp.layer(routes))("The basket", (it) => {
  it.effect("belongs to one visitor, who keeps it at the sign-up", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      yield* guest.submit("/basket", { tea: "Assam" })
      expect((yield* guest.submit("/basket", { tea: "Darjeeling" })).location).toBe("/basket")
      yield* guest.submit("/register", { email: "ann@example.com", password: "quiet harbour" })
      expect((yield* guest.get("/basket")).body).toBe("Assam, Darjeeling")
      const other = yield* TestApp.guest
      expect((yield* other.get("/basket")).body).toBe("")
    })
  )
})
