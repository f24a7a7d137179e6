// Full-text search on both databases, with a search of all rows in memory as the judge.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Chunk, Effect, Either, FastCheck as fc, Layer, Stream } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as FullText from "../../../src/pagination/internal/query/FullText.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, title: Column.text, note: Column.nullable(Column.text), stars: Column.integer },
  search: { columns: ["title", "note"] }
})
const Sip = Entity.make("sips", { key: "id", columns: { id: Column.integer, cup_id: Column.integer } })

const vocabulary = ["tea", "Milk", "blue", "Émile", "x1", "日本", "e-mail"] as const
const said = fc.array(fc.constantFrom(...vocabulary), { maxLength: 4 }).map((words) => words.join(" "))
const [texts = []] = fc.sample(fc.array(fc.tuple(said, fc.option(said)), { minLength: 120, maxLength: 120 }), {
  numRuns: 1,
  seed: 5
})
const rows = texts.map(([title, note], index) => ({ id: index + 1, title, note, stars: index % 5 }))

const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
const finds = (text: string) => {
  const words = wordsOf(text)
  return ({ note, title }: (typeof rows)[number]) =>
    words.length > 0 && words.every((word) => wordsOf(`${title} ${note ?? ""}`).includes(word))
}

const hostile = [
  "",
  " ",
  "!!!",
  '"',
  '""',
  '"tea',
  "tea*",
  "^tea",
  "tea OR",
  "NEAR(tea milk)",
  "title:tea",
  "{title note}: tea",
  "-tea",
  "tea & | ! ( ) <->",
  ":*",
  "'; DROP TABLE cups; --",
  "a\0b",
  "\0",
  "😀",
  "\ud800",
  "%_\\",
  "x ".repeat(250),
  "x".repeat(500),
  "'".repeat(500),
  '"'.repeat(500),
  "日".repeat(500),
  "x".repeat(10_000)
]

