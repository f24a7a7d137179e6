import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Either, Exit, FastCheck as fc, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { Direction } from "../../../src/pagination/Selection.ts"
import { describeDatabases, type Engine } from "../../support/Databases.ts"
import * as Table from "./model/Table.ts"
import { kinds } from "./model/ValueKinds.ts"
import { spied, statementsOf } from "./Spy.ts"

const Owner = Entity.make("owners", {
  key: ["shop", "code"],
  columns: { shop: Column.integer, code: Column.text, name: Column.text }
})
const Cup = Entity.make("cups", {
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
      `CREATE TABLE owners (shop INTEGER, code TEXT NOT NULL, name ${type} NOT NULL, PRIMARY KEY (shop, code))`
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

const idsOf = ({ items }: Paginated<typeof Cup.schema.Type>) => items.map(({ id }) => id)

const walk = (direction: Direction) =>
  Effect.gen(function* () {
    const list = yield* SqlRepository.make(Cup)
    const selection = list.select.orderBy(direction, owner, "name", "Last")
    const [forward, backward]: [Array<number>, Array<number>] = [[], []]
    for (let cursor: string | null = ""; cursor !== null;) {
      const found: Paginated<typeof Cup.schema.Type> = yield* list.paginate(selection, part({ cursor }))
      forward.push(...idsOf(found))
      cursor = found.pagination.next
    }
    for (let before: string | null = ""; before !== null;) {
      const found: Paginated<typeof Cup.schema.Type> = yield* list.paginate(selection, part({ before }))
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
            cups: Relation.many(Cup, "tray", {
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
        const list = yield* SqlRepository.make(Cup)
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
