// The fleet through files under one directory.
import { Clock, Duration, Effect, Either, Layer, Schedule } from "effect"
import {
  Fleet,
  dumpInterval,
  defaultMaxAge,
  type Entry,
  type Origin,
  mergeEntries
} from "../../src/observability/Fleet.ts"
import { Observability } from "../../src/observability/Observability.ts"
import * as Snapshot from "../../src/observability/Snapshot.ts"
import * as FleetDirectory from "./FleetDirectory.ts"
import * as Glob from "./Glob.ts"
import * as SnapshotFile from "./SnapshotFile.ts"

/** Where the snapshots are, how often one is left, and when one is too old. */
export interface Options {
  /** `metrics` under the storage directory, by the contract; made when it is missing. */
  readonly directory: string
  readonly maxAge?: Duration.DurationInput
  readonly every?: Duration.DurationInput
}

const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)

/** What a worker says for itself, once it is written. */
type Own = Effect.Effect<Entry | undefined>

// A disk that is full or read-only fails every few seconds: it is told once, and again after a success.
const once = (message: string) => {
  let failing = false
  return <A>(result: Either.Either<A, unknown>): Effect.Effect<void> => {
    const isNews = Either.isLeft(result) && !failing
    failing = Either.isLeft(result)
    return isNews ? Effect.logWarning(message, result.left) : Effect.void
  }
}

const service = (files: FleetDirectory.FleetDirectory, own: Own) => {
  const foldTold = once("The snapshots of dead workers were not folded; they are kept one by one")

  const gather = Effect.gen(function* () {
    const mine = yield* own
    const now = yield* seconds
    const sum = yield* Effect.sync(() => {
      const except = mine === undefined ? undefined : FleetDirectory.workerFile(process.pid)
      const others = files.scan(now, mine?.snapshot, except)
      for (const { name, origin, status: standing } of others) {
        if (standing === "Gone" && name.startsWith("worker-")) files.retire(name, origin)
      }
      const folded = Either.try(() => files.fold(others, now))
      return { folded, whole: mergeEntries(mine === undefined ? others : [mine, ...others]) }
    })
    yield* foldTold(sum.folded)
    const faults = files.takeFaults()
    if (faults.length > 0) {
      yield* Effect.logWarning(`Left out of the metrics, since they are no snapshots: ${faults.join(", ")}`)
    }
    return sum.whole
  })

  const retire = (pid: number) =>
    Effect.map(seconds, (now) => {
      const name = FleetDirectory.workerFile(pid)
      const found = files.look(name, now, undefined)
      if (found?.status === "Gone") files.retire(name, found.origin)
    })

  const aggregate = (pattern: string, maxAge: Duration.DurationInput = 0) =>
    Effect.map(seconds, (now) => {
      const limit = Duration.toSeconds(maxAge)
      let all = Snapshot.empty
      for (const path of Glob.expand(pattern)) {
        const snapshot = SnapshotFile.read(path, all)?.snapshot
        if (snapshot === undefined || (limit > 0 && now - snapshot.timestamp > limit)) continue
        all = Snapshot.merge(all, snapshot)
      }
      return all
    })

  return Fleet.of({ dump: Effect.asVoid(own), gather, retire, aggregate })
}

const directoryOf = ({ directory, maxAge = defaultMaxAge }: Options) =>
  FleetDirectory.make(directory, Duration.toSeconds(maxAge))

/** The fleet seen from outside, for a supervisor or a command: it reads and retires, and has nothing of its own. */
export const layerObserver = (options: Options): Layer.Layer<Fleet> =>
  Layer.sync(Fleet, () => service(directoryOf(options), Effect.succeed(undefined)))

/** The fleet seen by one of its workers, which leaves its snapshot now, every few seconds and when it ends. */
export const layer = (options: Options): Layer.Layer<Fleet, never, Observability> =>
  Layer.scoped(
    Fleet,
    Effect.gen(function* () {
      const observability = yield* Observability
      const files = directoryOf(options)
      const origin: Origin = { id: FleetDirectory.originId(files.me), started: yield* seconds, members: [] }
      const turn = yield* Effect.makeSemaphore(1)
      const told = once("The snapshot of this worker was not written; it serves on, and tries again")

      // One at a time: an older snapshot written over a newer one would let a counter fall.
      const own = Effect.gen(function* () {
        const snapshot = yield* observability.gather
        yield* told(Either.try(() => files.write(process.pid, origin, snapshot)))
        return { origin, snapshot, status: "Serving" as const }
      }).pipe(turn.withPermits(1))

      // Should the process id be one that a dead worker had, its file is kept before ours takes the name.
      yield* Effect.map(seconds, (now) => {
        const name = FleetDirectory.workerFile(process.pid)
        const before = files.look(name, now, undefined)
        if (before !== undefined) files.retire(name, before.origin)
        Either.try(() => files.sweep())
      })
      yield* Effect.addFinalizer(() =>
        Effect.map(own, () => files.retire(FleetDirectory.workerFile(process.pid), origin))
      )
      yield* Effect.forkScoped(Effect.repeat(own, Schedule.spaced(options.every ?? dumpInterval)))
      return service(files, own)
    })
  )
