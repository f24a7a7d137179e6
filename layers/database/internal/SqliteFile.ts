// Opens or creates the file of a SQLite database: private to its owner and in WAL mode. A failed creation leaves no file.
import { SqlError } from "@effect/sql"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"

/** Milliseconds: long enough for a burst of writers. The wait blocks the event loop, so write transactions must be short. */
export const busyTimeout = 5000

/** The absolute path of a file that is a SQLite database in WAL mode, made when it was missing. */
export const ready = (path: string): Effect.Effect<string, DatabaseUnavailable> =>
  Effect.try({
    try: () => {
      const file = Path.resolve(path)
      const made = make(file)
      try {
        check(file)
        enterWal(file)
        return file
      } catch (cause) {
        if (made) for (const suffix of ["", "-wal", "-shm"]) Fs.rmSync(`${file}${suffix}`, { force: true })
        throw cause
      }
    },
    catch: (cause) => refused(path, cause)
  })

/** Throws where the file cannot be a database that this user writes. */
export const check = (file: string): true => {
  if (!Fs.statSync(file).isFile()) throw new Error("it is not a file")
  Fs.accessSync(file, Fs.constants.R_OK | Fs.constants.W_OK)
  // The write-ahead log lives beside the file.
  Fs.accessSync(Path.dirname(file), Fs.constants.W_OK | Fs.constants.X_OK)
  return true
}

/** The error, with a reason that tells an operator what to do. */
export const refused = (path: string, cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable({ database: path, reason: reasonOf(cause) })

/** A connection that fails with this error, whatever the driver threw on the way. */
export const orRefused =
  (path: string) =>
  <A, E, R>(connection: Effect.Effect<A, E, R>): Effect.Effect<A, DatabaseUnavailable, R> =>
    connection.pipe(
      Effect.catchAllDefect((cause) => Effect.fail(cause)),
      Effect.mapError((cause) => refused(path, cause instanceof SqlError.SqlError ? cause.cause : cause))
    )

const make = (file: string): boolean => {
  Fs.mkdirSync(Path.dirname(file), { recursive: true, mode: 0o700 })
  try {
    // Exclusive: of several processes that start at once only the one that created the file may delete it.
    Fs.closeSync(Fs.openSync(file, "wx", 0o600))
    return true
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return false
    throw cause
  }
}

// Only one connection can turn a file to WAL, and the others get SQLITE_BUSY without waiting.
const enterWal = (file: string): void => {
  const until = Date.now() + busyTimeout
  const database = new Sqlite(file, { fileMustExist: true, timeout: busyTimeout })
  try {
    for (;;) {
      try {
        database.prepare("SELECT count(*) FROM sqlite_schema").get()
        const mode = database.pragma("journal_mode = WAL", { simple: true })
        if (mode !== "wal") throw new Error("its file system cannot hold a write-ahead log")
        return
      } catch (cause) {
        if (!codeOf(cause).startsWith("SQLITE_BUSY") || Date.now() > until) throw cause
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
    }
  } finally {
    database.close()
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "the file or its folder is not writable for this user",
  EPERM: "the file or its folder is not writable for this user",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  ENOTDIR: "a part of its path is a file and not a folder",
  EEXIST: "a part of its path is a file and not a folder",
  SQLITE_NOTADB: "the file is not a SQLite database",
  SQLITE_CORRUPT: "the file is damaged",
  SQLITE_READONLY: "the file or its folder is not writable for this user",
  SQLITE_FULL: "the disk is full",
  SQLITE_BUSY: "another process keeps it locked"
}

const reasonOf = (cause: unknown): string => {
  const code = codeOf(cause)
  const [line] = (cause instanceof Error ? cause.message : String(cause)).split("\n")
  return reasons[code] ?? reasons[code.replace(/^(SQLITE_[A-Z]+)_.*$/, "$1")] ?? (line || "unknown")
}

const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""
