import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Either } from "effect"
import { maxValues } from "../../../layers/pagination/internal/RelationBatches.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const Book = Entity.make("books", { key: "id", columns: { id: Column.integer, author: Column.integer } })
const Note = Entity.make("notes", {
  key: ["book", "number"],
  columns: { book: Column.integer, number: Column.integer, shelf: Column.integer, seat: Column.integer }
})
const Seat = Entity.make("seats", { key: ["shelf", "seat"], columns: { shelf: Column.integer, seat: Column.integer } })

// More keys than one statement takes values: 32,766 in SQLite, 65,535 in PostgreSQL.
const totals = { SQLite: 40_000, PostgreSQL: 70_000 } as const

const filled = Effect.fnUntraced(function* (total: number) {
  const sql = yield* SqlClient.SqlClient
  for (const entity of [Book, Note, Seat]) yield* Things.create(entity)
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${total})`
  yield* sql.unsafe(`${numbers} INSERT INTO books SELECT n, n * 2 FROM numbers`)
  yield* sql.unsafe(
    `${numbers} INSERT INTO notes SELECT n, x, n, 7 FROM numbers, (SELECT 1 AS x UNION SELECT 2) AS two`
  )
  yield* sql.unsafe(`${numbers} INSERT INTO seats SELECT n, 7 FROM numbers`)
  yield* sql`ANALYZE`
})

describeDatabases("A relation with more keys than a statement has places", (database) => {
  // An array in PostgreSQL, batches in SQLite.
  const batches = (values: number) => (database.name === "PostgreSQL" ? 1 : Math.ceil(values / maxValues))

  const total = totals[database.name]
  const everything = Either.getOrThrow(Pagination.make({ cursor: "", limit: total }))

  layer(spied(database.layerEmpty))((it) => {
    it.effect("is read by a bounded number of statements, complete and in order", () =>
      Effect.gen(function* () {
        yield* filled(total)
        const books = yield* SqlRepository.make(Book, {
          same: Relation.one(Book, "id"),
          notes: Relation.many(Note, "book", {
            selection: (notes) => notes.order("Desc", "number").limit(1),
            relations: { chair: Relation.one(Seat, ["shelf", "seat"]) }
          })
        })
        const [{ items }, statements] = yield* statementsOf(books.paginate(books.select, everything))
        expect(items.length).toBe(total)
        expect(items.filter(({ id, same }) => same?.author !== id * 2)).toEqual([])
        expect(items.filter(({ notes: [note, ...more] }) => note?.number !== 2 || more.length > 0)).toEqual([])
        expect(items.filter(({ id, notes: [note] }) => note?.chair?.shelf !== id)).toEqual([])
        // PostgreSQL reads what a row refers to with the row.
        const ones = database.name === "PostgreSQL" ? 0 : batches(total)
        expect(statements).toHaveLength(1 + ones + batches(total) + batches(2 * total))
      })
    )

    it.effect("reads no more rows of a parent than its limit, by an index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const books = yield* SqlRepository.make(Book, {
          notes: Relation.many(Note, "book", { selection: (notes) => notes.order("Desc", "number").limit(1) })
        })
        const one = books.select.filter("id", "equal", 3)
        const [, [, text = ""]] = yield* statementsOf(
          books.paginate(one, Either.getOrThrow(Pagination.make({ cursor: "" })))
        )
        const inner = /FROM \((SELECT .*)\)$/.exec(text)?.[1] ?? text
        const plan = yield* explain(sql.unsafe(inner, database.name === "SQLite" ? [3, 1] : [1, [3]]))
        const search = /SEARCH notes USING .*\(book=\?\)|"Backward",\s+"Index Name": "notes_pkey"/
        expect(plan.text).toMatch(search)
        expect(plan.text).not.toMatch(/SCAN notes|Seq Scan/)
      })
    )
  })
})
