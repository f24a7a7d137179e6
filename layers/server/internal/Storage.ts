// The storage folder: created at startup, private to its owner, checked to be writable.
import { Effect } from "effect"
import cluster from "node:cluster"
import { access, constants, mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import type * as DatabaseUrl from "../../../src/database/DatabaseUrl.ts"
import { StartupError } from "../../../src/config/StartupError.ts"
import * as Creatable from "../../database/internal/Creatable.ts"
import * as PrivateFiles from "./PrivateFiles.ts"

/** The log of exceptions, in the folder. */
export const exceptions = (folder: string): string => join(folder, "logs", "exceptions.log")

/** The level from which the running processes log, once it was changed, in the folder. */
export const logLevel = (folder: string): string => join(folder, "logs", "level.json")

/** Where each worker leaves its snapshots, in the folder. */
export const metrics = (folder: string): string => join(folder, "metrics")

/** Where mails are kept that are files, in the folder. */
export const mails = (folder: string): string => join(folder, "mails")

/** Where uploads are until their requests end, in the folder. */
export const uploads = (folder: string): string => join(folder, "uploads")

/** The marks of the processes that run, in the folder. */
export const runs = (folder: string): string => join(folder, "runs")

/** The sockets of the processes that commands can reach, in the folder. */
export const control = (folder: string): string => join(folder, "control")

/** The heap snapshots and profiles of workers, in the folder. */
export const profiles = (folder: string): string => join(folder, "profiles")

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EROFS: "the file system is read-only",
  ENOTDIR: "a part of the path is a file",
  EEXIST: "it is a file, not a folder",
  ENOSPC: "the disk is full"
}

const refused = (folder: string, cause: unknown): StartupError => {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : String(cause)
  return new StartupError({
    reason: `STORAGE_DIR ${folder} cannot be used: ${reasons[code] ?? code}`,
    entry: "the-storage-folder"
  })
}

/** Creates the folder when it is missing; fails when it is not writable. */
export const prepare = (folder: string): Effect.Effect<void, StartupError> =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await access(folder, constants.W_OK | constants.X_OK)
    },
    catch: (cause) => refused(folder, cause)
  })

/** Fails where `prepare` would, and creates nothing. */
export const look = (folder: string): Effect.Effect<void, StartupError> =>
  Effect.try({ try: () => Creatable.check(folder), catch: (cause) => refused(folder, cause) })

/**
 * Takes the rights of other users away from the folder and from what earlier versions, or another umask, left in it:
 * folders 0700, files 0600. Warns once about what it may not change.
 */
export const protect = (folder: string, database: DatabaseUrl.DatabaseUrl): Effect.Effect<void> =>
  Effect.suspend(() => {
    const exposed = [
      ...PrivateFiles.folder(folder).exposed,
      ...inside(dirname(exceptions(folder))),
      ...inside(metrics(folder)),
      ...inside(runs(folder)),
      ...inside(profiles(folder)),
      ...PrivateFiles.folder(control(folder)).exposed,
      ...PrivateFiles.folder(uploads(folder)).exposed,
      ...mailFiles(mails(folder)),
      ...databaseFiles(folder, database)
    ]
    // Only the first of several workers logs it.
    if (exposed.length === 0 || (cluster.worker?.id ?? 1) !== 1) return Effect.void
    const list = exposed.map(({ path, reason }) => `${path} (${reason})`).join(", ")
    return Effect.logWarning(`Other users of this machine have rights to ${list}; take them away with chmod go= PATH`)
  })

const inside = (folder: string): ReadonlyArray<PrivateFiles.Exposed> => [
  ...PrivateFiles.folder(folder).exposed,
  ...PrivateFiles.filesOf(folder)
]

// There may be very many of them, and in a folder that was private nobody could reach them.
const mailFiles = (folder: string): ReadonlyArray<PrivateFiles.Exposed> => {
  const { exposed, wasOpen } = PrivateFiles.folder(folder)
  return wasOpen ? [...exposed, ...PrivateFiles.filesOf(folder)] : exposed
}

// A database elsewhere may be shared with other programs on purpose.
const databaseFiles = (folder: string, database: DatabaseUrl.DatabaseUrl): ReadonlyArray<PrivateFiles.Exposed> => {
  if (database._tag !== "Sqlite" || !PrivateFiles.contains(folder, database.path)) return []
  return ["", "-wal", "-shm", "-journal"].flatMap((suffix) => PrivateFiles.file(database.path + suffix).exposed)
}
