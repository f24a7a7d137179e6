// Reads the log of exceptions and its rotated files. No server has to run.
import { Effect, Layer, Option } from "effect"
import { type FileHandle, open, readdir } from "node:fs/promises"
import { basename, dirname } from "node:path"
import * as RotatedFile from "./RotatedFile.ts"
import { add, ExceptionLog, type Group, parse, sorted } from "../../../src/errors/internal/ExceptionGroups.ts"

// What cannot be read, say by another user, is not a log without exceptions.
const undefinedIfMissing = (error: unknown): undefined => {
  if (!RotatedFile.isMissing(error)) throw error
}

// `exceptions.log.5` is the oldest; 0 where there is only one, or none.
const oldestOf = async (path: string): Promise<number> => {
  const names = (await readdir(dirname(path)).catch(undefinedIfMissing)) ?? []
  const start = `${basename(path)}.`
  const ages = names.map((name) => (name.startsWith(start) ? name.slice(start.length) : ""))
  return Math.max(0, ...ages.filter((age) => /^\d{1,4}$/.test(age)).map(Number))
}

// From the newest to the oldest, since a rotation meanwhile gives a file the name of an older one: there it is met again. One
// that is open is read to its end under any name. A name may be missing for the moment in which it changes hands.
const openAll = async (path: string, opened: Map<number, FileHandle>): Promise<void> => {
  const oldest = await oldestOf(path)
  let missing = 0
  for (let age = 0; age <= oldest || missing < 2; age++) {
    const file = await open(age === 0 ? path : `${path}.${age}`).catch(undefinedIfMissing)
    missing = file === undefined ? missing + 1 : 0
    if (file === undefined) continue
    const { ino } = await file.stat()
    if (opened.has(ino)) await file.close()
    else opened.set(ino, file)
  }
}

/** The exceptions of a log by their fingerprints, the one that happened last first; none where there is no log. */
export const groups = (path: string): Effect.Effect<ReadonlyArray<Group>> =>
  Effect.promise(async () => {
    const found = new Map<string, Group>()
    const opened = new Map<number, FileHandle>()
    try {
      await openAll(path, opened)
      for (const file of [...opened.values()].reverse()) {
        for await (const line of file.readLines({ encoding: "utf8" })) {
          Option.map(parse(line), (sample) => add(found, sample))
        }
      }
    } finally {
      await Promise.all(Array.from(opened.values(), (file) => file.close()))
    }
    return sorted(found)
  })

/** The log at this path, for the panel. */
export const layer = (path: string): Layer.Layer<never> => Layer.succeed(ExceptionLog, { groups: groups(path) })
