// Says that this process is up, and how it is.
import { HttpLayerRouter } from "@effect/platform"
import { Clock, Effect } from "effect"
import { ProcessInfo } from "../../src/observability/ProcessInfo.ts"
import * as Respond from "../http/Respond.ts"

const health = Effect.gen(function* () {
  const { memory, pid, uptime } = yield* ProcessInfo
  const now = yield* Clock.currentTimeMillis
  const body = { status: "ok", pid, uptime_seconds: uptime(), memory_bytes: memory(), timestamp: now / 1000 }
  return Respond.json(body, { headers: { "cache-control": "no-store" } })
})

/** `GET /health`, answered with the vitals as JSON. */
export const routes = [HttpLayerRouter.route("GET", "/health", health)]
