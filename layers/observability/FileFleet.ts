// The fleet as files in one directory.
import { Clock, Duration, Effect, Either, Layer, Schedule } from "effect"
import { Fleet } from "../../src/observability/Fleet.ts"
import {
  defaultMaxAge,
  dumpInterval,
  type FleetEntry,
  mergeEntries,
  type Origin
} from "../../src/observability/internal/snapshot/FleetEntry.ts"
import { Observability } from "../../src/observability/Observability.ts"
import * as Snapshot from "../../src/observability/Snapshot.ts"
import * as FleetDirectory from "./internal/FleetDirectory.ts"
import * as Glob from "./internal/Glob.ts"
import * as SnapshotFile from "./internal/SnapshotFile.ts"

/** The directory of the snapshot files, how often they are written, and when one is too old. */
export interface Options {
  /** Created when it is missing. */
  readonly directory: string
  readonly maxAge?: Duration.DurationInput
  readonly every?: Duration.DurationInput
}

const seconds = Effect.map(Clock.currentTimeMillis, (now) => now / 1000)

/** This worker's entry, after its file was written; `undefined` for an observer. */
type OwnEntry = Effect.Effect<FleetEntry | undefined>

// A disk that is full or read-only fails every few seconds: it is logged once, and again after a success.
const warnOnce = (message: string) => {
  let failing = false
  return <A>(result: Either.Either<A, unknown>): Effect.Effect<void> => {
    const isFirst = Either.isLeft(result) && !failing
    failing = Either.isLeft(result)
    return isFirst ? Effect.logWarning(message, result.left) : Effect.void
  }
}

const service = (files: FleetDirectory.FleetDirectory, own: OwnEntry) => {
  const warnMerge = warnOnce("The snapshot files of dead workers could not be merged; they are kept one by one")

  const gather = Effect.gen(function* () {
    const mine = yield* own
    const now = yield* seconds
    const { fleet, merged } = yield* Effect.sync(() => {
      const except = mine === undefined ? undefined : FleetDirectory.workerFile(process.pid)
      const others = files.scan(now, mine?.snapshot, except)
      for (const { name, origin, status } of others) {
        if (status === "Gone" && name.startsWith("worker-")) files.retire(name, origin)
      }
      const merged = Either.try(() => files.mergeRetired(others, now))
      return { merged, fleet: mergeEntries(mine === undefined ? others : [mine, ...others]) }
    })
    yield* warnMerge(merged)
    const damaged = files.takeDamaged()
    if (damaged.length > 0) {
      yield* Effect.logWarning(`Left out of the metrics, because they are not snapshots: ${damaged.join(", ")}`)
    }
    return fleet
  })

  const retire = (pid: number) =>
    Effect.map(seconds, (now) => {
      const name = FleetDirectory.workerFile(pid)
      const file = files.read(name, now, undefined)
      if (file?.status === "Gone") files.retire(name, file.origin)
    })

  const aggregate = (pattern: string, maxAge: Duration.DurationInput = 0) =>
    Effect.map(seconds, (now) => {
      const limit = Duration.toSeconds(maxAge)
      let all = Snapshot.make(0, [])
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

/**
 * The fleet for a supervisor or a command: it reads and retires, and writes no snapshot of its own.
 *
 * @example
 * ```ts
 * import { Console, Effect } from "effect"
 * import { FileFleet } from "effect-framework/layers/observability"
 * import { Fleet, Prometheus } from "effect-framework/observability"
 *
 * // A command beside the workers: it prints what they have counted, and adds nothing of its own.
 * export const print = Effect.gen(function* () {
 *   const fleet = yield* Fleet.Fleet
 *   const { snapshot } = yield* fleet.gather
 *   yield* Console.log(Prometheus.exporter.export(snapshot))
 * }).pipe(Effect.provide(FileFleet.layerObserver({ directory: "storage/metrics" })))
 * ```
 */
export const layerObserver = (options: Options): Layer.Layer<Fleet> =>
  Layer.sync(Fleet, () => service(directoryOf(options), Effect.succeed(undefined)))

/** The fleet for a worker: it writes its snapshot at the start, every few seconds and at the end. */
export const layer = (options: Options): Layer.Layer<Fleet, never, Observability> =>
  Layer.scoped(
    Fleet,
    Effect.gen(function* () {
      const observability = yield* Observability
      const files = directoryOf(options)
      const origin: Origin = { id: FleetDirectory.originId(files.processId), started: yield* seconds, members: [] }
      const lock = yield* Effect.makeSemaphore(1)
      const warnWrite = warnOnce(
        "The snapshot of this worker could not be written; the worker continues and tries again"
      )

      // One at a time: an older snapshot written over a newer one would make a counter decrease.
      const own = Effect.gen(function* () {
        const snapshot = yield* observability.gather
        yield* warnWrite(Either.try(() => files.write(process.pid, origin, snapshot)))
        return { origin, snapshot, status: "Serving" as const }
      }).pipe(lock.withPermits(1))

      // If a dead worker had the same process id, its file is kept before ours takes the name.
      yield* Effect.map(seconds, (now) => {
        const name = FleetDirectory.workerFile(process.pid)
        const previous = files.read(name, now, undefined)
        if (previous !== undefined) files.retire(name, previous.origin)
        Either.try(() => files.removeDrafts())
      })
      yield* Effect.addFinalizer(() =>
        Effect.map(own, () => files.retire(FleetDirectory.workerFile(process.pid), origin))
      )
      yield* Effect.forkScoped(Effect.repeat(own, Schedule.spaced(options.every ?? dumpInterval)))
      return service(files, own)
    })
  )
