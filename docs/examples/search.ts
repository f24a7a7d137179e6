import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Column, Entity, Selection } from "effect-framework/pagination"
import { Database } from "effect-framework/layers/database"
import { IndexCheck, SqlRepository } from "effect-framework/layers/pagination"

const Article = Entity.make("articles", {
  key: "id",
  columns: { id: Column.integer, title: Column.text, body: Column.text },
  search: { columns: ["title", "body"] }
})

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT NOT NULL, body TEXT NOT NULL)`
  yield* sql`INSERT INTO articles VALUES (1, 'Tea', 'It takes time.'), (2, 'Cups', 'For tea, and for time.')`

  const missing = yield* IndexCheck.run(Selection.from(Article).search(""))
  console.log(missing[0], missing.length)
  yield* Effect.forEach(missing, (statement) => sql.unsafe(statement))

  const articles = yield* SqlRepository.make(Article)
  const found = (text: string) =>
    Effect.map(articles.paginate(articles.select.search(text)), ({ items }) => items.map(({ title }) => title))
  console.log(yield* found("time TEA"), yield* found("tea cups"), yield* found('NEAR("tea'))
})

await Effect.runPromise(Effect.provide(program, Database.layer(DatabaseUrl.Sqlite({ path: "search.sqlite" }))))
