// Reads the log of exceptions and its rotated files. No server has to run.
import { Effect, Layer, Option } from "effect"
import { createReadStream } from "node:fs"
import { readdir } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { createInterface } from "node:readline"
import * as RotatedFile from "./RotatedFile.ts"
import { add, ExceptionLog, type Group, parse, sorted } from "../../../src/errors/internal/ExceptionGroups.ts"

// What cannot be read, say by another user, is not a log without exceptions.
const noneIfMissing = (error: unknown): ReadonlyArray<string> => {
  if (RotatedFile.isMissing(error)) return []
  throw error
}

// `exceptions.log.5` is the oldest.
const filesOf = async (path: string): Promise<ReadonlyArray<string>> => {
  const name = basename(path)
  const names = await readdir(dirname(path)).catch(noneIfMissing)
  const ages = names.flatMap((other) => {
    const age = other === name ? "0" : other.startsWith(`${name}.`) ? other.slice(name.length + 1) : ""
    return /^\d+$/.test(age) ? [[Number(age), join(dirname(path), other)] as const] : []
  })
  return ages.sort(([a], [b]) => b - a).map(([, file]) => file)
}

// A file that is rotated away meanwhile is read to its end: it is open.
const read = async (file: string, groups: Map<string, Group>): Promise<void> => {
  try {
    for await (const line of createInterface({ input: createReadStream(file, "utf8"), crlfDelay: Infinity })) {
      Option.map(parse(line), (sample) => add(groups, sample))
    }
  } catch (error) {
    // It was removed since the folder was read.
    noneIfMissing(error)
  }
}

/** The exceptions of a log by their fingerprints, the one that happened last first; none where there is no log. */
export const groups = (path: string): Effect.Effect<ReadonlyArray<Group>> =>
  Effect.promise(async () => {
    const found = new Map<string, Group>()
    for (const file of await filesOf(path)) await read(file, found)
    return sorted(found)
  })

/** The log at this path, for the panel. */
export const layer = (path: string): Layer.Layer<never> => Layer.succeed(ExceptionLog, { groups: groups(path) })
