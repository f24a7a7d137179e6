// Writes a line for each request to standard output, in batches, so that no request waits for a terminal or a pipe.
import { Effect, Layer } from "effect"
import { Environment } from "../../src/config/Environment.ts"
import { droppedLine, requestChannel, requestJson, requestPretty } from "../../src/observability/internal/LogFormat.ts"
import { type Handled, RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as OutputStream from "./internal/OutputStream.ts"

/** Lines of a batch: one that is full is written at once, in a quarter of a millisecond, and before V8 keeps it for long. */
const maxPending = 128

/** Where the lines are written; standard output by default. */
export interface Options {
  readonly write?: (text: string) => void
}

type Line = (event: Handled, offset: number) => string

/** Lines with the time at which the response ended: the clock of the events and the offset of the system's clock from it. */
const jsonLines = (): Line => {
  // Formatting the time is the most expensive part of a line, and many requests end in the same millisecond.
  let now = 0
  let timestamp = ""
  return (event: Handled, offset: number): string => {
    const ended = Math.floor(event.at + (event.lasted ?? event.duration) * 1000 + offset)
    if (ended !== now) {
      now = ended
      timestamp = new Date(ended).toISOString()
    }
    return requestJson(event, timestamp)
  }
}

const make = (options: Options) =>
  Effect.gen(function* () {
    const environment = yield* Environment
    const dropped = droppedLine(environment, requestChannel)
    const { write = OutputStream.lines(process.stdout, dropped) } = options
    const events = yield* RequestEvents
    let pending: Array<Handled> = []
    // Open while lines wait. Without it an idle program is woken ten times a second, which was more than half of all that
    // its fibers did: 500 ms of the processor in half a minute instead of 190.
    const waiting = yield* Effect.makeLatch()
    const line: Line = environment === "development" ? requestPretty : jsonLines()
    // A batch is formatted when it is written: 3 % of the processor time of a small response on a Neoverse-N1 less than
    // line by line, between everything else that a request runs.
    const flush = () => {
      waiting.unsafeClose()
      if (pending.length === 0) return
      // Read for each batch: the system's clock may be set while the program runs.
      const offset = Date.now() - performance.now()
      const batch = pending
      pending = []
      let text = ""
      for (const event of batch) text += `${line(event, offset)}\n`
      write(text)
    }
    const add = (event: Handled) => {
      if (event.isQuiet === true && event.status !== undefined && event.status < 400) return
      if (pending.length === 0) waiting.unsafeOpen()
      pending.push(event)
      if (pending.length >= maxPending) flush()
    }
    yield* events.listen({ handled: add, closed: add })
    yield* OutputStream.ignoreErrors(process.stdout)
    yield* Effect.addFinalizer(() => Effect.sync(flush))
    yield* Effect.forkScoped(
      Effect.forever(
        waiting.await.pipe(Effect.zipRight(Effect.sleep("100 millis")), Effect.zipRight(Effect.sync(flush)))
      )
    )
  })

/**
 * Writes the lines elsewhere.
 *
 * @example
 * ```ts
 * import { AccessLog } from "effect-framework/layers/observability"
 *
 * // For a program whose standard output is read by another one.
 * export const requests = AccessLog.layerWith({ write: (text) => void process.stderr.write(text) })
 * ```
 */
export const layerWith = (options: Options): Layer.Layer<never, never, Environment | RequestEvents> =>
  Layer.scopedDiscard(make(options))

/** Lines on standard output: readable text in development, JSON in other environments. */
export const layer = layerWith({})
