import { SqlClient, Statement } from "@effect/sql"
import { describe, expect, inject, it, layer } from "@effect/vitest"
import { ConfigProvider, Context, Deferred, Effect, Exit, Fiber, Layer, Option } from "effect"
import * as Database from "../../../layers/database/Database.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import { describeDatabases, sqlite, TestDatabase } from "../../support/Databases.ts"
import Sqlite from "better-sqlite3"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Sqlite as SqliteUrl } from "../../../src/database/DatabaseUrl.ts"
import { isUnavailable } from "../../../src/errors/internal/DatabaseFailure.ts"
import { deadline, runConcurrently } from "../../support/ConcurrentProcesses.ts"

const withUrl = (url: string | undefined) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map(url === undefined ? [] : [["DATABASE_URL", url]])))

describe("DATABASE_URL", () => {
  it.effect("stops the start with one line when it is neither, and masks a password", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        withUrl("mysql://root:hunter2@localhost/x")(Effect.scoped(Layer.build(Database.layerConfig)))
      )
      const line =
        'DATABASE_URL is "mysql://root:********@localhost/x", expected file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
      expect(String(refused)).toContain(line)
      expect(String(refused)).not.toContain("hunter2")
    })
  )
})

describeDatabases("Database", (database) => {
  layer(database.layer)((it) => {
    it.effect("is the one that DATABASE_URL names", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const tables = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT count(*) AS total FROM users`)
        expect(yield* withUrl(url)(Effect.provide(tables, Database.layerConfig))).toEqual([{ total: 0 }])
      })
    )

    it.scoped("shows a prepared read what another connection has just committed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const { url } = yield* TestDatabase
        const read = prepared.one(sql<{ email: string; created_at: number }>`
          SELECT email, created_at FROM users WHERE id = ${""} AND created_at > ${0}`)
        const other = Context.get(yield* Layer.build(database.layerAt(url)), SqlClient.SqlClient)
        expect(yield* read(["shown", 0])).toEqual(Option.none())
        for (const email of ["a@example.com", "b@example.com", "c@example.com"]) {
          yield* other`INSERT INTO users ${other.insert({ id: "shown", email, password: "", created_at: 5 })}
            ON CONFLICT (id) DO UPDATE SET email = excluded.email`
          expect(yield* read(["shown", 0])).toEqual(Option.some({ email, created_at: 5 }))
        }
        expect(yield* read(["shown", 5])).toEqual(Option.none())
      })
    )

    it.effect("keeps what is not committed from a prepared read", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql`SELECT email FROM users WHERE id = ${""}`)
        const insert = sql`INSERT INTO users ${sql.insert({ id: "open", email: "open@example.com", password: "", created_at: 1 })}`
        expect(yield* sql.withTransaction(Effect.zipRight(insert, read(["open"])))).toEqual(Option.none())
        expect(yield* read(["open"])).toEqual(Option.some({ email: "open@example.com" }))
      })
    )

    it.effect("fails a prepared read of a table that is not there with a SqlError, and reads it once it is", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql`SELECT id FROM later WHERE id = ${""}`)
        expect((yield* Effect.flip(read(["x"])))._tag).toBe("SqlError")
        yield* sql`CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY)`
        yield* sql`INSERT INTO later (id) VALUES ('x')`
        expect(yield* read(["x"])).toEqual(Option.some({ id: "x" }))
      })
    )

    it.effect("tells one unique violation from another failure by its code", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const enroll = (id: string) =>
          sql`INSERT INTO users ${sql.insert({ id, email: "twice@example.com", password: "", created_at: 1 })}`
        yield* enroll("first")
        const refused = yield* Effect.flip(enroll("second"))
        expect(refused.cause).toMatchObject({ code: database.name === "SQLite" ? "SQLITE_CONSTRAINT_UNIQUE" : "23505" })
      })
    )

    it.effect("undoes a failed transaction", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = sql`INSERT INTO users ${sql.insert({ id: "undone", email: "undone@example.com", password: "", created_at: 1 })}`
        yield* Effect.exit(sql.withTransaction(Effect.zipRight(insert, Effect.fail("no"))))
        expect(yield* sql`SELECT id FROM users WHERE id = ${"undone"}`).toEqual([])
      })
    )
  })

  layer(database.layer)((it) => {
    it.effect("is empty of what another block has written", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT count(*) AS total FROM users`).toEqual([{ total: 0 }])
      })
    )
  })
})

