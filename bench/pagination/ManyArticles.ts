// Ten thousand articles, and the cursors of most of them.
import { SqlClient } from "@effect/sql"
import { Array, Effect, Either, Option } from "effect"
import * as Prose from "../../demo/articles/Prose.ts"
import * as Database from "../../layers/database/Database.ts"
import { parse } from "../../src/database/internal/DatabaseConfig.ts"
import * as Cursor from "../../src/pagination/Cursor.ts"

const total = 10_000

/** Far more than `CommitCache` keeps. */
const count = 8000

// A statement has a limited number of parameters.
const batch = 250

/** Adds articles to those that the demo in the database of this address has seeded. */
export const fill = (address: string): Promise<void> => {
  const url = Option.getOrThrow(parse(address))
  const articles = Array.makeBy(total - Prose.articleCount, (index) => Prose.article(Prose.articleCount + index))
  const write = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const insert = (rows: typeof articles) => sql`INSERT INTO articles ${sql.insert(rows)}`
    yield* sql.withTransaction(Effect.forEach(Array.chunksOf(articles, batch), insert, { discard: true }))
    yield* sql`ANALYZE`
  })
  return Effect.runPromise(Effect.provide(write, Database.layer(url)))
}

/** A path for each of many pages, in no order that a cache or a disk would like. */
export const paths: ReadonlyArray<string> = Array.makeBy(count, (index) => {
  const { id, published_at } = Prose.article(total - 1 - ((index * 2741) % count))
  return `/articles?cursor=${Either.getOrThrow(Cursor.encode([published_at, id]))}`
})
