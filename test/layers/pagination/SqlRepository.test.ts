import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Either, FastCheck as fc, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import { partsOf, reorder } from "../../../src/pagination/internal/query/SelectionState.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import * as CursorToken from "../../../src/pagination/internal/columns/CursorToken.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import { firstPage } from "../../../layers/pagination/internal/Totals.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, Spy, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const Shelves = Entity.make("shelves", { key: "id", columns: { id: Column.integer, label: Column.text } })
const Books = Entity.make("books", {
  key: "id",
  columns: {
    id: Column.integer,
    title: Column.text,
    shelf_id: Column.nullable(Column.integer),
    rank: Column.integer,
    wide: Column.bigint
  }
})

const shelves = [1, 2, 3, 4].map((id) => ({ id, label: `shelf ${id}` }))
// Ranks tie in threes; every fifth book stands on no shelf, the last one alone on shelf 4.
const books = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  title: `Book ${String(index + 1).padStart(2, "0")}`,
  shelf_id: index === 24 ? 4 : index % 5 === 4 ? null : (index % 3) + 1,
  rank: Math.floor(index / 3),
  wide: 2n ** 60n + BigInt(index)
}))

const pages = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))
const ids = (paginated: { readonly items: ReadonlyArray<{ readonly id: unknown }> }) =>
  paginated.items.map((item) => item.id)

