// Makes the record of each exception in the background, and hands it to the receivers: the request only enqueues.
import { Effect, Fiber, Layer, Runtime } from "effect"
import { type ExceptionRecord, ExceptionRecords, type Receiver } from "../../src/errors/ExceptionRecords.ts"
import * as RecordLine from "../../src/errors/internal/RecordLine.ts"
import * as ReportLimits from "../../src/errors/internal/ReportLimits.ts"
import { type ReportContext, Reporters, type Secrets } from "../../src/errors/Reporters.ts"
import { Sources } from "../../src/errors/Sources.ts"
import { Throwable } from "../../src/errors/Throwable.ts"

/** The version and the queue. */
export interface Options {
  /** The version of the program, in each record. */
  readonly version?: string | undefined
  /** How many exceptions may wait, here and for each receiver; further ones are counted, and the count is a record. Default: 2,000. */
  readonly capacity?: number
}

interface Exception {
  readonly throwable: Throwable
  readonly context: ReportContext
  readonly secrets: Secrets
  readonly at: number
  /** When it was enqueued, in milliseconds of `performance.now()`. */
  readonly since: number
}

// A record is in the file after 250 ms: a batch begins after the first wait, and waits for a source map up to the second.
const delay = 20
const patience = 120
const opensAfter = 1000

// What is read in one turn of the event loop: a part of what waits, so that requests come first and no queue grows.
const turn = (waiting: number): number => Math.max(32, Math.ceil(waiting / 4))

// Real time, whichever clock the program has.
const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), milliseconds)
    return Effect.sync(() => clearTimeout(timer))
  })

const nextTurn: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

/** What waits for one receiver. */
interface Outbox {
  readonly push: (records: ReadonlyArray<ExceptionRecord>) => void
  readonly settle: Effect.Effect<void>
}

const make = ({ capacity = 2_000, version }: Options) =>
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const sources = yield* Sources
    const clock = yield* Effect.clock
    const runtime = yield* Effect.runtime<never>()
    const maker = RecordLine.maker(sources, version)
    const outboxes = new Set<Outbox>()
    const waiting: Array<Exception> = []
    let lost = 0
    let draining: Fiber.RuntimeFiber<void> | undefined

    const dropped = (count: number): ExceptionRecord => {
      const message = `${count} exceptions were not logged: they arrived faster than they could be written.`
      return maker.make(new Throwable({ _tag: "Dropped", message }), {}, clock.unsafeCurrentTimeMillis())
    }

    const outbox = (receiver: Receiver): Outbox => {
      let records: Array<ExceptionRecord> = []
      let lost = 0
      let running: Fiber.RuntimeFiber<void> | undefined
      const deliver = Effect.gen(function* () {
        while (records.length > 0) {
          const batch = lost === 0 ? records : [...records, dropped(lost)]
          records = []
          lost = 0
          yield* received(receiver, batch)
        }
        running = undefined
      })
      return {
        push: (made) => {
          const free = capacity - records.length
          records.push(...made.slice(0, free))
          lost += Math.max(0, made.length - free)
          running ??= Runtime.runFork(runtime, deliver)
        },
        settle: Effect.suspend(() => (running === undefined ? Effect.void : Fiber.await(running)))
      }
    }

    const recordsOf = (exceptions: ReadonlyArray<Exception>, isMapped: boolean): Array<ExceptionRecord> =>
      exceptions.map(({ at, context, secrets, throwable }) => maker.make(throwable, context, at, secrets(), isMapped))

    // Made again once the source maps are open that the first ones asked for, unless that takes too long.
    const inTime = Effect.fnUntraced(function* (exceptions: ReadonlyArray<Exception>) {
      const records = recordsOf(exceptions, true)
      const opening = Runtime.runFork(runtime, sources.opened ?? Effect.void)
      if (opening.unsafePoll() !== null) return records
      const left = patience - (performance.now() - (exceptions[0]?.since ?? 0))
      const isMapped = yield* Effect.raceFirst(Effect.as(Fiber.join(opening), true), Effect.as(pause(left), false))
      maker.forget()
      return recordsOf(exceptions, isMapped)
    })

    const batch = Effect.gen(function* () {
      const records = yield* inTime(waiting.splice(0, turn(waiting.length)))
      if (lost > 0) records.push(dropped(lost))
      lost = 0
      for (const { push } of outboxes) push(records)
    })

    const drain = Effect.gen(function* () {
      yield* pause(delay)
      while (waiting.length > 0) {
        yield* batch
        yield* nextTurn
      }
      draining = undefined
    })

    // Synchronous and cheap: it runs in the request.
    const enqueue = (throwable: Throwable, context: ReportContext, secrets: Secrets): void => {
      if (outboxes.size === 0) return
      const at = clock.unsafeCurrentTimeMillis()
      if (waiting.length >= capacity) lost++
      else waiting.push({ throwable, context, secrets, at, since: performance.now() })
      draining ??= Runtime.runFork(runtime, drain)
    }

    const flush = Effect.suspend(() => (draining === undefined ? Effect.void : Fiber.await(draining))).pipe(
      Effect.zipRight(Effect.suspend(() => Effect.forEach([...outboxes], ({ settle }) => settle, { discard: true })))
    )

    // That of the program itself is most likely the first: opened before anything fails, but after the start.
    const openFirst = Effect.sync(() => void sources.locate({ file: process.argv[1] ?? "", line: 1, column: 1 }))
    yield* Effect.forkScoped(Effect.zipRight(pause(opensAfter), openFirst))
    yield* reporters.add(enqueue, flush)
    return ExceptionRecords.of({
      add: (receiver) =>
        Effect.asVoid(
          Effect.acquireRelease(
            Effect.sync(() => {
              const added = outbox(receiver)
              outboxes.add(added)
              return added
            }),
            (added) =>
              Effect.ensuring(
                flush,
                Effect.sync(() => outboxes.delete(added))
              )
          )
        )
    })
  })

// A receiver that throws, fails or hangs affects nothing else.
const received = (receiver: Receiver, records: ReadonlyArray<ExceptionRecord>): Effect.Effect<void> =>
  Effect.suspend(() => receiver(records) ?? Effect.void).pipe(
    Effect.interruptible,
    Effect.disconnect,
    Effect.timeoutOption(ReportLimits.timeout),
    Effect.catchAllCause(() => Effect.void),
    Effect.asVoid
  )

/** The records of the exceptions that are reported below it. */
export const layerWith = (options: Options): Layer.Layer<ExceptionRecords, never, Reporters | Sources> =>
  Layer.scoped(ExceptionRecords, make(options))

/** The records, without a version. */
export const layer: Layer.Layer<ExceptionRecords, never, Reporters | Sources> = layerWith({})
