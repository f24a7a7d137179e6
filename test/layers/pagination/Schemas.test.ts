// Tables in another schema than the usual one: of PostgreSQL, or a database that SQLite has attached.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"

const columns = { id: Column.integer, name: Column.text, boss: Column.nullable(Column.integer) }
const Person = Entity.make("crm.people", { key: "id", columns, search: { columns: ["name"] } })
const Note = Entity.make("crm.notes", {
  key: "id",
  columns: { id: Column.integer, person_id: Column.integer, text: Column.text }
})
/** Of the same name, in the usual schema, with other rows. */
const Other = Entity.make("people", { key: "id", columns })

describeDatabases("A table in another schema", (database) => {
  const isSqlite = database.name === "SQLite"
  const usual = isSqlite ? "main" : "public"

  const create = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* isSqlite ? sql`ATTACH DATABASE ':memory:' AS crm` : sql`CREATE SCHEMA crm`
    for (const table of ["crm.people", `${usual}.people`]) {
      yield* sql.unsafe(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss INTEGER)`)
    }
    yield* sql`CREATE TABLE crm.notes (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL, text TEXT NOT NULL)`
    yield* sql`INSERT INTO crm.people VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cid', 1), (4, 'Dan', 2)`
    yield* sql.unsafe(`INSERT INTO ${usual}.people VALUES (9, 'Zoe', NULL)`)
    yield* sql`INSERT INTO crm.notes VALUES (1, 2, 'first'), (2, 2, 'second'), (3, 4, 'third')`
  })

  layer(database.layerEmpty)((it) => {
    it.effect("is filtered, ordered, searched, counted and walked through, with what it is related to", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* create
        const boss = Relation.one(Person, "boss")
        const notes = Relation.many(Note, "person_id")
        const newest = Relation.many(Note, "person_id", { selection: (all) => all.order("Desc", "id").limit(1) })
        const all = Selection.from(Person)
        const indexed = all.filter("boss", "equal", 1).order("Desc", "name")
        for (const statement of yield* IndexCheck.run(indexed, all.search("ann"))) yield* sql.unsafe(statement)
        expect(yield* IndexCheck.run(indexed, all.search("ann"))).toEqual([])
        const people = yield* SqlRepository.make(Person, { boss_row: boss, notes, newest })
        const names = (selection: typeof people.select) =>
          Effect.map(people.paginate(selection), ({ items }) => items.map(({ name }) => name))
        const { items, pagination } = yield* people.paginate(people.select.order("Desc", "id"))
        expect(items.map(({ boss_row, name }) => [name, boss_row?.name])).toEqual([
          ["Dan", "Bob"],
          ["Cid", "Ann"],
          ["Bob", "Ann"],
          ["Ann", undefined]
        ])
        expect(items.map((item) => [item.notes.length, item.newest.map(({ text }) => text)])).toEqual([
          [1, ["third"]],
          [0, []],
          [2, ["second"]],
          [0, []]
        ])
        expect(pagination.total).toBe(4)
        expect(yield* names(indexed)).toEqual(["Cid", "Bob"])
        expect(yield* names(people.select.search("ann"))).toEqual(["Ann"])
        expect(yield* names(people.select.match("name", "insensitive", "%D%").order("Asc", "id"))).toEqual([
          "Cid",
          "Dan"
        ])
        expect(yield* names(people.select.exists(notes, (note) => note.filter("text", "equal", "first")))).toEqual([
          "Bob"
        ])
        expect(yield* names(people.select.notExists(notes).order("Asc", "id"))).toEqual(["Ann", "Cid"])
        expect(yield* names(people.select.orderBy("Desc", boss, "name").order("Desc", "id"))).toEqual([
          "Dan",
          "Cid",
          "Bob",
          "Ann"
        ])
        for (const selection of [
          people.select.order("Asc", "boss", "Last").order("Desc", "name"),
          people.select.order("Desc", "name").order("Asc", "boss", "First"),
          people.select.orderBy("Asc", boss, "name").order("Desc", "id")
        ]) {
          const whole = yield* names(selection)
          for (const start of [{ cursor: "" }, { before: "" }] as const) {
            const seen: Array<string> = []
            let next: Parameters<typeof Pagination.make>[0] | undefined = { ...start, limit: 1 }
            while (next !== undefined) {
              const page: Paginated<{ readonly name: string }> = yield* people.paginate(
                selection,
                yield* Pagination.make(next)
              )
              seen.push(...page.items.map(({ name }) => name))
              const { next: after, previous } = page.pagination
              if ("cursor" in start) next = after === null ? undefined : { cursor: after, limit: 1 }
              else next = previous === null ? undefined : { before: previous, limit: 1 }
            }
            expect(seen).toEqual("cursor" in start ? whole : whole.toReversed())
          }
        }
      })
    )

    it.effect("is another one than that of its name in the usual schema, and changes of both are seen at once", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const named = Entity.make(`${usual}.people`, { key: "id", columns })
        const lists = [yield* SqlRepository.make(Other), yield* SqlRepository.make(named)]
        const people = yield* SqlRepository.make(Person)
        const ids = Effect.forEach([...lists, people], (list) =>
          Effect.map(list.paginate(), ({ items }) => items.map(({ id }) => id))
        )
        expect(yield* ids).toEqual([[9], [9], [1, 2, 3, 4]])
        yield* sql`INSERT INTO crm.people VALUES (5, 'Eve', NULL)`
        yield* sql.unsafe(`INSERT INTO ${usual}.people VALUES (10, 'Yan', NULL)`)
        expect(yield* ids).toEqual([
          [9, 10],
          [9, 10],
          [1, 2, 3, 4, 5]
        ])
        expect(yield* Effect.all([...lists, people].map((list) => sql.withTransaction(list.paginate())))).toHaveLength(
          3
        )
      })
    )

    it.effect("has a name of its own where it has a point in it", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE TABLE ${usual}."odd.name" (id INTEGER PRIMARY KEY)`)
        yield* sql.unsafe(`INSERT INTO ${usual}."odd.name" VALUES (7)`)
        const odd = yield* SqlRepository.make(
          Entity.make(`${usual}.odd.name`, { key: "id", columns: { id: Column.integer } })
        )
        expect((yield* odd.paginate()).items).toEqual([{ id: 7 }])
        const failure = yield* Effect.flip(
          SqlRepository.make(Entity.make("crm.peeple", { key: "id", columns: { id: Column.integer } }))
        )
        expect(failure.message).toBe("The entity does not fit the table crm.peeple: there is no such table.")
      })
    )
  })
})
