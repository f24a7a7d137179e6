// Writes exceptions to a file, one line each, in the background: the request only enqueues the throwable.
import { Chunk, Deferred, Effect, Layer, Queue } from "effect"
import { Environment } from "../../src/config/Environment.ts"
import * as LogLine from "../../src/errors/internal/LogLine.ts"
import { type ReportContext, Reporters, type Secrets } from "../../src/errors/Reporters.ts"
import { Sources } from "../../src/errors/Sources.ts"
import { Throwable } from "../../src/errors/Throwable.ts"
import * as RotatedFile from "./internal/RotatedFile.ts"

/** The file, its rotation and the queue. */
export interface Options {
  readonly path: string
  /** Bytes after which the file is rotated. Default: 5 MiB. */
  readonly size?: number
  /** How many rotated files are kept. Default: 5. */
  readonly keep?: number
  /** The capacity of the queue; further exceptions are counted and the count is logged. Default: 2,000. */
  readonly capacity?: number
}

interface Exception {
  readonly _tag: "Exception"
  readonly throwable: Throwable
  readonly context: ReportContext
  readonly secrets: Secrets
  readonly at: number
}

/** Completed when everything before it is written. */
interface Mark {
  readonly _tag: "Mark"
  readonly reached: Deferred.Deferred<void>
}

type Item = Exception | Mark

// Reading stacks competes with requests: small batches, and at most a twentieth of the time while more are waiting.
const batch = 32
const share = 19

const make = ({ capacity = 2_000, keep = 5, path, size = 5 * 1024 * 1024 }: Options) =>
  Effect.gen(function* () {
    const reporters = yield* Reporters
    const sources = yield* Sources
    const clock = yield* Effect.clock
    const queue = yield* Queue.unbounded<Item>()
    let waiting = 0
    let lost = 0
    let marks = 0
    let isFailing = false

    const lineOf = ({ at, context, secrets, throwable }: Exception): LogLine.Line =>
      LogLine.of(throwable, context, at, sources, secrets())

    const linesOf = (exceptions: ReadonlyArray<Exception>, at: number): ReadonlyArray<LogLine.Line> => {
      const dropped = lost
      lost = 0
      const lines = exceptions.map(lineOf)
      if (dropped === 0) return lines
      const message = `${dropped} exceptions were not logged: they arrived faster than they could be written.`
      const throwable = new Throwable({ _tag: "Dropped", message })
      return [...lines, lineOf({ _tag: "Exception", throwable, context: {}, secrets: () => [], at })]
    }

    // A full disk or a folder without rights must not hide an exception: the log of the program has it then.
    const logInstead = Effect.fnUntraced(function* (lines: ReadonlyArray<LogLine.Line>, error: unknown) {
      if (!isFailing) yield* Effect.logError("The log of exceptions cannot be written; they are logged here", error)
      isFailing = true
      yield* Effect.forEach(lines, logged, { discard: true })
    })

    const write = (lines: ReadonlyArray<LogLine.Line>) => {
      const append = isFailing ? RotatedFile.resume : RotatedFile.append
      return Effect.tryPromise(() => append({ path, size, keep }, lines.map(LogLine.encode).join(""))).pipe(
        Effect.map(() => void (isFailing = false)),
        Effect.catchTag("UnknownException", ({ error }) => logInstead(lines, error))
      )
    }

    const drain = Effect.gen(function* () {
      const items = Chunk.toReadonlyArray(yield* Queue.takeBetween(queue, 1, batch))
      const started = performance.now()
      const exceptions = items.filter((item) => item._tag === "Exception")
      waiting -= exceptions.length
      const lines = linesOf(exceptions, clock.unsafeCurrentTimeMillis())
      const spent = performance.now() - started
      if (lines.length > 0) yield* write(lines)
      for (const item of items) if (item._tag === "Mark") yield* Deferred.succeed(item.reached, undefined)
      if (marks === 0 && (yield* Queue.size(queue)) > 0) yield* Effect.sleep(spent * share)
    })

    const flush = Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      marks++
      yield* Queue.offer(queue, { _tag: "Mark", reached })
      yield* Effect.ensuring(
        Deferred.await(reached),
        Effect.sync(() => marks--)
      )
    })

    // Synchronous and cheap: it runs in the request.
    const enqueue = (throwable: Throwable, context: ReportContext, secrets: Secrets): void => {
      const at = clock.unsafeCurrentTimeMillis()
      if (waiting >= capacity) lost++
      else if (queue.unsafeOffer({ _tag: "Exception", throwable, context, secrets, at })) waiting++
    }

    yield* Effect.forkScoped(Effect.forever(drain))
    yield* Effect.addFinalizer(() => flush)
    yield* reporters.add(enqueue, flush)
  })

const logged = ({ class: name, file, id, line, message, method, peer, uri }: LogLine.Line) =>
  Effect.annotateLogs(Effect.logError(`${name}: ${message}`), { file, line, method, uri, peer, id })

/** The log of exceptions; disabled in the `test` environment. */
export const layer = (options: Options): Layer.Layer<never, never, Reporters | Sources | Environment> =>
  Layer.scopedDiscard(
    Effect.flatMap(Environment, (environment) => (environment === "test" ? Effect.void : make(options)))
  )
