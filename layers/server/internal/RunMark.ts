// A file in the storage folder for as long as the program runs. A file of a process that no longer exists means that it
// was killed, ran out of memory or lost power: it could not report that itself.
import { Cause, Effect, Layer } from "effect"
import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Fatal from "../../../src/errors/Fatal.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import * as ProcessIds from "../../http/internal/ProcessIds.ts"

// The name of a process, from `ProcessIds.identify`: another process with the same id has another name.
const named = /^\d+(?:-[\w-]+)?$/

// The files of this process, which may run several programs in one folder, one after the other.
const own = new Set<string>()

const list = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((name) => named.test(name))
  } catch {
    return []
  }
}

// Of several programs that start at once, exactly one gets `true`.
const take = (path: string): boolean => {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

/** The processes of this folder that ended without a report, each returned once. */
const found = (folder: string): ReadonlyArray<Fatal.Fatal> =>
  list(folder)
    .filter((name) => !own.has(join(folder, name)) && (name === `${process.pid}` || !ProcessIds.isAlive(name)))
    .filter((name) => take(join(folder, name)))
    .map((name) => new Fatal.Fatal({ pid: Number.parseInt(name, 10) }))

const leave = (path: string) => {
  const remove = () => {
    process.off("exit", remove)
    own.delete(path)
    take(path)
  }
  const write = () => {
    own.add(path)
    // The caller of `process.exit` has reported the reason.
    process.on("exit", remove)
    writeFileSync(path, "", { mode: 0o600 })
  }
  return Effect.acquireRelease(Effect.sync(write), () => Effect.sync(remove))
}

const make = (folder: string) =>
  Effect.gen(function* () {
    const { notify } = yield* Reporters
    const path = join(folder, ProcessIds.identify(process.pid) ?? `${process.pid}`)
    const ends = yield* Effect.sync(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return found(folder)
    })
    for (const end of ends) {
      yield* Effect.logError(end.message)
      yield* notify(Cause.fail(end))
    }
    yield* leave(path)
  }).pipe(
    // The program also runs without the file, when the folder is not writable.
    Effect.catchAllDefect((cause) => Effect.logWarning("The mark of this run cannot be left", cause))
  )

/** Reports the runs that ended uncleanly, and keeps the file of this run in the folder until it ends. */
export const layer = (folder: string): Layer.Layer<never, never, Reporters> => Layer.scopedDiscard(make(folder))
