import { SqlClient } from "@effect/sql"
import { Effect, Either, Stream } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Entity, Pagination, Relation } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { SqlRepository } from "effect-framework/layers/pagination"

const Author = Entity.make("authors", { key: "id", columns: { id: Column.integer, name: Column.text } })
const Article = Entity.make("articles", {
  key: "id",
  columns: {
    id: Column.integer,
    title: Column.text,
    stars: Column.integer,
    withdrawn_at: Column.nullable(Column.timestamp),
    author_id: Column.integer
  }
})

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, stars INTEGER NOT NULL,
    withdrawn_at TEXT, author_id INTEGER NOT NULL)`
  yield* sql`CREATE INDEX articles_stars ON articles (stars DESC, id)`
  yield* sql`INSERT INTO authors VALUES (1, 'Ann'), (2, 'Bob')`
  yield* sql`INSERT INTO articles VALUES (1, 'Tea', 3, NULL, 1), (2, 'Cups', 5, NULL, 2), (3, 'Milk', 5, NULL, 1)`

  const articles = yield* SqlRepository.make(Article, { author: Relation.one(Author, "author_id") })
  const best = articles.select.filter("withdrawn_at", "isNull").order("Desc", "stars")

  const first = yield* articles.paginate(best, yield* Pagination.make({ cursor: "", limit: 2 }))
  console.log(
    first.items.map(({ author, title }) => `${title} by ${author?.name}`),
    first.pagination.next
  )

  const rest = yield* articles.paginate(best, yield* Pagination.make({ cursor: first.pagination.next, limit: 2 }))
  console.log(
    rest.items.map(({ title }) => title),
    rest.pagination.more
  )

  const page = yield* articles.paginate(best, yield* Pagination.make({ page: 2, limit: 2 }))
  console.log(
    page.items.length,
    "of",
    page.pagination.total,
    "on page",
    page.pagination.page,
    "of",
    page.pagination.pages
  )

  const titles = Stream.map(articles.stream(best), ({ title }) => title)
  console.log(yield* Stream.runFold(titles, "", (text, title) => `${text}${title};`))

  const forged = articles.paginate(best, yield* Pagination.make({ cursor: "WyJhIl0" }))
  console.log(Either.isLeft(yield* Effect.either(forged)))
})

await Effect.runPromise(Effect.provide(program, Database.layer(DatabaseUrl.Sqlite({ path: "list.sqlite" }))))