describeDatabases("Full-text search", (database) => {
  const dialect = database.name === "PostgreSQL" ? pg : sqlite
  const ready = Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, stars INTEGER NOT NULL)`
      yield* sql`CREATE TABLE sips (id INTEGER PRIMARY KEY, cup_id INTEGER NOT NULL)`
      yield* sql`CREATE INDEX cups_stars ON cups (stars, id)`
      // Half of the rows before the index, half through its triggers.
      yield* sql`INSERT INTO cups ${sql.insert(rows.slice(0, 60))}`
      for (const statement of FullText.statements(dialect, Cup)) yield* sql.unsafe(statement)
      yield* sql`INSERT INTO cups ${sql.insert(rows.slice(60))}`
      yield* sql`INSERT INTO sips ${sql.insert(rows.map(({ id }) => ({ id, cup_id: 1 + ((id * 7) % 120) })))}`
    })
  )

  layer(ready.pipe(Layer.provideMerge(database.layerEmpty)))((it) => {
    it.effect.prop(
      "finds the rows with all words, by page, by cursor in both directions and as a stream, whatever the other conditions",
      {
        text: said,
        other: said,
        rule: fc.constantFrom("alone" as const, "or" as const, "not" as const, "and" as const),
        limit: fc.integer({ min: 1, max: 40 }),
        direction: fc.constantFrom("Asc" as const, "Desc" as const)
      },
      ({ direction, limit, other, rule, text }) =>
        Effect.gen(function* () {
          const cups = yield* SqlRepository.make(Cup)
          const all = cups.select.order(direction, "stars")
          const [list, holds] = {
            alone: () => [all.search(text), finds(text)] as const,
            and: () =>
              [
                all.search(text).filter("stars", "greater", 1),
                (row: (typeof rows)[number]) => finds(text)(row) && row.stars > 1
              ] as const,
            not: () => [all.not((cup) => cup.search(text)), (row: (typeof rows)[number]) => !finds(text)(row)] as const,
            or: () =>
              [
                all.anyOf(
                  (cup) => cup.search(text),
                  (cup) => cup.search(other)
                ),
                (row: (typeof rows)[number]) => finds(text)(row) || finds(other)(row)
              ] as const
          }[rule]()
          const sign = direction === "Asc" ? 1 : -1
          const expected = rows
            .filter(holds)
            .toSorted((one, next) => sign * (one.stars - next.stars) || one.id - next.id)
            .map(({ id }) => id)
          const ids = (items: ReadonlyArray<{ readonly id: number }>) => items.map(({ id }) => id)

          const page = yield* cups.paginate(list, yield* Pagination.make({ page: 1, limit: 200 }))
          expect([ids(page.items), page.pagination.total]).toEqual([expected, expected.length])
          for (const counting of ["capped", "estimated"] as const) {
            const counted = yield* cups.paginate(list, yield* Pagination.make({ page: 1, limit, counting }))
            expect(counted.pagination.total).toBe(expected.length)
          }
          const walked: Array<number> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const part: typeof page = yield* cups.paginate(list, yield* Pagination.make({ cursor, limit }))
            walked.push(...ids(part.items))
            cursor = part.pagination.next
          }
          expect(walked).toEqual(expected)
          const back: Array<number> = []
          for (let before: string | null = ""; before !== null;) {
            const part: typeof page = yield* cups.paginate(list, yield* Pagination.make({ before, limit }))
            back.unshift(...ids(part.items))
            before = part.pagination.previous
          }
          expect(back).toEqual(expected)
          const streamed = yield* Stream.runCollect(cups.stream(list, { batch: limit }))
          expect(ids(Chunk.toReadonlyArray(streamed))).toEqual(expected)
        }),
      { fastCheck: { numRuns: 15 } }
    )

    it.effect("finds rows that are related to what it finds", () =>
      Effect.gen(function* () {
        const sips = yield* SqlRepository.make(Sip)
        const of = Relation.one(Cup, "cup_id")
        const list = sips.select.exists(of, (cup) => cup.search("tea"))
        const found = yield* sips.paginate(list, yield* Pagination.make({ page: 1, limit: 200 }))
        const isTea = finds("tea")
        const expected = rows.filter(({ id }) => rows.some((cup) => cup.id === 1 + ((id * 7) % 120) && isTea(cup)))
        expect(found.items.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
        expect(expected.length).toBeGreaterThan(0)
      })
    )

    it.effect("follows what is written, changed and deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const cups = yield* SqlRepository.make(Cup)
        const found = Effect.map(cups.paginate(cups.select.search("saucer")), ({ items }) => items.map(({ id }) => id))
        yield* sql`INSERT INTO cups (id, title, stars) VALUES (900, 'a saucer', 1)`
        expect(yield* found).toEqual([900])
        yield* sql`UPDATE cups SET title = 'a cup' WHERE id = 900`
        expect(yield* found).toEqual([])
        yield* sql`UPDATE cups SET note = 'with its saucer' WHERE id = 900`
        expect(yield* found).toEqual([900])
        yield* sql`DELETE FROM cups WHERE id = 900`
        expect(yield* found).toEqual([])
      })
    )

    it.effect("takes any text: what it finds, or a typed refusal", () =>
      Effect.gen(function* () {
        const cups = yield* SqlRepository.make(Cup)
        for (const text of hostile) {
          const outcome = yield* Effect.either(cups.paginate(cups.select.search(text)))
          if (Either.isLeft(outcome))
            expect([text.length > 500, outcome.left._tag]).toEqual([true, "InvalidPagination"])
        }
        const none = yield* cups.paginate(cups.select.search(" !?\0 "))
        expect(none.items).toEqual([])
      })
    )

    it.effect.prop(
      "never fails on a text",
      {
        text: fc.oneof(
          fc.string({ unit: "binary", maxLength: 80 }),
          fc.string({ unit: fc.constantFrom(...'"*^:(){}-+&|!<> a\0') })
        )
      },
      ({ text }) =>
        Effect.gen(function* () {
          const cups = yield* SqlRepository.make(Cup)
          yield* cups.paginate(cups.select.search(text))
        }),
      { fastCheck: { numRuns: 60 } }
    )

    it.effect("reads the index", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { text } = Query.count(dialect, Selection.from(Cup).search("tea"))
        const plan = yield* sql.onDialectOrElse({
          pg: () =>
            sql.withTransaction(
              Effect.zipRight(
                sql`SET LOCAL enable_seqscan = off`,
                sql.unsafe<Record<string, string>>(`EXPLAIN ${text.replace("$1", "'tea'")}`)
              )
            ),
          orElse: () => sql.unsafe<Record<string, string>>(`EXPLAIN QUERY PLAN ${text.replace("?", "'tea'")}`)
        })
        const steps = plan.flatMap((row) => Object.values(row)).join("\n")
        expect(steps).toMatch(
          database.name === "SQLite" ? /SCAN cups_search VIRTUAL TABLE INDEX/ : /Index Scan on cups_search/
        )
      })
    )

    it.effect("is the parameter q of a list that declares it", () =>
      Effect.gen(function* () {
        const cups = yield* SqlRepository.make(Cup)
        const parameters = ListQuery.make(Cup, { sort: ["-stars"], search: { fullText: true } })
        expect(parameters.openApi.at(-1)).toMatchObject({
          name: "q",
          description: "Rows with all these words in title or note."
        })
        const { selection } = yield* parameters.decodeValues({ q: "  TEA milk " })
        const found = yield* cups.paginate(selection, yield* Pagination.make({ page: 1, limit: 200 }))
        expect(new Set(found.items.map(({ id }) => id))).toEqual(
          new Set(rows.filter(finds("tea milk")).map(({ id }) => id))
        )
        expect(Either.isLeft(parameters.decodeValues({ q: "a\0b" }))).toBe(true)
        expect(Either.isLeft(parameters.decodeValues({ q: "x".repeat(101) }))).toBe(true)
      })
    )
  })
})
