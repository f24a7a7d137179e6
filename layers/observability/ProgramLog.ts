// Writes log entries to standard error, one line each. Standard output is for request lines and the output of commands.
import { Effect, Layer, Logger } from "effect"
import { Environment } from "../../src/config/Environment.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as LogFormat from "../../src/observability/internal/LogFormat.ts"
import * as FileSources from "../errors/FileSources.ts"
import * as OutputStream from "./internal/OutputStream.ts"

/** Where the lines are written; standard error by default. */
export interface Options {
  readonly write?: (text: string) => void
}

/**
 * Writes the lines elsewhere.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { ProgramLog } from "effect-framework/layers/observability"
 *
 * // The lines that a program logs in production, for a test.
 * export const linesOf = <A, E, R>(program: Effect.Effect<A, E, R>) =>
 *   Effect.suspend(() => {
 *     const lines: Array<string> = []
 *     const log = ProgramLog.layerWith({ write: (line) => void lines.push(line) })
 *     return Effect.as(Effect.provide(program, Layer.provide(log, Environment.layerWith("production"))), lines)
 *   })
 * ```
 */
export const layerWith = (options: Options): Layer.Layer<never, never, Environment> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* OutputStream.ignoreErrors(process.stderr)
      // An error of the compiled program names the source file.
      const sources = yield* Effect.provide(Sources, FileSources.layer)
      const environment = yield* Environment
      const line = environment === "development" ? LogFormat.pretty : LogFormat.json
      const dropped = LogFormat.droppedLine(environment, LogFormat.channel)
      const { write = OutputStream.lines(process.stderr, dropped) } = options
      return Logger.replace(
        Logger.defaultLogger,
        Logger.make((entry) => write(`${line(entry, sources.locate)}\n`))
      )
    })
  )

/**
 * Replaces Effect's default logger: readable text in development, JSON in other environments.
 *
 * @example
 * ```ts
 * import { NodeRuntime } from "@effect/platform-node"
 * import { Effect, Layer } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { ProgramLog } from "effect-framework/layers/observability"
 *
 * const count = Effect.annotateLogs(Effect.log("The stock is counted"), "teas", 12)
 *
 * // A script whose lines look like those of the server.
 * const log = Layer.provide(ProgramLog.layer, Environment.layer)
 *
 * NodeRuntime.runMain(Effect.provide(count, log), { disablePrettyLogger: true })
 * ```
 */
export const layer: Layer.Layer<never, never, Environment> = layerWith({})
