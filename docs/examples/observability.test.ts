import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Counter, Observability } from "effect-framework/observability"
import { Respond } from "effect-framework/routes/session"
import { Metrics } from "effect-framework/routes/observability"
import { TestApp } from "effect-framework/testing"

class Cups extends Context.Tag("shop/Cups")<Cups, Counter.Counter>() {}

const services = Layer.effect(
  Cups,
  Effect.gen(function* () {
    const { metrics } = yield* Observability.Observability
    const cups = yield* Counter.make("cups_total", { help: "Cups of tea that were served" })
    yield* metrics.push(cups)
    return cups
  })
)
const tea = Effect.map(Cups, (cups) => {
  cups.increment()
  return Respond.text("Tea")
})
const routes = [HttpLayerRouter.route("GET", "/tea", tea), ...Metrics.routes]

layer(TestApp.layer(routes, { services }))("GET /tea", (it) => {
  it.effect("is counted", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      yield* guest.get("/tea")
      yield* guest.get("/tea")
      expect((yield* guest.get("/metrics")).body).toContain("\ncups_total 2\n")
    })
  )
})
