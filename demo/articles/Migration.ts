// The tables of the collection, with an index for every order that the list offers.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

const articles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // SQLite compares timestamps as text, which is correct while all of them have the same format.
  const moment = sql.onDialectOrElse({ pg: () => sql`TIMESTAMPTZ`, orElse: () => sql`TEXT` })
  yield* sql`CREATE TABLE authors (
    id INTEGER NOT NULL PRIMARY KEY,
    name TEXT NOT NULL
  )`
  yield* sql`CREATE TABLE articles (
    id INTEGER NOT NULL PRIMARY KEY,
    title TEXT NOT NULL,
    summary TEXT NOT NULL,
    published_at ${moment} NOT NULL,
    author_id INTEGER NOT NULL REFERENCES authors (id)
  )`
  yield* sql`CREATE INDEX articles_published ON articles (published_at, id)`
  yield* sql`CREATE INDEX articles_title ON articles (title, id)`
  yield* sql`CREATE INDEX articles_author ON articles (author_id, published_at, id)`
})

/** The tables that the demo adds to those of the framework. */
export const migrations = { "0001_articles": articles } as const
