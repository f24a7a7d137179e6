// Writes what a program logs to standard error, a line each. Standard output is for requests and for what commands print.
import { Effect, Layer, Logger } from "effect"
import { Environment } from "../../src/errors/Environment.ts"
import * as ProgramLine from "../../src/observability/ProgramLine.ts"

/** Where the lines go. */
export interface Options {
  readonly write?: (text: string) => void
}

// A reader of the log that went away is no reason to stop serving.
const ignore = () => undefined

const reader = Effect.acquireRelease(
  Effect.sync(() => process.stderr.on("error", ignore)),
  () => Effect.sync(() => process.stderr.off("error", ignore))
)

/** The same lines, written elsewhere. */
export const layerWith = ({
  write = (text) => void process.stderr.write(text)
}: Options): Layer.Layer<never, never, Environment> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      yield* reader
      const line = (yield* Environment) === "development" ? ProgramLine.forPeople : ProgramLine.forPrograms
      return Logger.replace(
        Logger.defaultLogger,
        Logger.make((entry) => write(`${line(entry)}\n`))
      )
    })
  )

/** For people in development, JSON elsewhere; in place of the logger that Effect comes with. */
export const layer: Layer.Layer<never, never, Environment> = layerWith({})