describeDatabases("SqlRepository", (database) => {
  const tables = Layer.effectDiscard(
    Effect.forEach(
      [Things.create(Shelves), Things.create(Books), Things.insert(Shelves, shelves), Things.insert(Books, books)],
      (step) => step
    )
  ).pipe(Layer.provideMerge(spied(database.layerEmpty)))
  const repository = SqlRepository.make(Books, { shelf: Relation.one(Shelves, "shelf_id") })
  const library = SqlRepository.make(Shelves, { books: Relation.many(Books, "shelf_id") })
  const plain = SqlRepository.make(Books)

  layer(tables)((it) => {
    it.effect("gives the first ten rows by the primary key by default", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const first = yield* books.paginate()
        expect(ids(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
        expect(first.pagination).toMatchObject({ mode: "Page", page: 1, limit: 10, total: 25, pages: 3 })
      })
    )

    it.effect("slices a page and counts once", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const selection = books.select.filter("rank", "less", 6).order("Desc", "rank")
        const [page, statements] = yield* statementsOf(books.paginate(selection, pages({ page: 2, limit: 5 })))
        expect(ids(page)).toEqual([15, 10, 11, 12, 7])
        expect(page.pagination).toMatchObject({ total: 18, pages: 4, page: 2, next: null, more: false })
        expect(statements.filter((text) => text.includes("COUNT(*)"))).toHaveLength(1)
        expect(statements).toHaveLength(2)
      })
    )

    it.effect("gives no items past the end, and 0 pages for an empty list", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const past = yield* books.paginate(books.select, pages({ page: 99, limit: 10 }))
        expect(past).toMatchObject({ items: [], pagination: { total: 25, pages: 3, page: 99 } })
        const far = yield* books.paginate(books.select, pages({ page: Number.MAX_SAFE_INTEGER, limit: 100 }))
        expect(far.items).toEqual([])
        const none = yield* books.paginate(books.select.filter("id", "less", 0))
        expect(none).toMatchObject({ items: [], pagination: { total: 0, pages: 0 } })
      })
    )

    it.effect("reads one extra row in cursor mode instead of a count, and does not return it", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const selection = books.select.order("Desc", "rank")
        const [start, statements] = yield* statementsOf(books.paginate(selection, pages({ cursor: "", limit: 4 })))
        expect(ids(start)).toEqual([25, 22, 23, 24])
        expect(start.pagination).toMatchObject({ more: true, total: null, pages: null, previous: null })
        expect(start.pagination.next).toBe(Either.getOrThrow(Cursor.encode([7, 24])))
        expect(statements).toHaveLength(1)
        expect(statements[0]).not.toContain("COUNT(*)")
        const [rest, more] = yield* statementsOf(
          books.paginate(selection, pages({ cursor: start.pagination.next, limit: 21 }))
        )
        expect(ids(rest)).toHaveLength(21)
        expect(rest.pagination).toMatchObject({ more: false, next: null })
        expect(more).toHaveLength(1)
      })
    )

    it.effect("appends the primary key unless it is among the orders", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const next = (selection: typeof books.select) =>
          Effect.map(books.paginate(selection, pages({ cursor: "", limit: 3 })), ({ pagination }) => pagination.next)
        expect(yield* next(books.select.order("Asc", "title"))).toBe(Either.getOrThrow(Cursor.encode(["Book 03", 3])))
        expect(yield* next(books.select.order("Desc", "id"))).toBe(Either.getOrThrow(Cursor.encode([23])))
        expect(yield* next(books.select.order("Desc", "id").order("Asc", "title"))).toBe(
          Either.getOrThrow(Cursor.encode([23]))
        )
        expect(yield* next(books.select)).toBe(Either.getOrThrow(Cursor.encode([3])))
      })
    )

    it.effect("loads a relation with one query for the whole page, in PostgreSQL that of the page itself", () =>
      Effect.gen(function* () {
        const books = yield* repository
        const [page, statements] = yield* statementsOf(books.paginate(books.select, pages({ cursor: "", limit: 6 })))
        expect(page.items.map((book) => book.shelf?.label ?? null)).toEqual([
          "shelf 1",
          "shelf 2",
          "shelf 3",
          "shelf 1",
          null,
          "shelf 3"
        ])
        expect(statements).toHaveLength(database.name === "PostgreSQL" ? 1 : 2)
        expect(statements.at(-1)).toMatch(/JOIN .*"shelves"/)
      })
    )

    it.effect("drops the extra row before relations load", () =>
      Effect.gen(function* () {
        const books = yield* repository
        // Book 5 has no shelf; book 6, the probe, has one.
        const selection = books.select.filter("id", "in", [5, 6])
        const [page, statements] = yield* statementsOf(books.paginate(selection, pages({ cursor: "", limit: 1 })))
        expect(page.items).toMatchObject([{ id: 5, shelf: null }])
        expect(page.pagination.more).toBe(true)
        expect(statements).toHaveLength(1)
      })
    )

    it.effect("loads a relation to many", () =>
      Effect.gen(function* () {
        const shelves = yield* library
        const [page, statements] = yield* statementsOf(shelves.paginate())
        expect(page.items.map((shelf) => shelf.books.length)).toEqual([7, 6, 7, 1])
        expect(page.items[3]?.books).toEqual([books[24]])
        expect(statements).toHaveLength(3)
      })
    )

    it.effect("reads 64-bit integers without loss", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const { items } = yield* books.paginate(books.select.order("Desc", "wide"), pages({ limit: 1 }))
        expect(items[0]?.wide).toBe(2n ** 60n + 24n)
      })
    )

    it.effect("restricts by the scope whatever the selection says", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const page = yield* books.paginate(books.select.order("Asc", "title"), firstPage, (selection) =>
          selection.filter("shelf_id", "equal", 4)
        )
        expect(ids(page)).toEqual([25])
        expect(page.pagination.total).toBe(1)
      })
    )

    it.effect("takes the pagination's size and not the selection's own, and never changes the selection", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const selection = books.select.order("Asc", "id").limit(2).offset(20)
        const before = JSON.stringify(partsOf(selection))
        const page = yield* books.paginate(selection, pages({ limit: 3 }))
        expect(ids(page)).toEqual([1, 2, 3])
        const walk = yield* books.paginate(selection, pages({ cursor: "", limit: 3 }))
        expect(ids(walk)).toEqual([1, 2, 3])
        expect(JSON.stringify(partsOf(selection))).toBe(before)
      })
    )

    it.effect("starts at the selection's own position in cursor mode", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const selection = books.select.order("Asc", "id").seek([["id", "Asc", 20]])
        const start = yield* books.paginate(selection, pages({ cursor: "", limit: 2 }))
        expect(ids(start)).toEqual([21, 22])
        const next = yield* books.paginate(selection, pages({ cursor: start.pagination.next, limit: 2 }))
        expect(ids(next)).toEqual([23, 24])
      })
    )

    it.effect("reads a nullable column with placed nulls from cursor to cursor, and by pages", () =>
      Effect.gen(function* () {
        const shelved = (nulls: "First" | "Last") => {
          const [some, none] = [
            books.filter((book) => book.shelf_id !== null),
            books.filter((b) => b.shelf_id === null)
          ]
          const sorted = some.sort((a, b) => Number(b.shelf_id) - Number(a.shelf_id) || a.id - b.id)
          return (nulls === "First" ? [...none, ...sorted] : [...sorted, ...none]).map((book) => book.id)
        }
        const list = yield* plain
        for (const nulls of ["First", "Last"] as const) {
          const selection = list.select.order("Desc", "shelf_id", nulls)
          const seen: Array<unknown> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const part: Paginated<{ readonly id: unknown }> = yield* list.paginate(
              selection,
              pages({ cursor, limit: 4 })
            )
            seen.push(...ids(part))
            cursor = part.pagination.next
          }
          expect(seen).toEqual(shelved(nulls))
          expect(ids(yield* list.paginate(selection, pages({ limit: 25 })))).toEqual(shelved(nulls))
        }
      })
    )

    it.effect("starts at the selection's own position also where nulls come after it", () =>
      Effect.gen(function* () {
        const list = yield* plain
        const selection = list.select.order("Asc", "shelf_id", "Last").seek([
          ["shelf_id", "Asc", 4],
          ["id", "Asc", 0]
        ])
        expect(ids(yield* list.paginate(selection, pages({ cursor: "" })))).toEqual([25, 5, 10, 15, 20])
        expect(ids(yield* list.paginate(selection, pages({ limit: 2, page: 2 })))).toEqual([10, 15])
      })
    )

    it.effect(
      "refuses cursors over a nullable column without placed nulls, and placed nulls for one that has none",
      () =>
        Effect.gen(function* () {
          const books = yield* plain
          // @ts-expect-error -- no place for nulls
          const byNullable = books.select.order("Asc", "shelf_id")
          // @ts-expect-error -- a place for nulls that are not there
          const placed = books.select.order("Asc", "rank", "Last")
          for (const selection of [byNullable, placed]) {
            const [error, statements] = yield* statementsOf(
              Effect.flip(books.paginate(selection, pages({ cursor: "" })))
            )
            expect(error._tag).toBe("InvalidPagination")
            expect(error.message).toMatch(/"(shelf_id|rank)"/)
            expect(statements).toEqual([])
            expect((yield* books.paginate(selection)).items).toHaveLength(10)
          }
        })
    )

    it.effect("refuses a cursor of another arity or type before any query", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const selection = books.select.order("Asc", "title")
        for (const cursor of [
          "%%%",
          "WzFd",
          Either.getOrThrow(Cursor.encode([1, 1])),
          Either.getOrThrow(Cursor.encode(["a", "b"]))
        ]) {
          const [error, statements] = yield* statementsOf(Effect.flip(books.paginate(selection, pages({ cursor }))))
          expect(error._tag).toBe("InvalidCursor")
          expect(statements).toEqual([])
        }
      })
    )

    const hostile = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\0",
        "a\0b",
        "\ud800",
        "infinity",
        "-infinity",
        "NaN",
        "2024-02-30T00:00:00Z",
        "9999-12-31T23:59:59.999999-14:00",
        "0001-01-01T00:00:00+14:00",
        "' OR 1=1 --",
        "018f3c2e-7b1a-7c3d-9e4f-00000000000G"
      ),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.constantFrom(2 ** 31, -(2 ** 31) - 1, 2 ** 53),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.boolean(),
      fc.constant(null)
    )

    it.effect.prop(
      "handles whatever a cursor holds, and sends no statement for one that it refuses",
      {
        orders: Things.orders,
        values: fc.array(hostile, { minLength: 5, maxLength: 5 }),
        key: fc.constantFrom(...Things.keys)
      },
      ({ key, orders, values }) =>
        Effect.gen(function* () {
          const entity = Things.entities[key]
          const sql = yield* SqlClient.SqlClient
          yield* sql.unsafe(`DROP TABLE IF EXISTS "${entity.table}"`)
          yield* Things.create(entity)
          const things = yield* SqlRepository.make(erase(entity))
          const selection = reorder(things.select, orders)
          const arity = orders.findIndex((order) => order.column === "id") + 1 || orders.length + 1
          const cursor = Either.getOrThrow(CursorToken.encode(values.slice(0, arity), Array(arity).fill(true)))
          const [outcome, statements] = yield* statementsOf(
            Effect.either(things.paginate(selection, pages({ cursor })))
          )
          expect(statements).toHaveLength(Either.isLeft(outcome) ? 0 : 1)
        }),
      { fastCheck: { numRuns: 60 } }
    )

    it.effect("sends slice and count at once, and one after the other in a transaction", () =>
      Effect.gen(function* () {
        // SQLite has the rows before it returns: there is nothing to overlap.
        if (database.name === "SQLite") return expect(database.name).toBe("SQLite")
        const books = yield* plain
        const spy = yield* Spy
        const sql = yield* SqlClient.SqlClient
        const [slice, count] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        // Each waits for the other: only together do they get through.
        spy.before = (text) => {
          const [mine, other] = text.includes("COUNT(*)") ? [count, slice] : [slice, count]
          return Effect.zipRight(Deferred.succeed(mine, undefined), Deferred.await(other))
        }
        expect((yield* books.paginate()).pagination.total).toBe(25)
        const under = { way: 0, most: 0 }
        spy.before = () =>
          Effect.gen(function* () {
            under.way++
            under.most = Math.max(under.most, under.way)
            for (let turn = 0; turn < 20; turn++) yield* Effect.yieldNow()
            under.way--
          })
        const page = yield* sql.withTransaction(books.paginate())
        spy.before = () => Effect.void
        expect(page.pagination.total).toBe(25)
        expect(under.most).toBe(1)
      })
    )

    it.effect("sees what its own transaction has written", () =>
      Effect.gen(function* () {
        const books = yield* repository
        const sql = yield* SqlClient.SqlClient
        const inside = Effect.gen(function* () {
          yield* sql`UPDATE books SET title = 'Changed' WHERE id = 1`
          const page = yield* books.paginate(books.select, pages({ cursor: "", limit: 1 }))
          expect(page.items[0]).toMatchObject({ title: "Changed", shelf: { label: "shelf 1" } })
          return yield* Effect.fail("undo" as const)
        })
        expect(yield* Effect.flip(sql.withTransaction(inside))).toBe("undo")
        expect((yield* books.paginate()).items[0]).toMatchObject({ title: "Book 01" })
      })
    )

    it.effect("locks rows inside a transaction, in any order", () =>
      Effect.gen(function* () {
        const books = yield* plain
        const sql = yield* SqlClient.SqlClient
        const selection = books.select.order("Desc", "rank").lock("Update")
        const cursor = Either.getOrThrow(Cursor.encode([7, 22]))
        const page = yield* sql.withTransaction(books.paginate(selection, pages({ cursor, limit: 3 })))
        expect(ids(page)).toEqual([23, 24, 19])
        // No row more than the page and the one after it.
        const start = books.paginate(books.select.lock("Update"), pages({ cursor: "", limit: 3 }))
        const [, [text]] = yield* statementsOf(sql.withTransaction(start))
        expect(text).toMatch(
          database.name === "PostgreSQL" ? /^SELECT (?!.*LIMIT .*LIMIT).* LIMIT \$1::bigint FOR UPDATE$/ : /LIMIT \?$/
        )
      })
    )
  })
})
