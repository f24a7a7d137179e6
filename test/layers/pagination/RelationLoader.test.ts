import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Effect, Either, Exit, FastCheck as fc, Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"

const kinds: Readonly<Record<Things.Key, Column.Column<ColumnKind.Kind, false>>> = {
  integer: Column.integer,
  bigint: Column.bigint,
  text: Column.text,
  uuid: Column.uuid
}

const Person = erase(Entity.make("people", { key: "id", columns: { id: Column.bigint, name: Column.text } }))
const books = (kind: Things.Key, isComposite: boolean) =>
  erase(
    isComposite
      ? Entity.make("books", { key: ["id", "part"], columns: { id: kinds[kind], part: Column.integer } })
      : Entity.make("books", { key: "id", columns: { id: kinds[kind], part: Column.integer } })
  )
const notes = (kind: Things.Key) =>
  erase(
    Entity.make("notes", {
      key: "id",
      columns: {
        id: Column.integer,
        book: Column.nullable(kinds[kind]),
        part: Column.integer,
        rank: Column.nullable(Column.integer),
        person: Column.nullable(Column.bigint)
      }
    })
  )

const person = (index: number): bigint => 2n ** 53n + BigInt(index)
const place = fc.constantFrom("First" as const, "Last" as const)
const direction = fc.constantFrom("Asc" as const, "Desc" as const)

const model = fc.record({
  kind: fc.constantFrom(...Things.keys),
  isComposite: fc.boolean(),
  books: fc.uniqueArray(fc.record({ book: fc.nat({ max: 5 }), part: fc.nat({ max: 1 }) }), {
    selector: ({ book, part }) => `${book} ${part}`,
    maxLength: 8
  }),
  notes: fc.array(
    fc.record({
      book: fc.option(fc.nat({ max: 6 })),
      part: fc.nat({ max: 1 }),
      rank: fc.option(fc.nat({ max: 2 })),
      person: fc.option(fc.nat({ max: 3 }))
    }),
    { maxLength: 30 }
  ),
  people: fc.uniqueArray(fc.nat({ max: 2 })),
  least: fc.option(fc.nat({ max: 15 })),
  orders: fc.subarray(["rank", "person", "id"]).chain((columns) =>
    fc.tuple(
      ...columns.map((column) =>
        fc.record({
          column: fc.constant(column),
          direction,
          nulls: column === "id" ? fc.constant(undefined) : place
        })
      )
    )
  ),
  limit: fc.option(fc.integer({ min: 1, max: 4 }))
})

const part = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

