// A mark in the storage folder for as long as the program runs. One that is found at the start, of a process that is no
// more, tells of an end without a word: killed, out of memory, a power cut. Nobody else could report it.
import { Cause, Effect, Layer } from "effect"
import { mkdirSync, readdirSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Fatal from "../../src/errors/Fatal.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as ProcessIds from "../observability/ProcessIds.ts"

// The name of a process, as `Processes.identify` gives it: another process of the same number has another name.
const named = /^\d+(?:-[\w-]+)?$/

// Of this process, which may run several programs of one folder, one after the other.
const own = new Set<string>()

const list = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder).filter((name) => named.test(name))
  } catch {
    return []
  }
}

// True for exactly one of those who start at once.
const take = (path: string): boolean => {
  try {
    unlinkSync(path)
    return true
  } catch {
    return false
  }
}

/** Processes of this folder that ended without a word, each given once. */
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
    // An end by `process.exit` has been reported by whoever called it.
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
    // A folder that cannot be written to costs the mark, not the program.
    Effect.catchAllDefect((cause) => Effect.logWarning("The mark of this run cannot be left", cause))
  )

/** Reports the unclean ends before this start, and leaves the mark of this run in the folder until it ends. */
export const layer = (folder: string): Layer.Layer<never, never, Reporters> => Layer.scopedDiscard(make(folder))
