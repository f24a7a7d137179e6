// Makes the record of each exception in the background, and hands it to the receivers: the request only enqueues.
import { Effect, Layer } from "effect"
import { readdirSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"
import { type ExceptionRecord, ExceptionRecords, type Receiver } from "../../src/errors/ExceptionRecords.ts"
import * as RecordLine from "../../src/errors/internal/RecordLine.ts"
import * as ReportLimits from "../../src/errors/internal/ReportLimits.ts"
import { type ReportContext, Reporters, type Secrets } from "../../src/errors/Reporters.ts"
import { Sources } from "../../src/errors/Sources.ts"
import { Throwable } from "../../src/errors/Throwable.ts"
import * as SourceMapFile from "./internal/SourceMapFile.ts"

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

/** A record, and its exception if a source map may be missing from it. */
interface Made {
  readonly record: ExceptionRecord
  readonly exception?: Exception
}

// A record is in the file after 250 ms: a batch begins after the first wait, and waits for a source map up to the second.
const delay = 20
const patience = 120
// While the program ends, nothing else has to be done.
const lastPatience = 5000

// How long they are read in one turn of the event loop, so that no request waits for long; what is late is read at once.
const slice = 5
const late = 100

// Real time, whichever clock the program has.
const pause = (milliseconds: number): Effect.Effect<void> =>
  Effect.async((resume) => {
    const timer = setTimeout(() => resume(Effect.void), milliseconds)
    return Effect.sync(() => clearTimeout(timer))
  })

const nextTurn: Effect.Effect<void> = Effect.async((resume) => void setImmediate(() => resume(Effect.void)))

const mostFiles = 200

// The bundle that runs, and the files that it was split into, where they have maps whose indexes the build has not written.
const builtFiles = (): ReadonlyArray<string> => {
  try {
    const folder = dirname(realpathSync(process.argv[1] ?? ""))
    const names = new Set(readdirSync(folder))
    const built = [...names].filter((name) => names.has(`${name}.map`) && !names.has(name + SourceMapFile.extension))
    return built.slice(0, mostFiles).map((name) => join(folder, name))
  } catch {
    return []
  }
}

/** Work that a fiber does whenever there is some. */
const whenever = Effect.fnUntraced(function* (work: Effect.Effect<void>) {
  const wanted = yield* Effect.makeLatch(false)
  const idle = yield* Effect.makeLatch(true)
  let isWanted = false
  const take = Effect.sync(() => {
    isWanted = false
    wanted.unsafeClose()
  })
  const rest = Effect.sync(() => (isWanted ? undefined : idle.unsafeOpen()))
  // Interruptible, also where the layer is built in a region that is not.
  const working = Effect.forever(Effect.all([wanted.await, take, work, rest], { discard: true }))
  yield* Effect.forkScoped(Effect.interruptible(working))
  yield* Effect.addFinalizer(() => idle.await)
  // Synchronous: it is called in a request.
  const begin = (): void => {
    if (isWanted) return
    isWanted = true
    idle.unsafeClose()
    wanted.unsafeOpen()
  }
  return { begin, idle: idle.await }
})

/** What waits for one receiver. */
interface Outbox {
  /** Takes records, and the number of those that were lost before. */
  readonly push: (records: ReadonlyArray<ExceptionRecord>, lost: number) => void
  readonly idle: Effect.Effect<void>
}

const make = ({ capacity = 2_000, version }: Options) =>
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const sources = yield* Sources
    const clock = yield* Effect.clock
    let isLocated = false
    const locate: typeof sources.locate = (place) => {
      isLocated = true
      return sources.locate(place)
    }
    const maker = RecordLine.maker({ ...sources, locate }, version)
    const outboxes = new Set<Outbox>()
    const waiting: Array<Exception> = []
    const made: Array<Made> = []
    let lost = 0
    let flushing = 0

    const dropped = (count: number): ExceptionRecord => {
      const message = `${count} exceptions were not logged: they arrived faster than they could be written.`
      return maker.make(new Throwable({ _tag: "Dropped", message }), {}, clock.unsafeCurrentTimeMillis())
    }

    const open = Effect.fnUntraced(function* (receiver: Receiver) {
      let records: Array<ExceptionRecord> = []
      let lost = 0
      const deliver = Effect.suspend(() => {
        const batch = lost === 0 ? records : [...records, dropped(lost)]
        records = []
        lost = 0
        return received(receiver, batch)
      })
      const { begin, idle } = yield* whenever(deliver)
      const push: Outbox["push"] = (made, missing) => {
        const free = capacity - records.length
        records.push(...made.slice(0, free))
        lost += missing + Math.max(0, made.length - free)
        begin()
      }
      return { push, idle }
    })

    const unreadable = new Throwable({ _tag: "Unreadable", message: "The exception cannot be read." })
    const recordOf = ({ at, context, secrets, throwable }: Exception, isMapped = true): ExceptionRecord => {
      try {
        return maker.make(throwable, context, at, secrets(), isMapped)
      } catch {
        return maker.make(unreadable, context, at, [], isMapped)
      }
    }

    // Read at the end of its turn: what waits longer is copied by the collector, and a request hangs on it.
    let isReading = false
    const read = (): void => {
      const until = performance.now() + slice
      let next = 0
      for (; next < waiting.length; next++) {
        const exception = waiting[next]
        if (exception === undefined || (performance.now() > until && exception.since > until - late)) break
        isLocated = false
        const record = recordOf(exception)
        // The places of stacks that are known have been looked up in open maps.
        made.push(isLocated && sources.opened !== undefined ? { record, exception } : { record })
      }
      waiting.splice(0, next)
      isReading = waiting.length > 0
      if (isReading) setImmediate(read)
    }

    // Made again once the source maps are open that they asked for, unless that takes too long.
    const inTime = Effect.fnUntraced(function* (some: ReadonlyArray<Made>) {
      const records = some.map(({ record }) => record)
      const first = some.find(({ exception }) => exception !== undefined)?.exception
      if (sources.opened === undefined || first === undefined) return records
      const left = (flushing > 0 ? lastPatience : patience) - (performance.now() - first.since)
      const opened = yield* Effect.raceFirst(sources.opened, Effect.as(pause(left), "late" as const))
      if (opened === false) return records
      maker.forget()
      const again = some.map(({ exception, record }) =>
        exception === undefined ? record : recordOf(exception, opened === true)
      )
      if (opened !== true) maker.forget()
      return again
    })

    // At most so many of those that wait; how many it were.
    const batch = Effect.fnUntraced(function* (most: number) {
      if (made.length === 0) read()
      const some = made.splice(0, most)
      const records = yield* inTime(some)
      for (const { push } of outboxes) push(records, lost)
      lost = 0
      yield* nextTurn
      return some.length
    })

    // What arrives meanwhile begins another wait: a batch for each turn of a busy event loop costs as much as its records.
    const { begin, idle } = yield* whenever(
      Effect.gen(function* () {
        yield* pause(delay)
        for (let left = made.length + waiting.length; left > 0;) left -= yield* batch(left)
      })
    )

    // Synchronous and cheap: it runs in the request.
    const enqueue = (throwable: Throwable, context: ReportContext, secrets: Secrets): void => {
      if (outboxes.size === 0) return
      const at = clock.unsafeCurrentTimeMillis()
      if (made.length + waiting.length >= capacity) lost++
      else waiting.push({ throwable, context, secrets, at, since: performance.now() })
      if (!isReading) setImmediate(read)
      isReading = true
      begin()
    }

    const delivered = Effect.suspend(() => Effect.forEach([...outboxes], ({ idle }) => idle, { discard: true }))
    const flush = Effect.acquireUseRelease(
      Effect.sync(() => flushing++),
      () => Effect.zipRight(idle, delivered),
      () => Effect.sync(() => flushing--)
    )

    // Before anything fails, but without a wait: the program starts meanwhile.
    for (const file of builtFiles()) sources.locate({ file, line: 1, column: 1 })
    yield* reporters.add(enqueue, flush)
    return ExceptionRecords.of({
      add: (receiver) =>
        Effect.flatMap(open(receiver), (outbox) =>
          Effect.acquireRelease(
            Effect.sync(() => void outboxes.add(outbox)),
            () =>
              Effect.zipRight(
                idle,
                Effect.sync(() => outboxes.delete(outbox))
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
