// Where declarations, stored data and databases meet: what a list promises holds, or the start says no.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import { sqlite as sqliteDialect } from "../../../src/pagination/internal/query/Dialect.ts"
import * as FullText from "../../../src/pagination/internal/query/FullText.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases, postgres, sqlite } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

describe("A text of PostgreSQL that is an enum, an address or a number", () => {
  layer(postgres.layerEmpty)((it) => {
    it.effect("is filtered by a part of it, and searched", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TYPE mood AS ENUM ('sad', 'glad')`
        yield* sql`CREATE TABLE hosts (id INTEGER PRIMARY KEY, mood mood NOT NULL, address INET NOT NULL, size NUMERIC)`
        yield* sql`INSERT INTO hosts VALUES (1, 'glad', '10.0.0.1', 12.5), (2, 'sad', '10.0.0.2', NULL)`
        const Hosts = Entity.make("hosts", {
          key: "id",
          columns: { id: Column.integer, mood: Column.text, address: Column.text, size: Column.nullable(Column.text) },
          search: { columns: ["mood", "address", "size"] }
        })
        const parameters = ListQuery.make(Hosts, {
          filters: {
            mood: { column: "mood", operator: "startsWith" },
            address: { column: "address", operator: "contains" },
            size: { column: "size", operator: "startsWith" }
          },
          search: { columns: ["mood", "address", "size"] }
        })
        const hosts = yield* SqlRepository.make(Hosts)
        const ids = (values: Readonly<Record<string, string>>) =>
          Effect.flatMap(parameters.decodeValues(values), ({ selection }) =>
            Effect.map(hosts.paginate(selection), ({ items }) => items.map(({ id }) => id))
          )
        expect(yield* ids({ mood: "GL" })).toEqual([1])
        expect(yield* ids({ address: "0.0.2" })).toEqual([2])
        expect(yield* ids({ size: "12" })).toEqual([1])
        expect(yield* ids({ q: "sad" })).toEqual([2])
        const found = yield* hosts.paginate(hosts.select.search("glad"))
        expect(found.items.map(({ id }) => id)).toEqual([1])
      })
    )
  })
})

describeDatabases("A word of a search", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("is what the guide says of this database", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const Letters = Entity.make("letters", {
          key: "id",
          columns: { id: Column.integer, text: Column.text },
          search: { columns: ["text"] }
        })
        yield* Things.create(Letters)
        const isSqlite = database.name === "SQLite"
        if (isSqlite) for (const statement of FullText.statements(sqliteDialect, Letters)) yield* sql.unsafe(statement)
        const texts = ["ann@example.com", "3.14", "a/b", "v1.2.3", "foo-bar", "foo_bar", "<b>bold</b>"]
        yield* Things.insert(
          Letters,
          texts.map((text, id) => ({ id, text }))
        )
        const letters = yield* SqlRepository.make(Letters)
        const found = (text: string) =>
          Effect.map(letters.paginate(letters.select.search(text).order("Asc", "id")), ({ items }) =>
            items.map((item) => item.id)
          )
        for (const [text, everywhere] of [
          ["ann@example.com", [0]],
          ["a/b", [2]],
          ["foo", [4, 5]],
          ["bold", [6]]
        ] as const) {
          expect(yield* found(text)).toEqual(everywhere)
        }
        for (const [text, parts] of [
          ["example", [0]],
          ["14", [1]],
          ["v1", [3]],
          ["b", [2, 6]]
        ] as const) {
          expect(yield* found(text)).toEqual(isSqlite ? parts : [])
        }
        expect(yield* found("foo-bar")).toEqual(isSqlite ? [4, 5] : [4])
      })
    )
  })
})

describe("A key of SQLite", () => {
  layer(sqlite.layerEmpty)((it) => {
    it.effect("that holds null does not come to a repository", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE words (word TEXT PRIMARY KEY)`
        const Words = Entity.make("words", { key: "word", columns: { word: Column.text } })
        yield* sql`INSERT INTO words VALUES ('a')`
        yield* SqlRepository.make(Words)
        yield* sql`INSERT INTO words VALUES (NULL)`
        const { problems } = yield* Effect.flip(SqlRepository.make(Words))
        expect(problems).toEqual([{ column: "word", declared: "text, never null", found: "TEXT, which may be null" }])
      })
    )

    it.effect("that is unique by another collation than it is compared by does not, either", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE codes (code TEXT COLLATE NOCASE NOT NULL)`
        yield* sql`CREATE UNIQUE INDEX codes_code ON codes (code COLLATE BINARY)`
        const Codes = Entity.make("codes", { key: "code", columns: { code: Column.text } })
        const { problems } = yield* Effect.flip(SqlRepository.make(Codes))
        expect(problems).toMatchObject([{ column: "code", declared: "the key" }])
        yield* sql`CREATE UNIQUE INDEX codes_nocase ON codes (code)`
        yield* SqlRepository.make(Codes)
      })
    )
  })
})

describeDatabases("A table whose name a statement could use for a part of itself", (database) => {
  layer(database.layerEmpty)((it) => {
    for (const name of ["list_page", "relation_keys", "relation_rows", "relation_1", "page", "one", "counted"]) {
      it.effect(`has its own rows: ${name}`, () =>
        Effect.gen(function* () {
          const Target = Entity.make(name, { key: "id", columns: { id: Column.integer, name: Column.text } })
          const Owner = Entity.make("owners", {
            key: "id",
            columns: { id: Column.integer, target_id: Column.integer }
          })
          yield* Things.fresh(Target, [
            { id: 1, name: "first" },
            { id: 2, name: "second" }
          ])
          yield* Things.fresh(Owner, [
            { id: 2, target_id: 1 },
            { id: 3, target_id: 2 }
          ])
          const owners = yield* SqlRepository.make(Owner, { target: Relation.one(Target, "target_id") })
          const { items } = yield* owners.paginate(owners.select.order("Asc", "id"))
          expect(items.map(({ target }) => target?.name)).toEqual(["first", "second"])
          const last = (all: typeof owners.select) => all.order("Desc", "id").limit(1)
          const targets = yield* SqlRepository.make(Target, {
            owners: Relation.many(Owner, "target_id", { selection: last })
          })
          const found = yield* targets.paginate(targets.select.order("Desc", "name"))
          expect(found.items.map((item) => item.owners.map(({ id }) => id))).toEqual([[3], [2]])
          const others = yield* SqlRepository.make(Owner, {
            same: Relation.many(Target, "id", { selection: (all) => all.order("Asc", "name").limit(2) })
          })
          const second = yield* others.paginate(others.select.filter("id", "equal", 2))
          expect(second.items[0]?.same).toEqual([{ id: 2, name: "second" }])
        })
      )
    }
  })
})
