// Liveness: this process runs, with its basic figures. Readiness: whether a load balancer should send requests to it.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Clock, Effect } from "effect"
import { probe } from "../../src/http/internal/RouteOptions.ts"
import { Environment } from "../../src/config/Environment.ts"
import { HealthChecks } from "../../src/observability/HealthChecks.ts"
import { type HealthResult, Readiness, run } from "../../src/observability/internal/HealthResult.ts"
import { ProcessInfo } from "../../src/observability/internal/ProcessInfo.ts"
import * as TextResponse from "../http/internal/TextResponse.ts"

const headers = { "cache-control": "no-store" }

const liveness = Effect.gen(function* () {
  const { memory, pid, uptime } = yield* ProcessInfo
  const now = yield* Clock.currentTimeMillis
  const body = { status: "ok", pid, uptime_seconds: uptime(), memory_bytes: memory(), timestamp: now / 1000 }
  return TextResponse.json(body, { headers })
})

/** `GET /health`: process id, uptime and memory as JSON. */
export const live = [probe(HttpLayerRouter.route("GET", "/health", liveness))]

// The route is public, so the response names only the part; the reason is logged.
const readiness = Effect.flatMap(Readiness, ({ check, part = "program" }) =>
  Effect.suspend(() => {
    let name = part
    const named = Effect.tapError(check, (failure) => Effect.sync(() => (name = failure.part)))
    return Effect.map(run({ name, check: named }), (result) => ({ ...result, name }))
  })
)

const added = Effect.flatMap(HealthChecks, ({ run }) => run)

const line = ({ figures = Effect.succeed({}), milliseconds, name, status }: HealthResult) =>
  Effect.map(figures, (read) => ({ name, status, duration_ms: milliseconds, ...read }))

const isVerbose = ({ url }: HttpServerRequest.HttpServerRequest): boolean => /[?&]verbose(?:[=&]|$)/.test(url)

/** Who may see the single checks. */
export interface Options<R> {
  readonly details: Effect.Effect<boolean, never, R>
}

const readyz = <R>({ details }: Options<R>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const isDetailed = isVerbose(request) && (yield* details)
    const [first, others] = yield* Effect.all([readiness, added], { concurrency: "unbounded" })
    const results = [first, ...others]
    const failed = results.find(({ status }) => status !== "ok")
    const checks = isDetailed ? { checks: yield* Effect.forEach(results, line, { concurrency: "unbounded" }) } : {}
    return failed === undefined
      ? TextResponse.json({ status: "ready", ...checks }, { headers })
      : TextResponse.json({ status: "unavailable", part: failed.name, ...checks }, { status: 503, headers })
  })

/**
 * `GET /readyz`, 200 or 503; `GET /readyz?verbose` has each check for those whom `details` lets see them.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { App } from "effect-framework"
 * import { Environment } from "effect-framework/config"
 * import { Health } from "effect-framework/routes/observability"
 * import { Pipeline } from "effect-framework/routes/server"
 *
 * // On staging, too, `/readyz?verbose` lists the checks.
 * const details = Effect.map(Environment.Environment, (name) => name !== "production")
 *
 * App.run({ name: "Teapots", pages: [], routes: Pipeline.stateless(Health.readyWith({ details })) })
 * ```
 */
export const readyWith = <R>(options: Options<R>) => [probe(HttpLayerRouter.route("GET", "/readyz", readyz(options)))]

/** `GET /readyz`, 200 or 503; each check with `?verbose` in development alone. */
export const ready = readyWith({ details: Effect.map(Environment, (name) => name === "development") })
