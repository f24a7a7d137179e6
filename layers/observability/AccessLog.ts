// Writes a line for each request to standard output, in batches, so that no request waits for a terminal or a pipe.
import { Effect, Layer } from "effect"
import { Environment } from "../../src/errors/Environment.ts"
import * as AccessLine from "../../src/observability/AccessLine.ts"
import { type Handled, RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as OutputStream from "./OutputStream.ts"

/** Lines that may wait for the next batch. Beyond it lines are dropped. */
const maxPending = 10_000

/** Where the lines are written; standard output by default. */
interface Options {
  readonly write?: (text: string) => void
}

const make = ({ write = OutputStream.lines(process.stdout) }: Options) =>
  Effect.gen(function* () {
    const environment = yield* Environment
    const events = yield* RequestEvents
    let pending: Array<string> = []
    let dropped = 0
    // Open while lines wait. Without it an idle program is woken ten times a second, which was more than half of all that
    // its fibers did: 500 ms of the processor in half a minute instead of 190.
    const waiting = yield* Effect.makeLatch()
    const flush = Effect.sync(() => {
      waiting.unsafeClose()
      if (pending.length === 0) return
      if (dropped > 0) pending.push(`${dropped} lines were dropped`)
      write(`${pending.join("\n")}\n`)
      pending = []
      dropped = 0
    })
    // Formatting the time is the most expensive part of a line, and many requests end in the same millisecond.
    let now = 0
    let timestamp = ""
    const jsonLine = (event: Handled): string => {
      const current = Date.now()
      if (current !== now) {
        now = current
        timestamp = new Date(now).toISOString()
      }
      return AccessLine.json(event, timestamp)
    }
    const line = environment === "development" ? AccessLine.pretty : jsonLine
    yield* events.listen({
      handled: (event) => {
        if (pending.length === 0) waiting.unsafeOpen()
        if (pending.length < maxPending) pending.push(line(event))
        else dropped++
      }
    })
    yield* OutputStream.ignoreErrors(process.stdout)
    yield* Effect.addFinalizer(() => flush)
    yield* Effect.forkScoped(
      Effect.forever(waiting.await.pipe(Effect.zipRight(Effect.sleep("100 millis")), Effect.zipRight(flush)))
    )
  })

/** Writes the lines elsewhere. */
export const layerWith = (options: Options): Layer.Layer<never, never, Environment | RequestEvents> =>
  Layer.scopedDiscard(make(options))

/** Lines on standard output: readable text in development, JSON in other environments. */
export const layer = layerWith({})
