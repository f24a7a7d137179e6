// The supervisor: N processes on one port, a dead one replaced, a stop passed on.
import { Clock, Deferred, Duration, Effect, FiberSet, Queue } from "effect"
import cluster, { type Address, type Worker } from "node:cluster"
import * as DatabaseConfig from "../../src/database/DatabaseConfig.ts"
import * as Fatal from "../../src/errors/Fatal.ts"
import * as RestartPolicy from "../../src/server/RestartPolicy.ts"
import { StartupError } from "../../src/server/StartupError.ts"
import { status as uncaught } from "../errors/RunMain.ts"

/** How many workers there are, and who hears of their lives. */
export interface Options<R> {
  readonly count: number
  /** How long a worker may take to end when it is told to; then it is killed. */
  readonly grace: Duration.DurationInput
  /** Runs once, when every worker serves, with the port that they share. */
  readonly ready: (port: number) => Effect.Effect<void, never, R>
  /** Told of a worker that was killed or crashed; not of one that was told to stop. */
  readonly died: (death: Fatal.Fatal) => Effect.Effect<void, never, R>
}

// While one version replaces another the schema may be migrated already: a worker that dies meanwhile is still replaced.
const replacement = { [DatabaseConfig.allowNewerVariable]: "1" }

type News =
  | { readonly _tag: "Serving"; readonly port: number }
  | { readonly _tag: "Gone"; readonly worker: Worker; readonly death: Fatal.Fatal }

/** Whether this process is one of the workers. */
export const isWorker: boolean = cluster.isWorker

/** Runs until it is interrupted; a worker that dies before the fleet serves is a failed start. */
export const supervise = <R>(options: Options<R>): Effect.Effect<never, StartupError, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const news = yield* listen
      yield* Effect.addFinalizer(() => stop(options.grace))
      // The first one goes alone: a start that fails says so once, not N times.
      const port = yield* start(1, news)
      yield* start(options.count - 1, news)
      yield* options.ready(port)
      return yield* replace(news, options)
    })
  )

const listen = Effect.gen(function* () {
  // Round robin leaves a connection hanging whenever a worker is killed; the kernel's own choice does not.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const news = yield* Queue.unbounded<News>()
  const serving = (_: Worker, { port }: Address) => news.unsafeOffer({ _tag: "Serving", port })
  const gone = (worker: Worker, code: number | null, signal: string | null) =>
    news.unsafeOffer({
      _tag: "Gone",
      worker,
      death: new Fatal.Fatal({ pid: worker.process.pid ?? 0, code: code ?? undefined, signal: signal ?? undefined })
    })
  yield* Effect.acquireRelease(
    Effect.sync(() => cluster.on("listening", serving).on("exit", gone)),
    () => Effect.sync(() => cluster.off("listening", serving).off("exit", gone))
  )
  return news
})

const start = (count: number, news: Queue.Dequeue<News>): Effect.Effect<number, StartupError> =>
  Effect.gen(function* () {
    let port = 0
    for (let place = 0; place < count; place++) cluster.fork()
    for (let serving = 0; serving < count; serving++) {
      const heard = yield* news
      if (heard._tag === "Gone") return yield* failed(heard.death)
      port = heard.port
    }
    return port
  })

// A worker that could say why it does not start has said it.
const failed = (death: Fatal.Fatal): StartupError =>
  death.code === uncaught
    ? new StartupError({ reason: "" })
    : new StartupError({ reason: `${death.message} It stopped before it started serving.` })

// Told to stop, a worker finishes what it does, or cuts it off when its time is up: either is as it should be.
const isOrderly = ({ code, signal }: Fatal.Fatal): boolean => code === 0 && signal === undefined

const replace = <R>(news: Queue.Dequeue<News>, options: Options<R>): Effect.Effect<never, never, R> =>
  Effect.gen(function* () {
    const births = new Map<number, number>()
    const quick = new Map<number, number>()
    const pending = yield* FiberSet.make()
    const born = yield* Clock.currentTimeMillis
    for (const worker of workers()) births.set(worker.id, born)

    const bury = Effect.fnUntraced(function* (worker: Worker, death: Fatal.Fatal) {
      const now = yield* Clock.currentTimeMillis
      const deaths = RestartPolicy.earlyExits(
        quick.get(worker.id) ?? 0,
        Duration.millis(now - (births.get(worker.id) ?? now))
      )
      births.delete(worker.id)
      quick.delete(worker.id)
      if (!isOrderly(death)) yield* options.died(death)
      yield* Effect.sleep(RestartPolicy.delay(deaths))
      const heir = cluster.fork(replacement)
      births.set(heir.id, yield* Clock.currentTimeMillis)
      quick.set(heir.id, deaths)
    })

    return yield* Effect.forever(
      Effect.flatMap(news, (heard) =>
        heard._tag === "Gone" ? FiberSet.run(pending, bury(heard.worker, heard.death)) : Effect.void
      )
    )
  }).pipe(Effect.scoped)

const workers = (): ReadonlyArray<Worker> =>
  Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)

const ended = (worker: Worker): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (worker.isDead()) return resume(Effect.void)
    worker.once("exit", () => resume(Effect.void))
  })

const stop = (grace: Duration.DurationInput): Effect.Effect<void> =>
  Effect.suspend(() =>
    Effect.forEach(
      workers(),
      Effect.fnUntraced(function* (worker) {
        const gone = yield* Deferred.make<void>()
        yield* Effect.forkDaemon(Effect.zipRight(ended(worker), Deferred.succeed(gone, undefined)))
        worker.process.kill("SIGTERM")
        yield* Deferred.await(gone).pipe(Effect.interruptible, Effect.timeoutOption(grace))
        if (!worker.isDead()) worker.process.kill("SIGKILL")
        yield* Deferred.await(gone)
      }),
      { concurrency: "unbounded", discard: true }
    )
  )
