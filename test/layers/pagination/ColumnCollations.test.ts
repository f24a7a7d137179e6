import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Either, Exit, FastCheck as fc, Layer } from "effect"
import * as ColumnCollations from "../../../layers/pagination/internal/ColumnCollations.ts"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases, type Engine, sqlite } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { Direction } from "../../../src/pagination/Selection.ts"
import * as Table from "./model/Table.ts"
import { kinds } from "./model/ValueKinds.ts"
import { spied, statementsOf } from "./Spy.ts"

const columns = { id: Column.integer, name: Column.text, size: Column.integer, code: Column.text } as const
const Cup = Entity.make("cups", { key: "id", columns })

describe("The collations of columns", () => {
  layer(sqlite.layerEmpty)((it) => {
    it.effect("are what SQLite compares by", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const None = Entity.make("none", { key: "id", columns })
        expect(yield* ColumnCollations.read(sql, None)).toEqual(new Map())
        yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT COLLATE nocase NOT NULL,
          size INTEGER NOT NULL, code TEXT NOT NULL DEFAULT 'COLLATE NOCASE' COLLATE "RTRIM")`
        yield* sql`CREATE INDEX cups_name ON cups (name)`
        const found = new Map([
          ["name", "NOCASE"],
          ["size", "BINARY"],
          ["code", "RTRIM"]
        ])
        expect(yield* ColumnCollations.read(sql, Cup)).toEqual(found)
        yield* sql`ALTER TABLE cups RENAME COLUMN name TO code_`
        yield* sql`ALTER TABLE cups RENAME COLUMN code TO name`
        yield* sql`ALTER TABLE cups RENAME COLUMN code_ TO code`
        expect([...(yield* ColumnCollations.read(sql, Cup)).entries()]).toEqual([
          ["name", "RTRIM"],
          ["size", "BINARY"],
          ["code", "NOCASE"]
        ])
      })
    )
  })
})

describeDatabases("The collation of an index", (database) => {
  const [own, other] = database.name === "SQLite" ? ["NOCASE", "BINARY"] : ['"C"', '"und-x-icu"']
  const list = Selection.from(Cup).order("Asc", "name")
  const equal = Selection.from(Cup).filter("code", "equal", "a")

  layer(database.layerEmpty)((it) => {
    it.effect("is that of the column where the index serves an order, as the plan says", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(`CREATE TABLE cups (id INTEGER PRIMARY KEY, name TEXT COLLATE ${own} NOT NULL,
          size INTEGER NOT NULL, code TEXT COLLATE ${own} NOT NULL)`)
        const check = Effect.fnUntraced(function* (...indexes: ReadonlyArray<string>) {
          yield* sql`DROP INDEX IF EXISTS found`
          for (const index of indexes) yield* sql.unsafe(`CREATE INDEX found ON cups (${index})`)
          const plan = yield* explain(sql`SELECT id FROM cups ORDER BY name, id LIMIT 10`)
          expect([indexes, (yield* IndexCheck.run(list)).length > 0]).toEqual([indexes, plan.sorts])
          return yield* IndexCheck.run(list, equal)
        })
        const [names, codes] = [
          'CREATE INDEX "cups_name_id" ON "cups" ("name", "id")',
          'CREATE INDEX "cups_code_id" ON "cups" ("code", "id")'
        ]
        expect(yield* check()).toEqual([names, codes])
        expect(yield* check("name, id")).toEqual([codes])
        expect(yield* check(`name COLLATE ${own}, id`)).toEqual([codes])
        expect(yield* check(`name COLLATE ${other}, id`)).toEqual([names, codes])
        expect(yield* check("code, id")).toEqual([names])
        expect(yield* check(`code COLLATE ${other}, id`)).toEqual([names, codes])
        if (database.name === "PostgreSQL") expect(yield* check("name text_pattern_ops, id")).toEqual([names, codes])
        yield* sql`DROP INDEX IF EXISTS found`
        for (const statement of [names, codes]) yield* sql.unsafe(statement)
        expect(yield* IndexCheck.run(list, equal)).toEqual([])
      })
    )
  })
})

const Owner = Entity.make("owners", {
  key: ["shop", "code"],
  columns: { shop: Column.integer, code: Column.text, name: Column.text }
})
const RelatedCup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, tray: Column.integer, shop: Column.integer, code: Column.nullable(Column.text) }
})
const Tray = Entity.make("trays", { key: "id", columns: { id: Column.integer } })
const owner = Relation.one(Owner, ["shop", "code"])

const collated = { SQLite: ["text", "nocase", "rtrim"], PostgreSQL: ["text", "english", "insensitive"] } as const
const kindOf = (engine: Engine, name: string) => {
  const kind = kinds[engine][name]
  if (kind === undefined) throw new TypeError(name)
  return kind
}

const create = (type: string, names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    for (const table of ["owners", "cups", "trays"]) yield* sql.unsafe(`DROP TABLE IF EXISTS ${table}`)
    yield* sql.unsafe(
      `CREATE TABLE owners (shop INTEGER NOT NULL, code TEXT NOT NULL, name ${type} NOT NULL, PRIMARY KEY (shop, code))`
    )
    yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, tray INTEGER NOT NULL, shop INTEGER NOT NULL, code TEXT)`
    yield* sql`CREATE TABLE trays (id INTEGER PRIMARY KEY)`
    yield* sql`INSERT INTO trays VALUES (0), (1)`
    for (const [id, name] of names.entries()) {
      yield* sql`INSERT INTO owners VALUES (${id % 2}, ${`o${id}`}, ${name})`
      yield* sql`INSERT INTO cups VALUES (${id}, ${Math.floor(id / 2) % 2}, ${id % 2}, ${`o${id}`})`
    }
    // Without an owner: of no code, of the other shop, and of a code that nobody has.
    const rest: ReadonlyArray<readonly [number, string | null]> = [
      [0, null],
      [1, "o0"],
      [0, "none"]
    ]
    for (const [index, [shop, code]] of rest.entries()) {
      yield* sql`INSERT INTO cups VALUES (${100 + index}, ${index % 2}, ${shop}, ${code})`
    }
  })

const part = (options: NonNullable<Parameters<typeof Pagination.make>[0]>) =>
  Either.getOrThrow(Pagination.make({ limit: 3, ...options }))

const idsOf = ({ items }: Paginated<typeof RelatedCup.schema.Type>) => items.map(({ id }) => id)

const walk = (direction: Direction) =>
  Effect.gen(function* () {
    const list = yield* SqlRepository.make(RelatedCup)
    const selection = list.select.orderBy(direction, owner, "name", "Last")
    const [forward, backward]: [Array<number>, Array<number>] = [[], []]
    for (let cursor: string | null = ""; cursor !== null;) {
      const found: Paginated<typeof RelatedCup.schema.Type> = yield* list.paginate(selection, part({ cursor }))
      forward.push(...idsOf(found))
      cursor = found.pagination.next
    }
    for (let before: string | null = ""; before !== null;) {
      const found: Paginated<typeof RelatedCup.schema.Type> = yield* list.paginate(selection, part({ before }))
      backward.unshift(...idsOf(found))
      before = found.pagination.previous
    }
    return [forward, backward, idsOf(yield* list.paginate(selection, part({ page: 1, limit: 100 })))]
  })

describeDatabases("The collation of a related column", (database) => {
  const ready = Layer.effectDiscard(Table.types(database.name)).pipe(Layer.provideMerge(database.layerEmpty))
  layer(spied(ready))((it) => {
    it.effect.prop(
      "is that by which a list is ordered, and the rows of each parent",
      {
        chosen: fc.constantFrom(...collated[database.name]).chain((name) =>
          fc.record({
            name: fc.constant(name),
            names: fc.array(fc.constantFrom(...kindOf(database.name, name).values.map(String)), { maxLength: 12 })
          })
        ),
        direction: fc.constantFrom<Direction>("Asc", "Desc"),
        limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
      },
      ({ chosen: { name, names }, direction, limit }) =>
        Effect.gen(function* () {
          const kind = kindOf(database.name, name)
          yield* create(kind.type, names)
          const ids = names.map((_, id) => id)
          const sign = direction === "Asc" ? 1 : -1
          const order = (left: number, right: number) =>
            sign * kind.compare(names[left] ?? "", names[right] ?? "") || left - right
          const expected = [...ids.toSorted(order), 100, 101, 102]
          for (const found of yield* walk(direction)) expect(found).toEqual(expected)

          const trays = yield* SqlRepository.make(Tray, {
            cups: Relation.many(RelatedCup, "tray", {
              selection: (cups) => cups.orderBy(direction, owner, "name").limit(limit)
            })
          })
          const { items } = yield* trays.paginate()
          const trayOf = (id: number) => (id < 100 ? Math.floor(id / 2) % 2 : id % 2)
          for (const { cups, id } of items) {
            const all = expected.filter((cup) => trayOf(cup) === id)
            expect(cups.map((cup) => cup.id)).toEqual(all.slice(0, limit ?? all.length))
          }
        }),
      { fastCheck: { numRuns: 25 } }
    )

    // Found by the model of lists: SQLite compared the result of a subquery by its bytes.
    it.effect("orders letters of either case as the column does", () =>
      Effect.gen(function* () {
        yield* create(database.name === "SQLite" ? "TEXT COLLATE NOCASE" : 'TEXT COLLATE "en-x-icu"', [
          "b",
          "A",
          "a",
          "B"
        ])
        const expected = database.name === "SQLite" ? [1, 2, 0, 3] : [2, 1, 0, 3]
        for (const found of yield* walk("Asc")) expect(found).toEqual([...expected, 100, 101, 102])
      })
    )

    it.effect("is read once, when its table is there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const type = database.name === "SQLite" ? "TEXT COLLATE NOCASE" : 'TEXT COLLATE "en-x-icu"'
        yield* create(type, ["b", "A"])
        yield* sql`ALTER TABLE owners RENAME TO later`
        const list = yield* SqlRepository.make(RelatedCup)
        const selection = list.select.orderBy("Asc", owner, "name")
        expect(Exit.isFailure(yield* Effect.exit(list.paginate(selection)))).toBe(true)
        yield* sql`ALTER TABLE later RENAME TO owners`
        // The client remembers the statement that failed.
        const again = list.select.filter("id", "less", 50).orderBy("Asc", owner, "name")
        const [first, read] = yield* statementsOf(list.paginate(again))
        const [second, known] = yield* statementsOf(list.paginate(again.filter("id", "less", 40)))
        expect([idsOf(first), idsOf(second)]).toEqual([
          [1, 0],
          [1, 0]
        ])
        const isCatalogue = (text: string) => text.startsWith("EXPLAIN")
        expect([read.some(isCatalogue), known.some(isCatalogue)]).toEqual([database.name === "SQLite", false])
      })
    )
  })
})
