import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Entity, Relation } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { SqlRepository } from "effect-framework/layers/pagination"

const Author = Entity.make("authors", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Comment = Entity.make("comments", {
  key: "id",
  columns: { id: Column.integer, article_id: Column.integer, author_id: Column.integer, text: Column.text }
})
const Article = Entity.make("articles", { key: "id", columns: { id: Column.integer, title: Column.text } })

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL)`
  yield* sql`CREATE TABLE comments (id INTEGER PRIMARY KEY, article_id INTEGER NOT NULL, author_id INTEGER NOT NULL,
    text TEXT NOT NULL)`
  yield* sql`CREATE INDEX comments_article ON comments (article_id, id)`
  yield* sql`INSERT INTO authors VALUES (1, 'Ann'), (2, 'Bob')`
  yield* sql`INSERT INTO articles VALUES (1, 'Tea'), (2, 'Cups')`
  yield* sql`INSERT INTO comments VALUES (1, 1, 2, 'First'), (2, 1, 1, 'Thanks'), (3, 1, 2, 'More'), (4, 2, 1, 'Blue')`

  const articles = yield* SqlRepository.make(Article, {
    comments: Relation.many(Comment, "article_id", {
      selection: (comments) => comments.order("Desc", "id").limit(2),
      relations: { author: Relation.one(Author, "author_id") }
    })
  })
  for (const { comments, title } of (yield* articles.paginate()).items) {
    console.log(
      title,
      comments.map(({ author, text }) => `${text} (${author?.name})`)
    )
  }
})

await Effect.runPromise(Effect.provide(program, Database.layer(DatabaseUrl.Sqlite({ path: "relations.sqlite" }))))