const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(inject("temporaryFolder"), "folder-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

const modeOf = (path: string) => (Fs.statSync(path).mode & 0o777).toString(8)

const open = (path: string) => Effect.provide(SqlClient.SqlClient, Database.layer(SqliteUrl({ path })))

describe("SqliteDatabase", () => {
  layer(sqlite.layer)((it) => {
    it.effect("has WAL, a busy timeout of 5 s, foreign keys and synchronous NORMAL in force", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const pragma = (name: string) => Effect.map(sql.unsafe(`PRAGMA ${name}`).values, (rows) => rows[0]?.[0])
        expect(yield* pragma("journal_mode")).toBe("wal")
        expect(yield* pragma("busy_timeout")).toBe(5000)
        expect(yield* pragma("foreign_keys")).toBe(1)
        expect(yield* pragma("synchronous")).toBe(1)
      })
    )

    it.effect("takes the write lock when a transaction begins", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* TestDatabase
        const other = new Sqlite(url.slice("file:".length), { timeout: 0 })
        const attempt = Effect.sync(() => {
          try {
            other.exec("BEGIN IMMEDIATE; ROLLBACK")
            return "free"
          } catch (cause) {
            return cause instanceof Sqlite.SqliteError ? cause.code : "?"
          }
        })
        expect(yield* sql.withTransaction(attempt)).toBe("SQLITE_BUSY")
        expect(yield* attempt).toBe("free")
        other.close()
      })
    )

    it.effect("says that the database is unavailable when another process keeps the write lock", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* TestDatabase
        const other = new Sqlite(url.slice("file:".length))
        other.exec("BEGIN IMMEDIATE")
        yield* sql`PRAGMA busy_timeout = 10`
        const refused = yield* Effect.flip(sql.withTransaction(Effect.void))
        expect(isUnavailable(refused)).toBe(true)
        other.exec("ROLLBACK")
        yield* sql`PRAGMA busy_timeout = 5000`
        expect(yield* sql.withTransaction(Effect.succeed("again"))).toBe("again")
        other.close()
      })
    )

    it.effect("undoes a failed inner transaction alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE nested (id TEXT NOT NULL)`
        const inner = Effect.zipRight(sql`INSERT INTO nested VALUES ('inner')`, Effect.fail("no")).pipe(
          sql.withTransaction
        )
        yield* sql`INSERT INTO nested VALUES ('outer')`.pipe(Effect.zipRight(Effect.ignore(inner)), sql.withTransaction)
        expect(yield* sql`SELECT id FROM nested`).toEqual([{ id: "outer" }])
      })
    )

    it.effect("stays usable after a commit that a deferred constraint refuses", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE parents (id TEXT NOT NULL PRIMARY KEY)`
        yield* sql`CREATE TABLE children (parent TEXT REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)`
        const orphan = sql.withTransaction(sql`INSERT INTO children VALUES ('nobody')`)
        expect(Exit.isFailure(yield* Effect.exit(orphan))).toBe(true)
        yield* sql.withTransaction(sql`INSERT INTO parents VALUES ('a')`)
        expect(yield* sql`SELECT * FROM children`).toEqual([])
      })
    )

    it.effect("rolls back the transaction of an interrupted fiber", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE interrupted (id TEXT NOT NULL)`
        const reached = yield* Deferred.make<void>()
        const fiber = yield* sql`INSERT INTO interrupted VALUES ('half')`.pipe(
          Effect.zipRight(Deferred.succeed(reached, undefined)),
          Effect.zipRight(Effect.never),
          sql.withTransaction,
          Effect.fork
        )
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(fiber)
        expect(yield* sql`SELECT * FROM interrupted`).toEqual([])
      })
    )

    it.effect.each(["a transaction", "a connection that the program has reserved"])(
      "keeps a statement beside %s out of it",
      (name) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const table = sql(name)
          yield* sql`CREATE TABLE ${table} (id TEXT NOT NULL)`
          const reached = yield* Deferred.make<void>()
          const end = yield* Deferred.make<void>()
          const inside = Effect.zipRight(Deferred.succeed(reached, undefined), Deferred.await(end))
          const transaction = sql`INSERT INTO ${table} VALUES ('undone')`.pipe(
            Effect.zipRight(Effect.zipRight(inside, Effect.fail("no"))),
            sql.withTransaction
          )
          const reserved = Effect.gen(function* () {
            const connection = yield* sql.reserve
            yield* connection.executeUnprepared("BEGIN", [], undefined)
            yield* inside
            yield* connection.executeUnprepared("ROLLBACK", [], undefined)
          }).pipe(Effect.scoped)
          const first = yield* Effect.fork(Effect.exit(name === "a transaction" ? transaction : reserved))
          yield* Deferred.await(reached)
          const second = yield* Effect.fork(sql`INSERT INTO ${table} VALUES ('kept')`)
          yield* Effect.yieldNow()
          yield* Deferred.succeed(end, undefined)
          yield* Fiber.join(Fiber.zip(first, second))
          expect(yield* sql`SELECT id FROM ${table}`).toEqual([{ id: "kept" }])
        })
    )

    it.effect("keeps a statement whose fiber pauses within it out of a transaction that begins meanwhile", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE pauses (ops INTEGER NOT NULL)`
        const undone = sql.withTransaction(
          Effect.zipRight(Effect.repeatN(Effect.yieldNow(), 100), Effect.fail("undone"))
        )
        const rows = Array.from({ length: 50 }, (_, index) => ({ ops: index + 10 }))
        for (const { ops } of rows) {
          const write = Effect.withMaxOpsBeforeYield(sql`INSERT INTO pauses VALUES (${ops})`, ops)
          yield* Effect.all([write, Effect.exit(undone)], { concurrency: "unbounded" })
        }
        expect(yield* sql`SELECT ops FROM pauses ORDER BY ops`).toEqual(rows)
      })
    )

    it.effect("lets a program change its statements", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const other = Statement.withTransformer((_, make) => Effect.succeed(make`SELECT 2 AS value`))
        expect(yield* sql`SELECT 1 AS value`.pipe(other)).toEqual([{ value: 2 }])
      })
    )

    it.effect("keeps the connection of prepared reads from writing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const write = prepared.one(sql`DELETE FROM users WHERE id = ${""} RETURNING id`)
        expect((yield* Effect.flip(write(["a"]))).cause).toMatchObject({ code: "SQLITE_READONLY" })
      })
    )
  })

  layer(sqlite.layer)((it) => {
    it.effect(
      "loses no transaction that reads and then writes, from three processes at once",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { url } = yield* TestDatabase
          yield* sql`CREATE TABLE counter (value INTEGER NOT NULL)`
          yield* sql`INSERT INTO counter VALUES (0)`
          expect(yield* runConcurrently(3, url, "increment")).toEqual([100, 100, 100])
          expect(yield* sql`SELECT value FROM counter`).toEqual([{ value: 300 }])
        }),
      deadline
    )
  })

  it.scoped("makes the folder 0700 and the file with its log 0600", () =>
    Effect.gen(function* () {
      const file = Path.join(yield* temporaryFolder, "deep", "er", "new.sqlite")
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE t (id TEXT)`
        expect([modeOf(Path.dirname(file)), modeOf(file), modeOf(`${file}-wal`)]).toEqual(["700", "600", "600"])
      }).pipe(Effect.provide(Database.layer(SqliteUrl({ path: file }))))
      // Closed in order, it leaves one file that can be copied.
      expect(Fs.readdirSync(Path.dirname(file))).toEqual(["new.sqlite"])
    })
  )

  it.scoped("takes an empty file for a new database", () =>
    Effect.gen(function* () {
      const file = Path.join(yield* temporaryFolder, "empty.sqlite")
      Fs.writeFileSync(file, "")
      const sql = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 AS one`)
      expect(yield* Effect.provide(sql, Database.layer(SqliteUrl({ path: file })))).toEqual([{ one: 1 }])
    })
  )

  it.scoped("refuses a file that is not a database in one line, and leaves it as it is", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = Path.join(folder, "letter.txt")
      const text = "Dear reader, ".repeat(100)
      Fs.writeFileSync(file, text)
      const refused = yield* Effect.flip(open(file))
      expect(refused.message).toBe(`The database ${file} cannot be used: the file is not a SQLite database`)
      expect(Fs.readFileSync(file, "utf8")).toBe(text)
      expect(Fs.readdirSync(folder)).toEqual(["letter.txt"])
    })
  )

  it.scoped("refuses a damaged database", () =>
    Effect.gen(function* () {
      const file = Path.join(yield* temporaryFolder, "damaged.sqlite")
      const database = new Sqlite(file)
      database.exec("CREATE TABLE t (id TEXT)")
      database.close()
      const bytes = Fs.readFileSync(file)
      Fs.writeFileSync(file, bytes.fill(0x5a, 100, 4096))
      expect((yield* Effect.flip(open(file))).reason).toBe("the file is damaged")
    })
  )

  it.scoped("refuses a folder, a path through a file and a device", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      Fs.writeFileSync(Path.join(folder, "file"), "")
      expect((yield* Effect.flip(open(folder))).reason).toBe("it is not a file")
      expect((yield* Effect.flip(open("/dev/null"))).reason).toBe("it is not a file")
      expect((yield* Effect.flip(open(Path.join(folder, "file", "x.sqlite")))).reason).toBe(
        "a part of its path is a file and not a folder"
      )
    })
  )

  it.scoped(
    "refuses a folder and a file that this user may not write, and makes nothing there",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        Fs.mkdirSync(Path.join(folder, "closed"))
        Fs.writeFileSync(Path.join(folder, "read-only.sqlite"), "")
        Fs.chmodSync(Path.join(folder, "closed"), 0o555)
        Fs.chmodSync(Path.join(folder, "read-only.sqlite"), 0o444)
        Fs.chmodSync(folder, 0o555)
        const files = ["closed/new.sqlite", "missing/new.sqlite", "read-only.sqlite"].map((name) =>
          Path.join(folder, name)
        )
        const reason = "the file or its folder is not writable for this user"
        expect(yield* runConcurrently(1, files.join(), "open")).toEqual([[reason, reason, reason]])
        Fs.chmodSync(folder, 0o755)
        expect(Fs.readdirSync(folder)).toEqual(["closed", "read-only.sqlite"])
        expect(Fs.readdirSync(Path.join(folder, "closed"))).toEqual([])
      }),
    deadline
  )
})
