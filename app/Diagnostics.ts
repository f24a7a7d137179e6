// What a running worker does with its memory and its processor: a heap snapshot or a profile, as a file for Chromium's
// developer tools. Both hold texts of the program, also secrets: only their owner may read them.
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import v8 from "node:v8"
import * as WorkerChannel from "../layers/http/internal/WorkerChannel.ts"
import type { Supervisor } from "../layers/server/internal/Workers.ts"

/** The longest profile, in seconds. */
export const maxSeconds = 60

/** What is written. */
export const Request = Schema.Union(
  Schema.Struct({ kind: Schema.Literal("heap"), worker: Schema.optional(Schema.Int) }),
  Schema.Struct({
    kind: Schema.Literal("profile"),
    seconds: Schema.Number.pipe(Schema.between(1, maxSeconds)),
    worker: Schema.optional(Schema.Int)
  })
)
export type Request = typeof Request.Type

const failed = (cause: unknown) =>
  new WorkerChannel.CallFailed({ reason: cause instanceof Error ? cause.message : String(cause) })

const name = "effect-framework/server/Diagnostics"

// => heap-4711-2026-01-31T10-15-00-000Z.heapsnapshot
const fileIn = (folder: string, { kind }: Request): string => {
  const extension = kind === "heap" ? "heapsnapshot" : "cpuprofile"
  return join(folder, `${kind}-${process.pid}-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.${extension}`)
}

/** A snapshot is about as large as the heap: with twice that much room the disk does not fill up. */
const checkRoom = (folder: string): void => {
  const { bavail, bsize } = statfsSync(folder)
  const needed = 2 * v8.getHeapStatistics().used_heap_size
  if (bavail * bsize < needed) throw new Error(`the disk of ${folder} has less than ${needed} bytes left`)
}

const profile = async (path: string, seconds: number): Promise<void> => {
  // Most programs never load it.
  const { Session } = await import("node:inspector/promises")
  const session = new Session()
  session.connect()
  try {
    await session.post("Profiler.enable")
    await session.post("Profiler.start")
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    const { profile } = await session.post("Profiler.stop")
    writeFileSync(path, JSON.stringify(profile))
  } finally {
    session.disconnect()
  }
}

/** Writes the file about this process, and returns its path. The process stops for as long as a heap snapshot takes. */
const write = (folder: string, request: Request): Effect.Effect<string, WorkerChannel.CallFailed> =>
  Effect.tryPromise({
    try: async () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      checkRoom(folder)
      const path = fileIn(folder, request)
      // Made before it is filled: it never has other rights.
      closeSync(openSync(path, "wx", 0o600))
      try {
        if (request.kind === "heap") v8.writeHeapSnapshot(path)
        else await profile(path, request.seconds)
      } catch (cause) {
        rmSync(path, { force: true })
        throw cause
      }
      return path
    },
    catch: failed
  })

/** In a worker: writes what the supervisor asks for. */
export const layer = (folder: string): Layer.Layer<never> =>
  Layer.scopedDiscard(
    WorkerChannel.handle(name, (payload) =>
      Effect.flatMap(Effect.mapError(Schema.decodeUnknown(Request)(payload), failed), (request) =>
        write(folder, request)
      )
    )
  )

// A heap of some gigabytes takes a minute or two.
const heapTimeout = Duration.minutes(5)

/** One file at a time: of the worker that is named, else of the one that has served for longest. */
export const make = Effect.gen(function* () {
  const lock = yield* Effect.makeSemaphore(1)
  const alone = <A>(work: Effect.Effect<A, WorkerChannel.CallFailed>): Effect.Effect<A, WorkerChannel.CallFailed> =>
    Effect.flatMap(lock.withPermitsIfAvailable(1)(work), (done) =>
      Option.isSome(done) ? Effect.succeed(done.value) : failed("another one is being written")
    )
  return {
    /** Of this process, which is the only one. */
    here: (folder: string) => (request: Request) =>
      request.worker === undefined || request.worker === process.pid
        ? alone(write(folder, request))
        : failed(`no worker has the process id ${request.worker}`),
    /** Of a worker of this supervisor. */
    of:
      ({ serving }: Pick<Supervisor, "serving">) =>
      (request: Request): Effect.Effect<string, WorkerChannel.CallFailed> => {
        const all = serving()
        const worker = request.worker === undefined ? all[0] : all.find(({ process }) => process.pid === request.worker)
        if (worker === undefined) return failed(`no worker has the process id ${request.worker}`)
        const timeout = request.kind === "heap" ? heapTimeout : Duration.seconds(request.seconds + 30)
        return Effect.map(alone(WorkerChannel.call(WorkerChannel.toWorker(worker), name, request, timeout)), String)
      }
  }
})
