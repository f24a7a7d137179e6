// The supervisor: N processes on one port. It replaces a worker that exits, restarts all of them one by one on a reload, and
// passes a stop on to them.
import { Clock, Deferred, Duration, Effect, Fiber, FiberId, FiberSet, Option, Queue, Schema } from "effect"
import cluster, { type Address, type Worker } from "node:cluster"
import * as DatabaseConfig from "../../../src/database/internal/DatabaseConfig.ts"
import * as Fatal from "../../../src/errors/Fatal.ts"
import { StartupError } from "../../../src/config/StartupError.ts"
import * as ReportedExit from "../../errors/internal/ReportedExit.ts"
import * as RestartPolicy from "./RestartPolicy.ts"

/** A new worker did not start: those that were not yet restarted go on. */
class ReloadFailed extends Schema.TaggedError<ReloadFailed>("effect-framework/server/ReloadFailed")("ReloadFailed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** What can be asked of the supervisor while it runs. */
export interface Supervisor {
  /** Restarts the workers one by one, each after its successor serves; returns how many. */
  readonly reload: Effect.Effect<number, ReloadFailed>
  /** The workers that serve, the oldest first. */
  readonly serving: () => ReadonlyArray<Worker>
}

/** The number of workers, and the callbacks of their lifecycle. */
interface Options<R> {
  readonly count: number
  /** How long a worker may take to stop; then it is killed. */
  readonly grace: Duration.DurationInput
  /** Runs once, when every worker has begun to listen or has ended, with the port that they share. */
  readonly ready: (port: number, supervisor: Supervisor) => Effect.Effect<void, never, R>
  /** Runs for each worker that was killed or crashed, not for one that was stopped or has reported its own error. */
  readonly crashed: (crash: Fatal.Fatal) => Effect.Effect<void, never, R>
}

// During a deployment the next version may already have migrated the schema: a worker that exits is still replaced.
const successorEnvironment = { [DatabaseConfig.allowNewerVariable]: "1" }

/** How long the successor of a worker may take to listen during a reload. */
const startTimeout = Duration.minutes(1)

/** How often it is said of a worker that it has not begun to listen: a migration may take long, and a worker may hang. */
const slowStart = Duration.seconds(30)

type State =
  | { readonly _tag: "Starting"; readonly since: number }
  | { readonly _tag: "Serving"; readonly since: number }
  /** It was asked to stop: its exit is expected. */
  | { readonly _tag: "Stopping" }

interface Member {
  readonly worker: Worker
  /** Early exits in a row in its place before. */
  readonly early: number
  /** Whether another one takes its place when it ends before it serves. */
  readonly isReplaced: boolean
  readonly listening: Deferred.Deferred<number>
  readonly ended: Deferred.Deferred<Fatal.Fatal>
  state: State
}

type Event =
  | { readonly _tag: "Listening"; readonly worker: Worker; readonly port: number }
  | { readonly _tag: "Exited"; readonly worker: Worker; readonly exit: Fatal.Fatal }

/** Runs until it is interrupted. A first worker that exits before it listens is a failed start; any other is replaced. */
export const supervise = <R>(options: Options<R>): Effect.Effect<never, StartupError, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { events, hangups, reported } = yield* subscribe
      const members = new Map<number, Member>()
      yield* Effect.addFinalizer(() => Effect.forEach(workers(), stop, { concurrency: "unbounded", discard: true }))
      const fibers = yield* FiberSet.make()
      const clock = yield* Effect.clock

      const fork = (early: number, isReplaced: boolean, environment: Readonly<Record<string, string>> = {}): Member => {
        const worker = cluster.fork(environment)
        const member: Member = {
          worker,
          early,
          isReplaced,
          listening: Deferred.unsafeMake(FiberId.none),
          ended: Deferred.unsafeMake(FiberId.none),
          state: { _tag: "Starting", since: clock.unsafeCurrentTimeMillis() }
        }
        members.set(worker.id, member)
        return member
      }

      const stop = (worker: Worker) =>
        Effect.gen(function* () {
          const exit = yield* Deferred.make<void>()
          yield* Effect.forkDaemon(Effect.zipRight(exited(worker), Deferred.succeed(exit, undefined)))
          worker.process.kill("SIGTERM")
          yield* Deferred.await(exit).pipe(Effect.interruptible, Effect.timeoutOption(options.grace))
          if (!worker.isDead()) worker.process.kill("SIGKILL")
          yield* Deferred.await(exit)
        })

      const onExit = Effect.fnUntraced(function* (member: Member, exit: Fatal.Fatal) {
        const { state, worker } = member
        const now = yield* Clock.currentTimeMillis
        yield* disconnected(worker)
        const hasReported = reported.delete(worker.id)
        yield* Deferred.succeed(member.ended, exit)
        if (state._tag === "Stopping") return yield* Effect.logInfo(`Process ${exit.pid} has stopped.`)
        if (state._tag === "Starting" && !member.isReplaced) return
        if (isOrderly(exit)) yield* Effect.logWarning(`Process ${exit.pid} exited (exit code 0) and is replaced.`)
        else if (hasReported) yield* Effect.logError(`${exit.message} It has reported why, and is replaced.`)
        else yield* options.crashed(exit)
        const uptime = state._tag === "Serving" ? Duration.millis(now - state.since) : undefined
        const early = RestartPolicy.countEarly(member.early, uptime ?? Duration.zero)
        const delay = RestartPolicy.delayOf(early)
        if (early > 0) yield* Effect.logWarning(RestartPolicy.backoff(early, delay, uptime))
        yield* Effect.sleep(delay)
        fork(early, true, successorEnvironment)
      })

      const warnOfSlow = Effect.suspend(() =>
        Effect.forEach(
          members.values(),
          ({ state, worker: { id, process } }) => {
            const time = state._tag === "Starting" ? clock.unsafeCurrentTimeMillis() - state.since : 0
            if (time < Duration.toMillis(slowStart)) return Effect.void
            return Effect.logWarning(
              `Worker ${id} (process ${process.pid}) has not begun to listen for ${Math.floor(time / 1000)} s.`
            )
          },
          { discard: true }
        )
      )

      const handle = (event: Event) =>
        Effect.gen(function* () {
          const member = members.get(event.worker.id)
          if (member === undefined) return
          if (event._tag === "Exited") {
            members.delete(event.worker.id)
            yield* FiberSet.run(fibers, onExit(member, event.exit))
            return
          }
          if (member.state._tag === "Starting") {
            member.state = { _tag: "Serving", since: yield* Clock.currentTimeMillis }
          }
          yield* Deferred.succeed(member.listening, event.port)
        })

      /** The port once it listens; `None` when it has ended before. */
      const settled = ({ ended, listening }: Member) =>
        Effect.raceFirst(Effect.asSome(Deferred.await(listening)), Effect.as(Deferred.await(ended), Option.none()))

      const restart = Effect.fnUntraced(function* (member: Member) {
        const successor = fork(0, false)
        const started = yield* settled(successor).pipe(Effect.timeoutOption(startTimeout), Effect.map(Option.flatten))
        if (Option.isNone(started)) {
          successor.worker.process.kill("SIGKILL")
          const { message } = yield* Deferred.await(successor.ended)
          const reason = `The reload has stopped: ${message} It was to be the successor of process ${member.worker.process.pid}.`
          return yield* new ReloadFailed({ reason })
        }
        // Where the old one has crashed meanwhile, another one takes its place already.
        const leaving = members.has(member.worker.id) ? member : successor
        leaving.state = { _tag: "Stopping" }
        yield* stop(leaving.worker)
      })

      const lock = yield* Effect.makeSemaphore(1)
      const reload = Effect.gen(function* () {
        const old = Array.from(members.values())
        yield* Effect.logInfo(`Restarting ${old.length} workers one by one.`)
        let count = 0
        for (const member of old) {
          // One that has ended meanwhile has a successor already.
          if (!members.has(member.worker.id)) continue
          yield* restart(member)
          count++
        }
        yield* Effect.logInfo(`Restarted ${count} workers.`)
        return count
      }).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        lock.withPermits(1)
      )

      const loop = yield* Effect.forkScoped(Effect.forever(Effect.flatMap(events, handle)))
      // The first worker starts alone: a failed start prints one message, not N.
      const first = fork(0, false)
      yield* Effect.forkScoped(Effect.forever(Effect.delay(warnOfSlow, slowStart)))
      const port = yield* settled(first)
      if (Option.isNone(port)) return yield* failedStart(yield* Deferred.await(first.ended))
      const others = Array.from({ length: options.count - 1 }, () => fork(0, true))
      yield* Effect.forEach(others, settled, { concurrency: "unbounded" })
      const serving = () =>
        Array.from(members.values())
          .filter(({ state }) => state._tag === "Serving")
          .map(({ worker }) => worker)
      yield* options.ready(port.value, { reload, serving })
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(hangups, Effect.ignore(reload))))
      return yield* Fiber.join(loop)
    })
  )

