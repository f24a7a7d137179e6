// One development panel for all workers: any of them shows what every one has recorded.
import { Effect, type Scope } from "effect"
import cluster, { type Worker } from "node:cluster"
import type { RecordedRequest } from "../../../src/http/internal/RecordedRequest.ts"
import type { Recorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as WorkerChannel from "../../http/internal/WorkerChannel.ts"

const ofOne = "effect-framework/devtools/requests of a worker"
const ofAll = "effect-framework/devtools/requests of all workers"

type Requests = ReadonlyArray<RecordedRequest>

// A boundary: both ends of the channel are this file.
const asRequests = (given: unknown): Requests => (Array.isArray(given) ? given : [])

const byTime = (a: RecordedRequest, b: RecordedRequest): number => b.startedAt - a.startedAt

/** In a worker: the requests of all workers, the newest first; its own where the supervisor does not respond. */
export const make = (recorder: Pick<Recorder, "list">): Effect.Effect<Effect.Effect<Requests>, never, Scope.Scope> => {
  const own = Effect.sync(recorder.list)
  if (!cluster.isWorker) return Effect.succeed(own)
  const all = WorkerChannel.call(WorkerChannel.supervisor, ofAll, undefined, "2 seconds").pipe(
    Effect.map((found) => asRequests(found).toSorted(byTime)),
    Effect.catchAll(() => own)
  )
  return Effect.as(
    WorkerChannel.handle(ofOne, () => own),
    all
  )
}

/** In the supervisor: asks every worker. One that is busy or ends is left out. */
export const relay = (workers: () => ReadonlyArray<Worker>): Effect.Effect<void, never, Scope.Scope> =>
  WorkerChannel.handle(ofAll, () =>
    Effect.suspend(() =>
      Effect.forEach(
        workers(),
        (worker) =>
          WorkerChannel.call(WorkerChannel.toWorker(worker), ofOne, undefined, "1 second").pipe(
            Effect.map(asRequests),
            Effect.catchAll(() => Effect.succeed([]))
          ),
        { concurrency: "unbounded" }
      )
    ).pipe(Effect.map((found) => found.flat()))
  )
