// Writes what a program logs to standard error, a line each. Standard output is for requests and for what commands print.
import { Effect, Layer, Logger } from "effect"
import { Environment } from "../../src/errors/Environment.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as LogFormat from "../../src/observability/LogFormat.ts"
import * as FileSources from "../errors/FileSources.ts"
import * as OutputStream from "./OutputStream.ts"

/** Where the lines go. */
export interface Options {
  readonly write?: (text: string) => void
}

/** The same lines, written elsewhere. */
export const layerWith = ({
  write = (text) => void process.stderr.write(text)
}: Options): Layer.Layer<never, never, Environment> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* OutputStream.ignoreErrors(process.stderr)
      // An error of the built program names the file that a person wrote.
      const sources = yield* Effect.provide(Sources, FileSources.layer)
      const line = (yield* Environment) === "development" ? LogFormat.pretty : LogFormat.json
      return Logger.replace(
        Logger.defaultLogger,
        Logger.make((entry) => write(`${line(entry, sources.locate)}\n`))
      )
    })
  )

/** For people in development, JSON elsewhere; in place of the logger that Effect comes with. */
export const layer: Layer.Layer<never, never, Environment> = layerWith({})
