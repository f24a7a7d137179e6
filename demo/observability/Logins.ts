// Counts logins by outcome, from the request events: the routes need no change.
import { Effect, Layer } from "effect"
import * as Counter from "../../src/observability/Counter.ts"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import { Observability } from "../../src/observability/Observability.ts"
import { RequestEvents } from "../../src/observability/RequestEvents.ts"

export const name = "logins_total"

const outcomes: Readonly<Record<number, string>> = {
  200: "success",
  303: "success",
  401: "failure",
  429: "limited",
  503: "unavailable"
}

export const layer: Layer.Layer<never, InvalidInstrument, Observability | RequestEvents> = Layer.scopedDiscard(
  Effect.gen(function* () {
    const { metrics } = yield* Observability
    const events = yield* RequestEvents
    const logins = yield* Counter.family(name, { help: "Logins by outcome", labels: ["outcome"] })
    yield* metrics.push(logins)
    const children = new Map(
      Object.entries(outcomes).map(([status, outcome]) => [Number(status), logins.with({ outcome })])
    )
    yield* events.listen({
      handled: ({ method, route, status }) => {
        if (method === "POST" && route === "/login" && status !== undefined) children.get(status)?.increment()
      }
    })
  })
)
