// Writes a line for each request to standard output, in batches, so that no request waits for a terminal or a pipe.
import { Effect, Layer } from "effect"
import { Environment } from "../../src/errors/Environment.ts"
import * as AccessLine from "../../src/observability/AccessLine.ts"
import * as DroppedLines from "../../src/observability/DroppedLines.ts"
import { type Handled, RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as OutputStream from "./OutputStream.ts"

/** Lines of a batch: one that is full is written at once. */
const maxPending = 10_000

/** Where the lines are written; standard output by default. */
interface Options {
  readonly write?: (text: string) => void
}

const make = (options: Options) =>
  Effect.gen(function* () {
    const environment = yield* Environment
    const dropped = DroppedLines.of(environment, AccessLine.channel)
    const { write = OutputStream.lines(process.stdout, dropped) } = options
    const events = yield* RequestEvents
    let pending: Array<string> = []
    // Open while lines wait. Without it an idle program is woken ten times a second, which was more than half of all that
    // its fibers did: 500 ms of the processor in half a minute instead of 190.
    const waiting = yield* Effect.makeLatch()
    const flush = () => {
      waiting.unsafeClose()
      if (pending.length === 0) return
      write(`${pending.join("\n")}\n`)
      pending = []
    }
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
        pending.push(line(event))
        if (pending.length >= maxPending) flush()
      }
    })
    yield* OutputStream.ignoreErrors(process.stdout)
    yield* Effect.addFinalizer(() => Effect.sync(flush))
    yield* Effect.forkScoped(
      Effect.forever(
        waiting.await.pipe(Effect.zipRight(Effect.sleep("100 millis")), Effect.zipRight(Effect.sync(flush)))
      )
    )
  })

/** Writes the lines elsewhere. */
export const layerWith = (options: Options): Layer.Layer<never, never, Environment | RequestEvents> =>
  Layer.scopedDiscard(make(options))

/** Lines on standard output: readable text in development, JSON in other environments. */
export const layer = layerWith({})
