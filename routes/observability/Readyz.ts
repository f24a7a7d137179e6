// Says whether this process can do its work: for the load balancer, which should not send people elsewhere to fail.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { Readiness } from "../../src/observability/Readiness.ts"
import * as Respond from "../http/Respond.ts"

const headers = { "cache-control": "no-store" }

const ready = Effect.flatMap(Readiness, ({ check }) =>
  check.pipe(
    Effect.as(Respond.json({ status: "ready" }, { headers })),
    // Anyone may ask, so the answer names the part and keeps the reason for the log.
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
