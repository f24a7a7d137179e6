// Reads the file of a SQLite database and makes nothing beside it. A file that no program has open is read as a copy: even
// a connection that only reads would leave a write-ahead log of its own user there.
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Context, Effect, Layer, type Scope } from "effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import type { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import * as Creatable from "./Creatable.ts"
import * as SqliteFile from "./SqliteFile.ts"

// Larger ones would fill the folder of temporary files.
const maxBytes = 256 * 1024 * 1024

const isOpen = (file: string): boolean => ["-wal", "-shm"].every((suffix) => Fs.existsSync(file + suffix))

// Whatever is thrown on the way says why the database cannot be used.
const attempt = <A>(path: string, use: () => A): Effect.Effect<A, DatabaseUnavailable> =>
  Effect.try({ try: use, catch: (cause) => SqliteFile.refused(path, cause) })

const copied = (path: string, file: string): Effect.Effect<string, DatabaseUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(path, () => Fs.mkdtempSync(Path.join(Os.tmpdir(), "doctor-"))),
    (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
  ).pipe(
    Effect.flatMap((folder) =>
      attempt(path, () => {
        const copy = Path.join(folder, "copy.sqlite")
        for (const suffix of ["", "-wal"].filter((suffix) => Fs.existsSync(file + suffix))) {
          Fs.copyFileSync(file + suffix, copy + suffix, Fs.constants.COPYFILE_FICLONE)
        }
        return copy
      })
    )
  )

/** The file to read; `:memory:` where the first start makes it. */
const place = (path: string) =>
  Effect.gen(function* () {
    const file = Path.resolve(path)
    const isThere = yield* attempt(path, () => {
      if (Fs.existsSync(file)) return SqliteFile.check(file)
      Creatable.check(Path.dirname(file))
      return false
    })
    if (!isThere) return ":memory:"
    if (isOpen(file)) return file
    if (Fs.statSync(file).size > maxBytes) {
      const reason = "it is too large to be looked at while no program has it open; start the program"
      return yield* SqliteFile.refused(path, new Error(reason))
    }
    return yield* copied(path, file)
  })

const make = (path: string) =>
  Effect.gen(function* () {
    const filename = yield* place(path)
    const client = yield* SqliteClient.make({ filename, readonly: filename !== ":memory:", disableWAL: true }).pipe(
      Effect.tap((sql) => sql`SELECT count(*) FROM sqlite_schema`),
      SqliteFile.orRefused(path)
    )
    return Context.make(SqlClient.SqlClient, client)
  })

/** The database in this file, for reading; an empty one where the file is missing. */
export const layer = (path: string): Layer.Layer<SqlClient.SqlClient, DatabaseUnavailable> =>
  Layer.scopedContext(make(path)).pipe(Layer.provide(Reactivity.layer))
