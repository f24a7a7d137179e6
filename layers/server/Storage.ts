// The folder that the program keeps its files in: made at the start, private, and known to be writable.
import { Effect } from "effect"
import { access, constants, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { StartFailure } from "../../src/server/StartFailure.ts"

/** The log of exceptions, in the folder. */
export const exceptions = (folder: string): string => join(folder, "logs", "exceptions.log")

/** Where each worker leaves its snapshots, in the folder. */
export const metrics = (folder: string): string => join(folder, "metrics")

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "it is a file, not a folder",
  ENOSPC: "the disk is full"
}

/** Makes the folder when it is missing; fails in one line when nothing can be kept there. */
export const prepare = (folder: string): Effect.Effect<void, StartFailure> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK | constants.X_OK)
    },
    catch: (cause) => {
      const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause)
      return new StartFailure({ reason: `STORAGE_DIR ${folder} cannot be used: ${reasons[code] ?? code}` })
    }
  })
