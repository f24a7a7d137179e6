// A program: its pages with everything around them, started as this process with the commands of its deployment.
import { Effect, Layer } from "effect"
import * as RunMain from "../layers/errors/RunMain.ts"
import { configured } from "./Configured.ts"
import type { Compared, Parts, PipedRoutes, Routes } from "./Parts.ts"
import type { Options, Program } from "./Program.ts"
import { serve } from "./Serve.ts"

export type { RequestStates } from "../src/http/internal/RequestState.ts"

export { CurrentConfig } from "./Program.ts"
export type { Alone, MissingService, Parts, Replacements, Served, UnguardedPage } from "./Parts.ts"
export type { Command, CommandServices, ExportSource, Options, Program } from "./Program.ts"

/**
 * The program of these parts, for a file that `App.run` loads: `export const { layer, migrations } = App.make({ … })`.
 * Nothing is opened until its layer is built.
 */
export const make = <Pages extends Routes, Services, Piped extends PipedRoutes = []>(
  parts: Parts<Pages, Piped, Services>
): Program<unknown> => {
  // A boundary of the type system: `Accepted` has compared the services with the routes that need them.
  const compared = parts as unknown as Compared
  // The supervisor of several workers builds no layer, and so loads none of it.
  const assembly = Effect.promise(() => import("./Assembly.ts"))
  return {
    ...parts,
    layer: (settings) => Layer.unwrapEffect(Effect.map(assembly, (Assembly) => Assembly.layer(compared, settings))),
    worker: (settings, concurrency) =>
      Layer.unwrapEffect(Effect.map(assembly, (Assembly) => Assembly.worker(compared, settings, concurrency)))
  }
}

/** A program of parts that are there when it starts. */
type Eager<Pages extends Routes, Piped extends PipedRoutes, Services> = Parts<Pages, Piped, Services> &
  Omit<Options<unknown, unknown, unknown>, "app"> & { readonly app?: never }

/** A program that is loaded by the processes that serve it. */
export interface Lazy extends Options<unknown, unknown, unknown> {
  readonly pages?: never
}

// Serves without arguments. Help and unknown arguments read no setting and open nothing. The result is the exit status.
const execute = <E, E2, E3>(options: Options<E, E2, E3>, args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    if (args.length === 0) return yield* configured(options, (settings) => serve(settings, options))
    // The parser takes 8 MiB and a fifth of the time in which the modules are loaded: a server does without it.
    const { executeCommand } = yield* Effect.promise(() => import("./CommandLine.ts"))
    return yield* executeCommand(options, args)
  })

/**
 * Runs the program as this process. Without arguments it serves, with several `WORKERS` under a supervisor; its commands
 * are `migrate`, `doctor`, `queue`, `ship`, `keys`, `factors`, `log`, `errors`, `export` and the program's own. A failed start is one line,
 * with status 255.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { App } from "effect-framework"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const tea = HttpLayerRouter.route("GET", "/tea", Effect.succeed(Respond.text("Tea")))
 *
 * App.run({ name: "Teapots", pages: [tea] })
 *
 * // The supervisor of several workers does not load the pages.
 * // App.run({ name: "Teapots", app: () => import("./Teapots.ts") })
 * ```
 */
export const run = <Pages extends Routes, Services, Piped extends PipedRoutes = []>(
  options: Eager<Pages, Piped, Services> | Lazy
): void => {
  const program: Options<unknown, unknown, unknown> =
    options.app === undefined ? { ...options, app: async () => make(options) } : options
  const args = process.argv.slice(2)
  // What ends a server is a line of the log like all others, also while it starts.
  RunMain.run(
    Effect.map(execute(program, args), (status) => void (process.exitCode = status)),
    { json: args.length === 0 && process.env["FRAMEWORK_ENVIRONMENT"] !== "development" }
  )
}
