// Collects records and sends them in batches. At most a fixed number wait, however long the collector is away.
import { Duration, Effect, Fiber, Metric, Option, Queue } from "effect"
import type { ExportFailed, ExportSummary, Signal } from "../../../src/observability/MetricsExporter.ts"
import { isRetryable } from "../../../src/observability/internal/export/OtlpResponse.ts"

interface Options<A> {
  /** For the log: `spans`, `log records`. */
  readonly name: string
  /** For the metric of the dropped ones. */
  readonly signal: Signal
  /** How long a record waits for others. */
  readonly delay: Duration.DurationInput
  readonly send: (records: ReadonlyArray<A>) => Effect.Effect<ExportSummary, ExportFailed>
  /** How many may wait; further ones are dropped and counted. */
  readonly capacity?: number
  readonly batch?: number
  /** How long the last ones may take once the program stops. */
  readonly deadline?: Duration.DurationInput
}

// An Effect `Metric`: what is exported stands below our own registry.
const droppedTotal = Metric.counter("telemetry_dropped_total", {
  description: "Spans and log records that no collector has accepted, by signal",
  incremental: true
})

/** Accepts a record, synchronously and at once. */
type Push<A> = (record: A) => void

/** Sends until the scope closes, and then what is left. */
export const make = <A>({
  batch = 512,
  capacity = 2048,
  deadline = "5 seconds",
  delay,
  name,
  send,
  signal
}: Options<A>) =>
  Effect.gen(function* () {
    // The records of a batch stay here until the collector has them.
    const waiting: Array<A> = []
    const full = yield* Queue.sliding<void>(1)
    let lost = 0
    const dropped = Metric.tagged(droppedTotal, "signal", signal)
    const drop = (count: number) => {
      lost += count
      dropped.unsafeUpdate(count, [])
    }
    drop(0)
    let isFailing = false
    let isStopping = false

    const complain = (reason: string) => {
      if (isFailing) return Effect.void
      isFailing = true
      return Effect.logWarning(`The collector does not accept ${name}: ${reason}`)
    }

    const recovered = Effect.suspend(() => {
      const gone = lost
      const wasFailing = isFailing
      lost = 0
      isFailing = false
      if (gone > 0) return Effect.logWarning(`${gone} ${name} were dropped`)
      return wasFailing ? Effect.logInfo(`The collector accepts ${name} again`) : Effect.void
    })

    const accepted = (count: number, { message, rejected }: ExportSummary) => {
      waiting.splice(0, count)
      if (rejected > 0) dropped.unsafeUpdate(rejected, [])
      return rejected > 0 ? complain(`${rejected} were rejected ${message}`) : recovered
    }

    /** Whether the rest may be sent now. */
    const failed = (count: number, failure: ExportFailed) => {
      const refused = !isRetryable(failure)
      if (refused) {
        waiting.splice(0, count)
        drop(count)
      }
      return Effect.as(complain(failure.message), refused)
    }

    const sendBatch = Effect.suspend(() => {
      const records = waiting.slice(0, batch)
      return Effect.matchEffect(send(records), {
        onFailure: (failure) => failed(records.length, failure),
        onSuccess: (summary) => Effect.as(accepted(records.length, summary), true)
      })
    })

    const drain: Effect.Effect<void> = Effect.suspend(() =>
      waiting.length === 0 ? Effect.void : Effect.flatMap(sendBatch, (goesOn) => (goesOn ? drain : Effect.void))
    )

    const loop = Queue.take(full).pipe(
      Effect.timeoutOption(delay),
      Effect.zipRight(drain),
      Effect.repeat({ until: () => isStopping })
    )
    const half = Duration.unsafeDivide(deadline, 2)
    const withinHalf = <B>(work: Effect.Effect<B>) =>
      work.pipe(Effect.disconnect, Effect.interruptible, Effect.timeoutOption(half))
    const fiber = yield* Effect.forkDaemon(Effect.interruptible(loop))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        isStopping = true
        full.unsafeOffer(undefined)
        // A batch on its way is awaited first: interrupted at once and sent again, the collector would have it twice.
        yield* withinHalf(Fiber.await(fiber))
        yield* Fiber.interrupt(fiber)
        const done = yield* withinHalf(drain)
        dropped.unsafeUpdate(waiting.length, [])
        const left = waiting.length + lost
        if (Option.isNone(done) || left > 0) yield* Effect.logWarning(`${left} ${name} were not sent`)
      })
    )

    const push: Push<A> = (record) => {
      if (waiting.length >= capacity) drop(1)
      else if (waiting.push(record) === batch) full.unsafeOffer(undefined)
    }
    return push
  })
