// What the compiler refuses: each line is a mistake that once compiled. Nothing here runs.
import { expect, it } from "@effect/vitest"
import { Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"

const columns = { id: Column.integer, title: Column.text }
const Live = Entity.make("live", { key: "id", columns })
const Drafts = Entity.make("drafts", { key: "id", columns })
const Word = Entity.make("words", {
  key: "word",
  columns: {
    word: Column.text,
    live_id: Column.integer,
    day: Column.date,
    stars: Column.nullable(Column.integer),
    code: Column.nullable(Column.uuid)
  }
})
const Numbered = Entity.fromSchema("numbered", {
  key: "id",
  schema: Schema.Struct({
    id: Schema.Int,
    live: Schema.BigInt,
    word: Schema.NonEmptyString,
    at: Schema.NullOr(Schema.Int)
  })
})
const words = Selection.from(Word)

export const misuses = (live: Repository.For<typeof Live>) => [
  // @ts-expect-error -- a selection of another entity
  live.paginate(Selection.from(Drafts)),
  // @ts-expect-error -- a stream of another entity
  live.stream(Selection.from(Drafts)),
  // @ts-expect-error -- a search without its declaration
  live.select.search("tea"),
  // @ts-expect-error -- a search of clients without its declaration
  ListQuery.make(Live, { search: { fullText: true } }),
  // @ts-expect-error -- a column that may be null without a place for nulls
  words.order("Asc", "stars"),
  // @ts-expect-error -- a place for nulls of a column that has none
  words.order("Asc", "word", "Last"),
  // @ts-expect-error -- the same of an entity that a schema describes
  Selection.from(Numbered).order("Asc", "at"),
  // @ts-expect-error -- and a place
  Selection.from(Numbered).order("Asc", "id", "First"),
  // @ts-expect-error -- a text that refers to an integer
  SqlRepository.make(Word, { live: Relation.one(Live, "word") }),
  // @ts-expect-error -- a date that refers to an integer
  SqlRepository.make(Word, { live: Relation.one(Live, "day") }),
  // @ts-expect-error -- a column that is not there
  SqlRepository.make(Word, { live: Relation.one(Live, "nothing") }),
  // @ts-expect-error -- an integer that refers to a text
  SqlRepository.make(Live, { word: Relation.one(Word, "id") }),
  // @ts-expect-error -- an integer that a text refers to
  SqlRepository.make(Live, { words: Relation.many(Word, "word") }),
  // @ts-expect-error -- an integer that a date refers to
  SqlRepository.make(Live, { words: Relation.many(Word, "day") }),
  // @ts-expect-error -- a number of a schema that refers to a text
  SqlRepository.make(Numbered, { word: Relation.one(Word, "id") }),
  // @ts-expect-error -- a date that refers to an integer, of a related row
  Relation.many(Word, "live_id", { relations: { live: Relation.one(Live, "day") } }),
  // @ts-expect-error -- a pattern for a number
  live.select.match("id", "like", "1%"),
  // @ts-expect-error -- a part of a number
  ListQuery.make(Live, { filters: { id: { column: "id", operator: "contains" } } }),
  // @ts-expect-error -- a page and a cursor
  Pagination.make({ page: 1, cursor: "" }),
  // @ts-expect-error -- a page and a cursor before which rows are read
  Pagination.make({ page: 1, before: "" }),
  // @ts-expect-error -- a count in cursor mode
  Pagination.make({ cursor: "", counting: "none" })
]

/** What the same types must not refuse. */
export const uses = (live: Repository.For<typeof Live>) => [
  words.order("Asc", "stars", "Last").order("Desc", "word"),
  live.select.order("Asc", "id"),
  SqlRepository.make(Word, { live: Relation.one(Live, "live_id"), starred: Relation.one(Live, "stars") }),
  SqlRepository.make(Live, { words: Relation.many(Word, "live_id"), others: Relation.many(Word, ["stars"]) }),
  SqlRepository.make(Word, { word: Relation.one(Word, "code"), words: Relation.many(Word, "code") }),
  SqlRepository.make(Numbered, { live: Relation.one(Live, "live"), word: Relation.one(Word, "word") }),
  SqlRepository.make(Live, { numbered: Relation.many(Numbered, "live"), same: Relation.many(Numbered, "at") }),
  Relation.many(Word, "live_id", { relations: { live: Relation.one(Live, "live_id") } })
]

it("is refused by the compiler", () => {
  expect([misuses, uses]).toHaveLength(2)
})
