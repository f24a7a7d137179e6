// The demo's collection: articles and their authors.
import { Context } from "effect"
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import * as Column from "../../src/pagination/Column.ts"
import * as Entity from "../../src/pagination/Entity.ts"
import * as Relation from "../../src/pagination/Relation.ts"
import type * as Repository from "../../src/pagination/Repository.ts"

export const Author = Entity.make("authors", {
  key: "id",
  columns: { id: Column.integer, name: Column.text }
})

export const Article = Entity.make("articles", {
  key: "id",
  columns: {
    id: Column.integer,
    title: Column.text,
    summary: Column.text,
    published_at: Column.timestamp,
    author_id: Column.integer
  },
  search: { columns: ["title"] }
})

/** Who wrote an article. */
export const author = Relation.one(Author, "author_id")

export const relations = { author } as const

export class Articles extends Context.Tag("effect-framework/demo/Articles")<
  Articles,
  Repository.For<typeof Article, typeof relations>
>() {}

/** What `export` writes. */
export const collections = {
  articles: SqlRepository.make(Article, relations),
  authors: SqlRepository.make(Author)
} as const
