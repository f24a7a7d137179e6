// Writes the line of each request to standard output, many at a time, so that no request waits for a terminal or a pipe.
import { Effect, Layer, Schedule } from "effect"
import { Environment } from "../../src/errors/Environment.ts"
import * as AccessLine from "../../src/observability/AccessLine.ts"
import { type Handled, RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as OutputStream from "./OutputStream.ts"

/** A reader that does not keep up loses lines, never memory. */
const mostWaiting = 10_000

/** Where the lines go. */
export interface Options {
  readonly write?: (text: string) => void
}

const make = ({ write = (text) => void process.stdout.write(text) }: Options) =>
  Effect.gen(function* () {
    const environment = yield* Environment
    const events = yield* RequestEvents
    let waiting: Array<string> = []
    let lost = 0
    const flush = Effect.sync(() => {
      if (waiting.length === 0) return
      if (lost > 0) waiting.push(`${lost} lines were lost`)
      write(`${waiting.join("\n")}\n`)
      waiting = []
      lost = 0
    })
    // Many requests end in one millisecond, and its text is the dearest part of a line.
    let now = 0
    let timestamp = ""
    const forPrograms = (event: Handled): string => {
      const current = Date.now()
      if (current !== now) {
        now = current
        timestamp = new Date(now).toISOString()
      }
      return AccessLine.json(event, timestamp)
    }
    const line = environment === "development" ? AccessLine.pretty : forPrograms
    yield* events.listen({
      handled: (event) => {
        if (waiting.length < mostWaiting) waiting.push(line(event))
        else lost++
      }
    })
    yield* OutputStream.ignoreErrors(process.stdout)
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(Effect.repeat(flush, Schedule.spaced("100 millis")))
  })

/** The same lines, written elsewhere. */
export const layerWith = (options: Options): Layer.Layer<never, never, Environment | RequestEvents> =>
  Layer.scopedDiscard(make(options))

/** Lines on standard output: for people in development, JSON elsewhere. */
export const layer = layerWith({})
