import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Author = Entity.make("authors", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Article = Entity.make("articles", {
  key: "id",
  columns: { id: Column.integer, title: Column.text, stars: Column.integer, author_id: Column.integer }
})
const Comment = Entity.make("comments", {
  key: "id",
  columns: { id: Column.integer, article_id: Column.integer, author_id: Column.integer, at: Column.integer }
})
const author = Relation.one(Author, "author_id")
const parameters = ListQuery.make(Article, {
  sort: ["-stars", "title", ["writer", "title"]],
  related: { writer: { relation: author, column: "name" } }
})

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const name of ["authors", "articles", "comments"]) yield* sql.unsafe(`DROP TABLE IF EXISTS ${name}`)
  yield* sql`CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER NOT NULL,
    author_id INTEGER NOT NULL)`
  yield* sql`CREATE TABLE comments (id INTEGER PRIMARY KEY, article_id INTEGER NOT NULL, author_id INTEGER NOT NULL,
    at INTEGER NOT NULL)`
})

// What an effect logs, and what it gives.
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const lines: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => lines.push(`${logLevel.label} ${[message].flat().join(" ")}`))
    const kept = Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    return Effect.map(kept, (value) => [value, lines] as const)
  })

const warning = (statement: string) => `WARN A list has no index. Create it: ${statement}`
const missing = {
  stars: 'CREATE INDEX "articles_stars_desc_id_desc" ON "articles" ("stars" DESC, "id" DESC)',
  title: 'CREATE INDEX "articles_title_id" ON "articles" ("title", "id")',
  newest: 'CREATE INDEX "comments_article_id_at_desc_id" ON "comments" ("article_id", "at" DESC, "id")',
  all: 'CREATE INDEX "comments_article_id" ON "comments" ("article_id")',
  written: 'CREATE INDEX "articles_author_id" ON "articles" ("author_id")'
}

const newest = Relation.many(Comment, "article_id", { selection: (all) => all.order("Desc", "at").limit(3) })
const byName = Relation.many(Comment, "article_id", { selection: (all) => all.orderBy("Asc", author, "name").limit(3) })
const all = Relation.many(Comment, "article_id", { selection: (all) => all.order("Desc", "at"), relations: { author } })
const written = Relation.one(Author, "author_id", { relations: { articles: Relation.many(Article, "author_id") } })

describeDatabases("The start of a repository", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("prints the index that a declared list or relation needs, until it is there", () =>
      Effect.gen(function* () {
        yield* tables
        const sql = yield* SqlClient.SqlClient
        const lists = parameters.lists()
        const listed = logged(SqlRepository.make(Article, {}, { lists }))
        expect((yield* listed)[1]).toEqual([warning(missing.stars), warning(missing.title)])
        const related = logged(SqlRepository.make(Article, { author: written, newest }))
        expect((yield* related)[1]).toEqual([warning(missing.written), warning(missing.newest)])
        const unordered = logged(SqlRepository.make(Article, { all, byName }))
        expect((yield* unordered)[1]).toEqual([warning(missing.all)])
        // It begins with the column, which is enough for rows without a limit.
        yield* sql.unsafe(missing.newest)
        expect((yield* unordered)[1]).toEqual([])
        for (const statement of [missing.stars, missing.title, missing.written]) yield* sql.unsafe(statement)
        expect([(yield* listed)[1], (yield* related)[1]]).toEqual([[], []])
      })
    )

    it.effect("prints none where entities are not compared, or where the rows are a view's", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DROP TABLE IF EXISTS comments`
        yield* tables
        expect((yield* logged(SqlRepository.make(Article, { newest }, { check: false })))[1]).toEqual([])
        yield* sql`ALTER TABLE comments RENAME TO kept`
        yield* sql`CREATE VIEW comments AS SELECT * FROM kept`
        expect((yield* logged(SqlRepository.make(Article, { newest })))[1]).toEqual([])
        yield* sql`DROP VIEW comments`
      })
    )
  })
})
