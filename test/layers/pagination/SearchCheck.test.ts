import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as EntityTables from "../../../layers/pagination/internal/EntityTables.ts"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as SearchCheck from "../../../layers/pagination/internal/SearchCheck.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"

const columns = { id: Column.integer, name: Column.text }

describeDatabases("The check of a full-text index", (database) => {
  const isSqlite = database.name === "SQLite"
  const table = Layer.effectDiscard(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)`
    )
  )

  layer(table.pipe(Layer.provideMerge(database.layerEmpty)))((it) => {
    it.effect("prints the statements that are missing, and they make what is needed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const Cup = Entity.make("cups", { key: "id", columns, search: { columns: ["name"] } })
        const list = Selection.from(Cup).anyOf((cup) => cup.search("tea"))
        const statements = yield* IndexCheck.run(list)
        expect(statements[0]).toMatch(isSqlite ? /^CREATE VIRTUAL TABLE "cups_search"/ : /^CREATE INDEX "cups_search"/)
        expect(yield* IndexCheck.run(Selection.from(Cup))).toEqual([])
        // SQLite cannot search without it; PostgreSQL can, slowly.
        const checked = yield* Effect.either(EntityTables.check(Cup))
        expect(checked._tag).toBe(isSqlite ? "Left" : "Right")
        if (checked._tag === "Left")
          expect(checked.left.message).toContain("no FTS5 table cups_search. Create it: CREATE")
        for (const statement of statements) yield* sql.unsafe(statement)
        expect(yield* IndexCheck.run(list)).toEqual([])
        yield* EntityTables.check(Cup)
      })
    )

    it.effect("finds that an index is another one", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE plain_search (name TEXT)`
        const other = isSqlite ? { table: "plain_search" } : { config: "english" }
        const Cup = Entity.make("cups", { key: "id", columns, search: { columns: ["name"], ...other } })
        expect(yield* SearchCheck.missing(sql, Cup)).not.toEqual([])
      })
    )

    it.effect("finds that an index is over columns in whose names the wanted ones are", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE titles (id INTEGER PRIMARY KEY, subtitle TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL)`
        const all = { id: Column.integer, subtitle: Column.text, title: Column.text, text: Column.text }
        const searchedBy = (...names: readonly ["subtitle" | "title", ...ReadonlyArray<"text">]) =>
          Entity.make("titles", { key: "id", columns: all, search: { columns: names } })
        const [Subtitles, Titles, Texts] = [searchedBy("subtitle"), searchedBy("title"), searchedBy("subtitle", "text")]
        for (const statement of yield* SearchCheck.missing(sql, Subtitles)) yield* sql.unsafe(statement)
        expect(yield* SearchCheck.missing(sql, Subtitles)).toEqual([])
        expect(yield* SearchCheck.missing(sql, Titles)).not.toEqual([])
        // PostgreSQL prints the type `text` in the definition of the index.
        expect(yield* SearchCheck.missing(sql, Texts)).not.toEqual([])
      })
    )

    it.effect("finds a key or a column that no search can use", () =>
      Effect.gen(function* () {
        const Named = Entity.make("cups", { key: "name", columns, search: { columns: ["name"] } })
        const Stored = Entity.make("cups", { key: "id", columns, search: { columns: ["name"], vector: "words" } })
        const failure = yield* Effect.flip(EntityTables.check(isSqlite ? Named : Stored))
        expect(failure.message).toContain(isSqlite ? "no single integer" : "words is declared as a vector to search")
        if (isSqlite) return
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE cups ADD COLUMN words TSVECTOR GENERATED ALWAYS AS (to_tsvector('simple', name)) STORED`
        yield* EntityTables.check(Stored)
        expect(yield* SearchCheck.missing(sql, Stored)).toHaveLength(1)
        yield* sql`CREATE INDEX cups_words ON cups USING gin (words)`
        expect(yield* SearchCheck.missing(sql, Stored)).toEqual([])
      })
    )
  })
})
