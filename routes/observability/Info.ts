// What runs here: the program, its versions, and since when.
import { HttpLayerRouter } from "@effect/platform"
import { Clock, Effect } from "effect"
import { Environment } from "../../src/config/Environment.ts"
import { ProcessInfo } from "../../src/observability/internal/ProcessInfo.ts"
import { VERSION } from "../../src/config/internal/Version.ts"
import * as TextResponse from "../http/internal/TextResponse.ts"

/** The program, as it was built. */
export interface Build {
  readonly name: string
  readonly version: string
  /** Anything else that tells builds apart, such as a commit. */
  readonly details?: Readonly<Record<string, string>>
}

/**
 * The versions of the program, of the framework and of Node, and the uptime: for a route behind a guard.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Access } from "effect-framework/routes/auth"
 * import { Info } from "effect-framework/routes/observability"
 *
 * const info = Info.handler({ name: "teapots", version: "1.2.3" })
 *
 * // Among the `pages` of a program: a version helps those who look for a hole in it.
 * export const route = HttpLayerRouter.route("GET", "/info", Access.requireUser(info))
 * ```
 */
export const handler = ({ details, name, version }: Build) =>
  Effect.gen(function* () {
    const { uptime } = yield* ProcessInfo
    const environment = yield* Environment
    const now = yield* Clock.currentTimeMillis
    const seconds = uptime()
    const body = {
      name,
      version,
      ...details,
      framework: VERSION,
      node: process.version,
      environment,
      started: new Date(now - seconds * 1000).toISOString(),
      uptime_seconds: seconds
    }
    return TextResponse.json(body, { headers: { "cache-control": "no-store" } })
  })

/**
 * `GET /info` for everyone who reaches it.
 *
 * @example
 * ```ts
 * import { App } from "effect-framework"
 * import { Info } from "effect-framework/routes/observability"
 * import { Pipeline } from "effect-framework/routes/server"
 *
 * // For a program in a private network.
 * const info = Info.routes({ name: "teapots", version: "1.2.3", details: { commit: "4f2a9c1" } })
 *
 * App.run({ name: "Teapots", pages: [], routes: Pipeline.stateless(info) })
 * ```
 */
export const routes = (build: Build) => [HttpLayerRouter.route("GET", "/info", handler(build))]
