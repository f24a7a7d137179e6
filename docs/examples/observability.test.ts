import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Counter, HealthChecks, Observability } from "effect-framework/observability"
import { Respond } from "effect-framework/routes/session"
import { Health, Metrics } from "effect-framework/routes/observability"
import { TestApp } from "effect-framework/testing"

class Cups extends Context.Tag("shop/Cups")<Cups, Counter.Counter>() {}

const counted = Layer.effect(
  Cups,
  Effect.gen(function* () {
    const { metrics } = yield* Observability.Observability
    const cups = yield* Counter.make("cups_total", { help: "Cups of tea that were served" })
    yield* metrics.push(cups)
    return cups
  })
)

// Stands for a request to another service; what fails is logged, and `/readyz` names the check alone.
let water = 10
const filled = Effect.suspend(() => (water > 0 ? Effect.void : Effect.fail("The kettle is empty")))

const services = Layer.merge(counted, HealthChecks.add({ name: "kettle", check: filled, timeout: "1 second" }))

const tea = Effect.map(Cups, (cups) => {
  cups.increment()
  return Respond.text("Tea")
})
const routes = [HttpLayerRouter.route("GET", "/tea", tea), ...Metrics.routes, ...Health.ready]

layer(TestApp.layer(routes, { services }))("GET /tea", (it) => {
  it.effect("is counted", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      yield* guest.get("/tea")
      yield* guest.get("/tea")
      expect((yield* guest.get("/metrics")).body).toContain("\ncups_total 2\n")
    })
  )
  it.effect("is not sent here while the kettle is empty", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/readyz")).status).toBe(200)
      water = 0
      const { body, status } = yield* guest.get("/readyz")
      expect([status, body]).toEqual([503, '{"status":"unavailable","part":"kettle"}'])
    })
  )
})
