import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Entity, Relation } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { SqlRepository } from "effect-framework/layers/pagination"

const Article = Entity.make("articles", {
  key: "id",
  columns: { id: Column.integer, title: Column.text, stars: Column.nullable(Column.integer) }
})
const Comment = Entity.make("comments", {
  key: "id",
  columns: { id: Column.integer, article_id: Column.integer, approved: Column.boolean }
})
const comments = Relation.many(Comment, "article_id")

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER)`
  yield* sql`CREATE TABLE comments (id INTEGER PRIMARY KEY, article_id INTEGER NOT NULL, approved BOOLEAN NOT NULL)`
  yield* sql`CREATE INDEX comments_article ON comments (article_id)`
  yield* sql`INSERT INTO articles VALUES (1, 'Tea', 3), (2, 'Cups', 5), (3, 'Milk', NULL)`
  yield* sql`INSERT INTO comments VALUES (1, 1, TRUE), (2, 2, FALSE)`

  const articles = yield* SqlRepository.make(Article)
  const titles = (selection: typeof articles.select) =>
    Effect.map(articles.paginate(selection), ({ items }) => items.map(({ title }) => title).join(", "))

  const either = articles.select.anyOf(
    (article) => article.filter("stars", "greater", 4),
    (article) => article.exists(comments, (comment) => comment.filter("approved", "isTrue"))
  )
  console.log("either:", yield* titles(either))
  console.log("not:", yield* titles(articles.select.not((article) => article.filter("stars", "greater", 4))))
  console.log("silent:", yield* titles(articles.select.notExists(comments)))
})

await Effect.runPromise(Effect.provide(program, Database.layer(DatabaseUrl.Sqlite({ path: "conditions.sqlite" }))))