describeDatabases("The relations of a page", (database) => {
  layer(spied(database.layerEmpty))((it) => {
    it.effect.prop(
      "are the rows that brute force finds, nested, in order, so many for each parent",
      { given: model },
      ({ given: { books: shelf, isComposite, kind, least, limit, notes: all, orders, people } }) =>
        Effect.gen(function* () {
          const [Book, Note] = [books(kind, isComposite), notes(kind)]
          const keyOf = Things.keyOf[kind]
          const noted = all.map(({ book, person: by, ...rest }, id) => ({
            id,
            book: book === null ? null : keyOf(book),
            ...rest,
            person: by === null ? null : person(by)
          }))
          const named = people.map((index) => ({ id: person(index), name: `n${index}` }))
          // Without the second column the first one alone is the key.
          const owned = shelf
            .filter(({ part }) => isComposite || part === 0)
            .map(({ book, part }) => ({ id: keyOf(book), part }))
          yield* Things.fresh(Person, named)
          yield* Things.fresh(Book, owned)
          yield* Things.fresh(Note, noted)
          const selection = (list: Selection.Selection<typeof Note.columns>) => {
            const kept = least === null ? list : list.filter("id", "greaterOrEqual", least)
            const sorted = orders.reduce(
              (list, { column, direction, nulls }) => list.order(direction, column, nulls),
              kept
            )
            return limit === null ? sorted : sorted.limit(limit)
          }
          const author = Relation.one(Person, "person")
          const columns = isComposite ? (["book", "part"] as const) : "book"
          const library = yield* SqlRepository.make(Book, {
            notes: Relation.many(Note, columns, { selection, relations: { author } })
          })
          const isOf = (book: (typeof owned)[number]) => (note: (typeof noted)[number]) =>
            note.book === book.id && (!isComposite || note.part === book.part) && note.id >= (least ?? 0)
          const expected = owned.map((book) => ({
            ...book,
            notes: noted
              .filter(isOf(book))
              .sort(Things.comparator(Keyset.orders(selection(Selection.from(Note)))))
              .slice(0, limit ?? noted.length)
              .map((note) => Object.assign({ author: named.find(({ id }) => id === note.person) ?? null }, note))
          }))
          const sorted = expected.sort(
            Things.comparator(Book.keys.map((column) => ({ column, direction: "Asc", nulls: undefined })))
          )
          const [{ items }, statements] = yield* statementsOf(
            library.paginate(library.select, part({ limit: 20, cursor: "" }))
          )
          expect(items).toEqual(sorted)
          expect(statements.length).toBeLessThanOrEqual(3)

          // The other way: from each note to its book and to the notes of that book.
          if (!isComposite) {
            const inner = { notes: Relation.many(Note, "book", { relations: { author } }) }
            const repository = yield* SqlRepository.make(Note, { of: Relation.one(Book, "book", { relations: inner }) })
            const [page, sent] = yield* statementsOf(
              repository.paginate(repository.select, part({ limit: 50, cursor: "" }))
            )
            expect(page.items.map(({ of }) => of?.["id"] ?? null)).toEqual(
              noted.map(({ book }) => (owned.some(({ id }) => id === book) ? book : null))
            )
            expect(
              page.items.map(({ of }) => of?.notes.map((note) => [note["id"], note.author?.["id"] ?? null]))
            ).toEqual(
              noted.map(({ book }) =>
                owned.some(({ id }) => id === book)
                  ? noted
                      .filter((other) => other.book === book)
                      .map(({ id, person: by }) => [id, named.some(({ id }) => id === by) ? by : null])
                  : undefined
              )
            )
            expect(sent.length).toBeLessThanOrEqual(4)
          }

          // Both rows that a note refers to, from page to page in any order, with and without a filter.
          const reviews = yield* SqlRepository.make(Note, {
            author,
            ...(isComposite ? undefined : { of: Relation.one(Book, "book") })
          })
          const list = selection(reviews.select).limit(undefined)
          const found = noted
            .filter(({ id }) => id >= (least ?? 0))
            .sort(Things.comparator(Keyset.orders(list)))
            .map(({ book, id, person: by }) => [
              id,
              named.some(({ id }) => id === by) ? by : null,
              !isComposite && owned.some(({ id }) => id === book) ? book : null
            ])
          const told = (items: ReadonlyArray<object>) =>
            items.map((item) => {
              const { author, id, of } = item as Readonly<Record<string, Record<string, unknown> | null>>
              return [id, author?.["id"] ?? null, of?.["id"] ?? null]
            })
          const [walked, paged]: [Array<unknown>, Array<unknown>] = [[], []]
          let cursor: string | null = ""
          while (cursor !== null) {
            const asked: Pagination.Pagination = part({ limit: 4, cursor })
            const { items, pagination }: Paginated<object> = yield* reviews.paginate(list, asked)
            walked.push(...told(items))
            cursor = pagination.next
          }
          for (let page = 1; page <= Math.ceil(found.length / 4); page++) {
            paged.push(...told((yield* reviews.paginate(list, part({ limit: 4, page }))).items))
          }
          expect([walked, paged]).toEqual([found, found])
        }),
      { fastCheck: { numRuns: 25 } }
    )

    it.effect("have types, a schema and JSON as deep as they go, and are frozen", () =>
      Effect.gen(function* () {
        const Owner = Entity.make("owners", {
          key: "id",
          columns: { id: Column.bigint, role: Column.literal("admin", "user") }
        })
        const Pet = Entity.make("pets", { key: "id", columns: { id: Column.integer, owner: Column.bigint } })
        const Toy = Entity.make("toys", { key: "id", columns: { id: Column.integer, pet: Column.integer } })
        yield* Things.fresh(Owner, [{ id: 2n ** 60n, role: "admin" }])
        yield* Things.fresh(Pet, [{ id: 1, owner: 2n ** 60n }])
        yield* Things.fresh(Toy, [{ id: 5, pet: 1 }])
        const toys = yield* SqlRepository.make(Toy, {
          pet_row: Relation.one(Pet, "pet", { relations: { owner_row: Relation.one(Owner, "owner") } })
        })
        const [toy] = (yield* toys.paginate()).items
        const role: "admin" | "user" | undefined = toy?.pet_row?.owner_row?.role
        expect(role).toBe("admin")
        expect(Object.isFrozen(toy?.pet_row?.owner_row)).toBe(true)
        const json = yield* Schema.encodeUnknown(toys.schema)(toy)
        expect(json).toEqual({
          id: 5,
          pet: 1,
          pet_row: { id: 1, owner: String(2n ** 60n), owner_row: { id: String(2n ** 60n), role: "admin" } }
        })
        expect(yield* Schema.decodeUnknown(toys.schema)(json)).toEqual(toy)
      })
    )

    it.effect("are found by UUIDs, whichever of the two sides keeps them as texts", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const uuid = sql.onDialectOrElse({ pg: () => sql`UUID`, orElse: () => sql`TEXT` })
        yield* sql`CREATE TABLE makers (id ${uuid} PRIMARY KEY NOT NULL)`
        yield* sql`CREATE TABLE wares (id INTEGER PRIMARY KEY, typed ${uuid} NOT NULL, spelled TEXT NOT NULL)`
        const id = "018f3c2e-7b1a-7c3d-9e4f-0000000000ff"
        yield* sql`INSERT INTO makers (id) VALUES (${id})`
        yield* sql`INSERT INTO wares (id, typed, spelled) VALUES (1, ${id}, ${id})`
        const Maker = Entity.make("makers", { key: "id", columns: { id: Column.uuid } })
        const Ware = Entity.make("wares", {
          key: "id",
          columns: { id: Column.integer, typed: Column.uuid, spelled: Column.uuid }
        })
        const wares = yield* SqlRepository.make(Ware, {
          maker: Relation.one(Maker, "typed"),
          other: Relation.one(Maker, "spelled")
        })
        const [{ items }, statements] = yield* statementsOf(wares.paginate(wares.select, part({ cursor: "" })))
        expect(items).toEqual([{ id: 1, typed: id, spelled: id, maker: { id }, other: { id } }])
        expect(statements).toHaveLength(database.name === "PostgreSQL" ? 2 : 3)
      })
    )

    it.effect("come in the order of their declaration, after the columns", () =>
      Effect.gen(function* () {
        const Cat = Entity.make("cats", {
          key: "id",
          columns: { id: Column.integer, mother: Column.nullable(Column.integer), name: Column.text }
        })
        yield* Things.fresh(Cat, [
          { id: 1, mother: null, name: "Mia" },
          { id: 2, mother: 1, name: "Tom" }
        ])
        const cats = yield* SqlRepository.make(
          Cat,
          { kittens: Relation.many(Cat, "mother"), parent: Relation.one(Cat, "mother") },
          { columns: ["name", "id"] }
        )
        const { items } = yield* cats.paginate()
        const [mia, tom] = [
          { id: 1, mother: null, name: "Mia" },
          { id: 2, mother: 1, name: "Tom" }
        ]
        expect(JSON.stringify(items)).toBe(
          JSON.stringify([
            { name: "Mia", id: 1, kittens: [tom], parent: null },
            { name: "Tom", id: 2, kittens: [], parent: mia }
          ])
        )
        expect(items.every((cat) => Object.isFrozen(cat.kittens) && Object.isFrozen(cat.parent))).toBe(true)
      })
    )

    it.effect("are compared with their tables, also those of a relation", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE odd (id INTEGER PRIMARY KEY, name INTEGER NOT NULL)`
        const Odd = Entity.make("odd", { key: "id", columns: { id: Column.integer, name: Column.text } })
        const Even = Entity.make("even", { key: "id", columns: { id: Column.integer } })
        yield* Things.fresh(Even, [])
        const nested = { odd: Relation.one(Odd, "id") }
        const error = yield* Effect.flip(
          SqlRepository.make(Even, { even: Relation.one(Even, "id", { relations: nested }) })
        )
        expect(error.message).toContain("The entity does not fit the table odd: name")
      })
    )

    it.effect("refuse a filter that no row can match where the repository is made", () =>
      Effect.gen(function* () {
        const Score = Entity.make("scores", { key: "id", columns: { id: Column.integer, score: Column.float } })
        const scores = Relation.many(Score, "id", { selection: (all) => all.filter("score", "equal", Number.NaN) })
        const exit = yield* Effect.exit(SqlRepository.make(Score, { scores }))
        expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "").toContain(
          'The filter on "score" was given a value that it cannot hold.'
        )
      })
    )
  })
})
