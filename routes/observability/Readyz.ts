// Readiness: whether a load balancer should send requests to this process.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { Readiness } from "../../src/observability/Readiness.ts"
import * as Respond from "../http/Respond.ts"

const headers = { "cache-control": "no-store" }

const ready = Effect.flatMap(Readiness, ({ check }) =>
  check.pipe(
    Effect.as(Respond.json({ status: "ready" }, { headers })),
    // The route is public, so the response names only the part; the reason is logged.
    Effect.catchTag("NotReady", (failure) =>
      Effect.as(
        Effect.logWarning(failure.message),
        Respond.json({ status: "unavailable", part: failure.part }, { status: 503, headers })
      )
    )
  )
)

/** `GET /readyz`, 200 or 503. */
export const routes = [HttpLayerRouter.route("GET", "/readyz", ready)]
