// Liveness: this process runs, with its basic figures.
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

/** `GET /health`: process id, uptime and memory as JSON. */
export const routes = [HttpLayerRouter.route("GET", "/health", health)]
