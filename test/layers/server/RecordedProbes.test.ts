// Probes that are left out of the access log and of traces, on a real server.
import { HttpLayerRouter } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import * as NodeProcessInfo from "../../../layers/observability/NodeProcessInfo.ts"
import * as Health from "../../../routes/observability/Health.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { NotReady, Readiness } from "../../../src/observability/internal/HealthResult.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

type Needs = HttpLayerRouter.Route.Context<(typeof Health.live)[number] | (typeof Health.ready)[number]>

const routes: ReadonlyArray<HttpLayerRouter.Route<never, Needs>> = [
  ...Health.live,
  ...Health.ready,
  HttpLayerRouter.route("GET", "/tea", Effect.withSpan(Effect.succeed(Respond.text("Tea")), "Tea.brew"))
]

/** The database responds while `state.isUp`, with a span of its own. */
const readiness = (state: { isUp: boolean }) => {
  const down = new NotReady({ part: "database", reason: "down" })
  const check = Effect.suspend(() => (state.isUp ? Effect.void : down))
  return Layer.succeed(Readiness, { check: Effect.withSpan(check, "SELECT") })
}

const visited = Effect.fnUntraced(function* (recordProbes: boolean) {
  const lines: Array<string> = []
  const handled: Array<string> = []
  const state = { isUp: true }
  const spans = yield* Effect.gen(function* () {
    const { url } = yield* ServerAddress
    const events = yield* RequestEvents
    yield* events.listen({ handled: ({ route, status }) => void handled.push(`${status} ${route}`) })
    const get = (path: string) =>
      Effect.promise(() => fetch(`${url}${path}`).then((response) => response.text().then(() => response.status)))
    expect([yield* get("/health"), yield* get("/readyz"), yield* get("/tea")]).toEqual([200, 200, 200])
    state.isUp = false
    expect(yield* get("/readyz")).toBe(503)
    return yield* RecordedSpans.RecordedSpans
  }).pipe(
    Effect.scoped,
    Effect.provide(
      AccessLog.layerWith({ write: (text) => void lines.push(text) }).pipe(
        Layer.provideMerge(Serving.layer(routes, { recordProbes })),
        Layer.provide([readiness(state), HealthChecks.layer, NodeProcessInfo.layer]),
        Layer.provideMerge(RecordedSpans.layer)
      )
    )
  )
  // The server has ended: everything is written.
  const logged = lines.join("").trim().split("\n")
  const routesLogged = logged.map((line) => JSON.parse(line) as { route: string; status: number })
  return {
    logged: routesLogged.map(({ route, status }) => `${status} ${route}`),
    handled,
    spans: spans.map(({ name }) => name)
  }
})

const all = ["200 /health", "200 /readyz", "200 /tea", "503 /readyz"]

it.live("are in the access log and in traces by default", () =>
  Effect.gen(function* () {
    const { handled, logged, spans } = yield* visited(true)
    expect(handled).toEqual(all)
    expect(logged).toEqual(all)
    expect(spans).toEqual(expect.arrayContaining(["GET /health", "GET /readyz", "SELECT", "GET /tea", "Tea.brew"]))
  })
)

it.live("are in neither where RECORD_PROBES is 0, but counted, and logged when they fail", () =>
  Effect.gen(function* () {
    const { handled, logged, spans } = yield* visited(false)
    expect(handled).toEqual(all)
    expect(logged).toEqual(["200 /tea", "503 /readyz"])
    expect([...spans].sort()).toEqual(["GET /tea", "Tea.brew"])
  })
)
