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

/** Writes the lines elsewhere. */
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

/** Replaces Effect's default logger: readable text in development, JSON in other environments. */
export const layer: Layer.Layer<never, never, Environment> = layerWith({})
