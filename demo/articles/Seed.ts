// Fills the collection once: 24 authors and 1,000 articles, always the same.
import { SqlClient } from "@effect/sql"
import { Array, Effect, Layer } from "effect"
import * as Prose from "./Prose.ts"

// A statement has a limited number of parameters.
const batch = 250

/** Adds the articles to an empty collection; a second or concurrent run changes nothing. */
export const run: Effect.Effect<void, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const there = yield* sql`SELECT 1 FROM articles LIMIT 1`
  if (there.length > 0) return
  const articles = Array.makeBy(Prose.articleCount, Prose.article)
  yield* sql`INSERT INTO authors ${sql.insert([...Prose.authors])} ON CONFLICT (id) DO NOTHING`
  yield* Effect.forEach(
    Array.chunksOf(articles, batch),
    (rows) => sql`INSERT INTO articles ${sql.insert(rows)} ON CONFLICT (id) DO NOTHING`,
    { discard: true }
  )
}).pipe(
  // One transaction: an interrupted start does not leave a part of the collection behind.
  (seed) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(seed)),
  Effect.orDie
)

export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(run)
