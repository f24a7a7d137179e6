// Where declarations, stored data and databases meet: what a list promises holds, or the start says no.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Either } from "effect"
import * as EntityTables from "../../../layers/pagination/internal/EntityTables.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import { sqlite as sqliteDialect } from "../../../src/pagination/internal/query/Dialect.ts"
import * as FullText from "../../../src/pagination/internal/query/FullText.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
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

const insensitive = `CREATE COLLATION insensitive (provider = icu, locale = 'und-u-ks-level2', deterministic = false)`

describe("A text of PostgreSQL by whose collation different texts are equal", () => {
  layer(postgres.layerEmpty)((it) => {
    it.effect("is filtered by a part of it, searched, and read in its order", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(insensitive)
        yield* sql`CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT COLLATE insensitive NOT NULL)`
        yield* sql`CREATE SCHEMA zoo`
        yield* sql`CREATE TABLE zoo.pets (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL,
          name TEXT COLLATE insensitive NOT NULL, kind TEXT NOT NULL)`
        yield* sql`INSERT INTO owners VALUES (1, 'Ann'), (2, 'ann'), (3, 'Bob')`
        yield* sql`INSERT INTO zoo.pets VALUES (1, 1, 'Rex', 'dog'), (2, 2, 'rex', 'cat'), (3, 3, 'Tom', 'cat')`
        const Owners = Entity.make("owners", { key: "id", columns: { id: Column.integer, name: Column.text } })
        const Pets = Entity.make("zoo.pets", {
          key: "id",
          columns: { id: Column.integer, owner_id: Column.integer, name: Column.text, kind: Column.text },
          search: { columns: ["name", "kind"] }
        })
        const parameters = ListQuery.make(Pets, {
          filters: {
            name: { column: "name", operator: "startsWith" },
            part: { column: "name", operator: "contains" }
          },
          search: { columns: ["name", "kind"] }
        })
        const pets = yield* SqlRepository.make(Pets)
        const idsOf = (selection: typeof pets.select) =>
          Effect.map(pets.paginate(selection.order("Asc", "id")), ({ items }) => items.map(({ id }) => id))
        const ids = (values: Readonly<Record<string, string>>) =>
          Effect.flatMap(parameters.decodeValues(values), ({ selection }) => idsOf(selection))
        expect(yield* ids({ name: "RE" })).toEqual([1, 2])
        expect(yield* ids({ part: "EX" })).toEqual([1, 2])
        expect(yield* ids({ q: "rex" })).toEqual([1, 2])
        expect(yield* idsOf(pets.select.match("name", "like", "R%"))).toEqual([1])
        expect(yield* idsOf(pets.select.filter("name", "equal", "REX"))).toEqual([1, 2])
        expect(yield* idsOf(pets.select.search("cat"))).toEqual([2, 3])
        const owned = Relation.one(Owners, "owner_id")
        const byAnn = pets.select.exists(owned, (owner) => owner.match("name", "insensitive", "AN%"))
        expect(yield* idsOf(byAnn)).toEqual([1, 2])
        const seen: Array<number> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const part = yield* Pagination.make({ cursor, limit: 1 })
          const page: Paginated<{ readonly id: number }> = yield* pets.paginate(pets.select.order("Desc", "name"), part)
          seen.push(...page.items.map(({ id }) => id))
          cursor = page.pagination.next
        }
        expect(seen).toEqual([3, 1, 2])
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
  const Words = Entity.make("words", { key: "word", columns: { word: Column.text } })

  layer(sqlite.layerEmpty)((it) => {
    it.effect("that may hold null does not come to a repository", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [declared, found] = ["integer, never null", "INTEGER, which may be null: add NOT NULL"]
        for (const [columns, wrong] of [
          ["a INTEGER, b INTEGER, PRIMARY KEY (a, b)", ["a", "b"]],
          ["a INTEGER NOT NULL, b INTEGER, PRIMARY KEY (a, b)", ["b"]],
          ["a INTEGER, b INTEGER NOT NULL, UNIQUE (a, b)", ["a"]],
          ["a INTEGER PRIMARY KEY DESC, b INTEGER NOT NULL", ["a"]],
          ["a INTEGER PRIMARY KEY, b INTEGER NOT NULL", []],
          ["a INTEGER NOT NULL, b INTEGER NOT NULL, PRIMARY KEY (a, b)", []]
        ] as const) {
          for (const suffix of wrong.length > 0 ? [""] : ["", " STRICT"]) {
            yield* sql`DROP TABLE IF EXISTS pairs`
            yield* sql.unsafe(`CREATE TABLE pairs (${columns})${suffix}`)
            const Pairs = Entity.make("pairs", { key: ["a", "b"], columns: { a: Column.integer, b: Column.integer } })
            const checked = yield* Effect.either(EntityTables.check(Pairs))
            const problems = Either.isLeft(checked) ? checked.left.problems : []
            expect([columns, problems]).toEqual([columns, wrong.map((column) => ({ column, declared, found }))])
          }
        }
        // Their keys are NOT NULL without these words.
        yield* sql`CREATE TABLE words (word TEXT PRIMARY KEY) STRICT`
        yield* EntityTables.check(Words)
        yield* sql`DROP TABLE words`
        yield* sql`CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID`
        yield* EntityTables.check(Words)
      })
    )

    it.effect("that holds null all the same is a foreign value, and hides no row", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE IF EXISTS words`
        yield* sql`CREATE TABLE words (word TEXT PRIMARY KEY)`
        yield* sql`INSERT INTO words VALUES ('a'), (NULL)`
        const words = yield* SqlRepository.make(Words, {}, { check: false })
        for (const options of [{ page: 1 }, { page: 1, counting: "capped" }, { cursor: "" }, { before: "" }] as const) {
          const failure = yield* Effect.flip(words.paginate(undefined, yield* Pagination.make(options)))
          expect(failure).toMatchObject({ _tag: "ForeignValue", table: "words", column: "word" })
        }
      })
    )
  })
})

describeDatabases("A key that is unique by another collation", (database) => {
  layer(database.layerEmpty)((it) => {
    const isSqlite = database.name === "SQLite"
    const [folding, exact] = isSqlite ? ["NOCASE", "BINARY"] : ["insensitive", '"C"']
    const Codes = Entity.make("codes", { key: "code", columns: { code: Column.text } })
    const Wares = Entity.make("wares", {
      key: ["shop", "code"],
      columns: { shop: Column.integer, code: Column.text }
    })
    const isKey = (entity: typeof Codes | typeof Wares, collation: string, indexed: string) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const shop = entity === Wares ? "shop INTEGER NOT NULL, " : ""
        yield* sql.unsafe(`DROP TABLE IF EXISTS ${entity.table}`)
        yield* sql.unsafe(`CREATE TABLE ${entity.table} (${shop}code TEXT COLLATE ${collation} NOT NULL)`)
        const columns = `${entity === Wares ? "shop, " : ""}code COLLATE ${indexed}`
        yield* sql.unsafe(`CREATE UNIQUE INDEX ${entity.table}_key ON ${entity.table} (${columns})`)
        return Either.isRight(yield* Effect.either(EntityTables.check(entity)))
      })

    it.effect("is one only where what it takes for equal the column does, too", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        if (!isSqlite) yield* sql.unsafe(insensitive)
        for (const entity of [Codes, Wares]) {
          const found = [
            yield* isKey(entity, folding, exact),
            yield* isKey(entity, folding, folding),
            // What is unique whatever the case of its letters is unique by its bytes.
            yield* isKey(entity, exact, folding),
            yield* isKey(entity, exact, exact)
          ]
          expect([entity.table, found]).toEqual([entity.table, [false, true, true, true]])
        }
      })
    )

    it.effect("loses no row where it is one", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* isKey(Wares, folding, folding)).toBe(true)
        yield* sql`INSERT INTO wares VALUES (1, 'b'), (1, 'A'), (2, 'a'), (1, 'C'), (2, 'B'), (3, 'A')`
        const wares = yield* SqlRepository.make(Wares)
        const seen: Array<string> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const part = yield* Pagination.make({ cursor, limit: 1 })
          const page: Paginated<{ readonly shop: number; readonly code: string }> = yield* wares.paginate(
            wares.select.order("Asc", "code"),
            part
          )
          seen.push(...page.items.map(({ code, shop }) => `${code}${shop}`))
          cursor = page.pagination.next
        }
        expect(seen).toEqual(["A1", "a2", "A3", "b1", "B2", "C1"])
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
