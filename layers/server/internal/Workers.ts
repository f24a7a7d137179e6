// The supervisor: N processes on one port. It replaces a worker that exits and passes a stop on to all of them.
import { Clock, Deferred, Duration, Effect, FiberSet, Queue } from "effect"
import cluster, { type Address, type Worker } from "node:cluster"
import * as DatabaseConfig from "../../../src/database/internal/DatabaseConfig.ts"
import * as Fatal from "../../../src/errors/Fatal.ts"
import { StartupError } from "../../../src/config/StartupError.ts"
import * as ReportedExit from "../../errors/internal/ReportedExit.ts"
import { status as uncaught } from "../../errors/RunMain.ts"

/** The number of workers, and the callbacks of their lifecycle. */
interface Options<R> {
  readonly count: number
  /** How long a worker may take to stop; then it is killed. */
  readonly grace: Duration.DurationInput
  /** Runs once, when every worker is listening, with the port that they share. */
  readonly ready: (port: number) => Effect.Effect<void, never, R>
  /** Runs for each worker that was killed or crashed, not for one that was stopped or has reported its own error. */
  readonly crashed: (crash: Fatal.Fatal) => Effect.Effect<void, never, R>
}

// During a deployment the next version may already have migrated the schema: a worker that exits is still replaced.
const successorEnvironment = { [DatabaseConfig.allowNewerVariable]: "1" }

type Event =
  | { readonly _tag: "Listening"; readonly port: number }
  | { readonly _tag: "Exited"; readonly worker: Worker; readonly exit: Fatal.Fatal }

/** Runs until it is interrupted. A worker that exits before all of them listen is a failed start. */
export const supervise = <R>(options: Options<R>): Effect.Effect<never, StartupError, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { events, reported } = yield* subscribe
      yield* Effect.addFinalizer(() => stop(options.grace))
      // The first worker starts alone: a failed start prints one message, not N.
      const port = yield* start(1, events)
      yield* start(options.count - 1, events)
      yield* options.ready(port)
      return yield* replaceWorkers(events, reported, options)
    })
  )

const subscribe = Effect.gen(function* () {
  // Round robin leaves a connection hanging whenever a worker is killed; the kernel's own scheduling does not.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const events = yield* Queue.unbounded<Event>()
  // Workers that have reported the error that ends them.
  const reported = new Set<number>()
  const onMessage = (worker: Worker, message: unknown) => void (ReportedExit.isTold(message) && reported.add(worker.id))
  const onListening = (_: Worker, { port }: Address) => events.unsafeOffer({ _tag: "Listening", port })
  const onExit = (worker: Worker, code: number | null, signal: string | null) =>
    events.unsafeOffer({
      _tag: "Exited",
      worker,
      exit: new Fatal.Fatal({ pid: worker.process.pid ?? 0, code: code ?? undefined, signal: signal ?? undefined })
    })
  yield* Effect.acquireRelease(
    Effect.sync(() => cluster.on("listening", onListening).on("message", onMessage).on("exit", onExit)),
    () => Effect.sync(() => cluster.off("listening", onListening).off("message", onMessage).off("exit", onExit))
  )
  return { events, reported }
})

const start = (count: number, events: Queue.Dequeue<Event>): Effect.Effect<number, StartupError> =>
  Effect.gen(function* () {
    let port = 0
    for (let forked = 0; forked < count; forked++) cluster.fork()
    for (let listening = 0; listening < count; listening++) {
      const event = yield* events
      if (event._tag === "Exited") return yield* failedStart(event.exit)
      port = event.port
    }
    return port
  })

// With this status the worker has printed the reason itself.
const failedStart = (exit: Fatal.Fatal): StartupError =>
  exit.code === uncaught
    ? new StartupError({ reason: "" })
    : new StartupError({ reason: `${exit.message} It stopped before it started serving.` })

// The exit of a worker that was stopped, whether its requests finished or were interrupted at the deadline.
const isOrderly = ({ code, signal }: Fatal.Fatal): boolean => code === 0 && signal === undefined

/** An exit before this uptime is an early one. */
export const minUptime = Duration.seconds(5)

const firstDelay = Duration.millis(100)

/** The longest delay before a replacement. */
export const maxDelay = Duration.seconds(10)

/** The number of early exits in a row. */
export const countEarly = (before: number, uptime: Duration.Duration): number =>
  Duration.lessThan(uptime, minUptime) ? before + 1 : 0

/** How long to wait before the replacement starts. */
export const delayOf = (early: number): Duration.Duration =>
  early === 0 ? Duration.zero : Duration.min(Duration.times(firstDelay, 2 ** Math.min(early - 1, 30)), maxDelay)

// No wait after a long uptime, exponential backoff after early exits.
const replaceWorkers = <R>(
  events: Queue.Dequeue<Event>,
  reported: Set<number>,
  options: Options<R>
): Effect.Effect<never, never, R> =>
  Effect.gen(function* () {
    const startTimes = new Map<number, number>()
    const earlyExits = new Map<number, number>()
    const replacements = yield* FiberSet.make()
    const started = yield* Clock.currentTimeMillis
    for (const worker of workers()) startTimes.set(worker.id, started)

    const replaceWorker = Effect.fnUntraced(function* (worker: Worker, exit: Fatal.Fatal) {
      const now = yield* Clock.currentTimeMillis
      const uptime = Duration.millis(now - (startTimes.get(worker.id) ?? now))
      const early = countEarly(earlyExits.get(worker.id) ?? 0, uptime)
      startTimes.delete(worker.id)
      earlyExits.delete(worker.id)
      yield* disconnected(worker)
      if (!isOrderly(exit) && !reported.has(worker.id)) yield* options.crashed(exit)
      reported.delete(worker.id)
      yield* Effect.sleep(delayOf(early))
      const successor = cluster.fork(successorEnvironment)
      startTimes.set(successor.id, yield* Clock.currentTimeMillis)
      earlyExits.set(successor.id, early)
    })

    return yield* Effect.forever(
      Effect.flatMap(events, (event) =>
        event._tag === "Exited" ? FiberSet.run(replacements, replaceWorker(event.worker, event.exit)) : Effect.void
      )
    )
  }).pipe(Effect.scoped)

const workers = (): ReadonlyArray<Worker> =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const exited = (worker: Worker): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (worker.isDead()) return resume(Effect.void)
    worker.once("exit", () => resume(Effect.void))
  })

// A worker may be seen to exit before its last message is read; its channel closes afterwards.
const disconnected = (worker: Worker): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (!worker.isConnected()) return resume(Effect.void)
    worker.once("disconnect", () => resume(Effect.void))
  }).pipe(Effect.timeoutOption("1 second"), Effect.asVoid)

const stop = (grace: Duration.DurationInput): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.forEach(
      workers(),
      Effect.fnUntraced(function* (worker) {
        const exit = yield* Deferred.make<void>()
        yield* Effect.forkDaemon(Effect.zipRight(exited(worker), Deferred.succeed(exit, undefined)))
        worker.process.kill("SIGTERM")
        yield* Deferred.await(exit).pipe(Effect.interruptible, Effect.timeoutOption(grace))
        if (!worker.isDead()) worker.process.kill("SIGKILL")
        yield* Deferred.await(exit)
      }),
      { concurrency: "unbounded", discard: true }
    )
  )