const subscribe = Effect.gen(function* () {
  // Round robin leaves a connection hanging whenever a worker is killed; the kernel's own scheduling does not.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const events = yield* Queue.unbounded<Event>()
  // Several signals during a reload are one more reload.
  const hangups = yield* Queue.sliding<void>(1)
  // Workers that have reported the error that ends them.
  const reported = new Set<number>()
  const onMessage = (worker: Worker, message: unknown) => void (ReportedExit.isTold(message) && reported.add(worker.id))
  const onListening = (worker: Worker, { port }: Address) => events.unsafeOffer({ _tag: "Listening", worker, port })
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
  yield* onHangup(() => void hangups.unsafeOffer(undefined))
  return { events, hangups, reported }
})

/** Calls back for each SIGHUP until the scope closes. On a terminal it means that the terminal is gone: then it ends the process. */
export const onHangup = (listener: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => process.stdin.isTTY || process.on("SIGHUP", listener)),
    () => Effect.sync(() => process.off("SIGHUP", listener))
  )

// With this status the worker has printed the reason itself.
const failedStart = (exit: Fatal.Fatal): StartupError =>
  exit.code === ReportedExit.status
    ? new StartupError({ reason: "" })
    : new StartupError({ reason: `${exit.message} It stopped before it started serving.`, entry: "a-worker" })

// The exit of a worker that was stopped, whether its requests finished or were interrupted at the deadline.
const isOrderly = ({ code, signal }: Fatal.Fatal): boolean => code === 0 && signal === undefined

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
