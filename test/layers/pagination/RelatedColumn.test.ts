import { expect, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { Direction } from "../../../src/pagination/Selection.ts"
import type { Nulls } from "../../../src/pagination/internal/query/SelectionParts.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

// Its name is that of an alias.
const Book = Entity.make("one", {
  key: "id",
  columns: {
    id: Column.integer,
    title: Column.text,
    pages: Column.integer,
    author_id: Column.nullable(Column.bigint),
    shelf: Column.text
  }
})
const Author = Entity.make("authors", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, born: Column.nullable(Column.bigint) }
})
const author = Relation.one(Author, "author_id")
const shelf = Relation.one(Author, "shelf")

const small = fc.integer({ min: 0, max: 3 })
const world = fc.record({
  authors: fc
    .array(
      fc.record({
        name: fc.constantFrom("", "Ann", "Bob", "bob"),
        born: fc.option(fc.constantFrom(0n, 2n ** 60n, 2n ** 60n + 1n))
      }),
      { maxLength: 5 }
    )
    .map((rows) => rows.map((row, id) => ({ id, ...row }))),
  books: fc
    .array(
      fc.record({
        title: fc.constantFrom("a", "b"),
        pages: small,
        author_id: fc.option(fc.integer({ min: 0, max: 5 }).map(BigInt)),
        shelf: fc.constantFrom("0", "1", "none")
      }),
      { maxLength: 15 }
    )
    .map((rows) => rows.map((row, id) => ({ id, ...row })))
})
const direction = fc.constantFrom<Direction>("Asc", "Desc")
const nulls = fc.constantFrom<Nulls>("First", "Last")

const part = (options: NonNullable<Parameters<typeof Pagination.make>[0]>) =>
  Either.getOrThrow(Pagination.make(options))

describeDatabases("A list by a column of a related row", (database) => {
  layer(spied(database.layerEmpty))((it) => {
    it.effect.prop(
      "is read as a sorted list is, by page and by cursor in both directions",
      {
        world,
        column: fc.constantFrom("name" as const, "born" as const),
        via: fc.constantFrom("author" as const, "shelf" as const),
        direction,
        nulls,
        first: fc.boolean(),
        limit: fc.integer({ min: 1, max: 4 })
      },
      ({ column, direction, first, limit, nulls, via, world }) =>
        Effect.gen(function* () {
          yield* Things.fresh(Book, world.books)
          yield* Things.fresh(Author, world.authors)
          const list = yield* SqlRepository.make(Book)
          const relation = via === "author" ? author : shelf
          const start = first ? list.select : list.select.order("Desc", "pages")
          const selection = start.orderBy(direction, relation, column, nulls).order("Asc", "title")
          const keyOf = (book: (typeof world.books)[number]) =>
            via === "author" ? (book.author_id === null ? undefined : Number(book.author_id)) : Number(book.shelf)
          const rows = world.books.map((book) => {
            const found = world.authors.find(({ id }) => id === keyOf(book))
            return { book, pages: book.pages, title: book.title, id: book.id, key: found?.[column] ?? null }
          })
          const orders = [
            ...(first ? [] : [{ column: "pages", direction: "Desc", nulls: undefined } as const]),
            { column: "key", direction, nulls },
            { column: "title", direction: "Asc", nulls: undefined } as const,
            { column: "id", direction: "Asc", nulls: undefined } as const
          ]
          const expected = rows.sort(Things.comparator(orders)).map(({ book }) => book)

          const whole = yield* list.paginate(selection, part({ page: 1, limit: 20 }))
          expect(whole.items).toEqual(expected)
          type Items = Paginated<typeof Book.schema.Type>
          const forward: Array<unknown> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const found: Items = yield* list.paginate(selection, part({ cursor, limit }))
            forward.push(...found.items)
            cursor = found.pagination.next
          }
          expect(forward).toEqual(expected)
          const backward: Array<unknown> = []
          for (let before: string | null = ""; before !== null;) {
            const found: Items = yield* list.paginate(selection, part({ before, limit }))
            backward.unshift(...found.items)
            before = found.pagination.previous
          }
          expect(backward).toEqual(expected)
        }),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect("says that no index holds its order", () =>
      Effect.gen(function* () {
        yield* Things.fresh(Book, [])
        const list = yield* SqlRepository.make(Book)
        expect(yield* IndexCheck.run(list.select.orderBy("Asc", author, "name"))).toEqual([
          '-- No index holds "one" in the order of "authors"."name": each part sorts every row that the filters find.'
        ])
      })
    )

    it.effect("selects, decodes and gives the chosen columns alone, ordered and filtered by any", () =>
      Effect.gen(function* () {
        yield* Things.fresh(Author, [{ id: 7, name: "Ann", born: null }])
        yield* Things.fresh(
          Book,
          [1, 2, 3].map((id) => ({ id, title: `t${id}`, pages: 9 - id, author_id: 7n, shelf: "0" }))
        )
        const list = yield* SqlRepository.make(Book, {}, { columns: ["title"] })
        const selection = list.select.filter("shelf", "equal", "0").order("Asc", "pages")
        const [first, statements] = yield* statementsOf(list.paginate(selection, part({ cursor: "", limit: 2 })))
        expect(first.items).toEqual([{ title: "t3" }, { title: "t2" }])
        expect(statements.join()).not.toMatch(/SELECT[^(]*"author_id"/)
        const rest = yield* list.paginate(selection, part({ cursor: first.pagination.next, limit: 2 }))
        expect(rest.items satisfies ReadonlyArray<{ readonly title: string }>).toEqual([{ title: "t1" }])
        // @ts-expect-error -- not a chosen column
        expect(rest.items[0]?.pages).toBeUndefined()
        const withAuthor = yield* SqlRepository.make(Book, { author }, { columns: ["title"] })
        const found = yield* withAuthor.paginate(
          withAuthor.select.orderBy("Asc", author, "name"),
          part({ cursor: "", limit: 1 })
        )
        expect(found.items).toEqual([{ title: "t1", author: { id: 7, name: "Ann", born: null } }])
      })
    )
  })
})
