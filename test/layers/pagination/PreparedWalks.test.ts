// A walk without filters is a prepared statement on PostgreSQL, where it is one search of an index: the plan that the server
// keeps for it must be the one for ten rows, anywhere in the list.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Chunk, Effect, Either, Layer, Redacted, Stream } from "effect"
import * as PostgresDatabase from "../../../layers/database/PostgresDatabase.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

const Letter = Entity.make("letters", {
  key: "id",
  columns: { id: Column.integer, place: Column.integer, weight: Column.integer }
})

// The names of prepared statements are known to one connection.
const oneConnection = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) => Layer.orDie(PostgresDatabase.layer(Redacted.make(url), { maxConnections: 1 })))
)

const total = 30_000

const filled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Things.create(Letter)
  yield* sql`INSERT INTO letters SELECT n, (n * 7919) % 1000, n % 50 FROM generate_series(1, ${total}) AS n`
  yield* sql`CREATE INDEX letters_place ON letters (place, id)`
  yield* sql`CREATE INDEX letters_weight ON letters (weight DESC, id)`
  yield* sql`ANALYZE letters`
})

interface Prepared {
  readonly name: string
  readonly statement: string
  readonly types: ReadonlyArray<string>
}

describe("A walk that is prepared", () => {
  layer(postgres.layerEmpty)((it) => {
    it.effect("is searched by the index of its order, however often it runs", () =>
      Effect.gen(function* () {
        yield* filled
        const sql = yield* SqlClient.SqlClient
        const letters = yield* SqlRepository.make(Letter)
        const orders = {
          place: letters.select.order("Asc", "place").order("Asc", "id"),
          weight: letters.select.order("Desc", "weight").order("Asc", "id")
        }
        for (const selection of Object.values(orders)) {
          let cursor: string | null = ""
          for (let page = 0; page < 12 && cursor !== null; page++) {
            const asked: Pagination.Pagination = Either.getOrThrow(Pagination.make({ cursor, limit: 10 }))
            const { pagination } = yield* letters.paginate(selection, asked)
            cursor = pagination.next
          }
          const walked = yield* Stream.runCollect(letters.stream(selection, { batch: 5000 }))
          expect(Chunk.size(walked)).toBe(total)
        }
        const prepared = yield* sql<Prepared>`SELECT name, statement, parameter_types::text[] AS types
          FROM pg_prepared_statements WHERE statement LIKE '%letters%'`
        // The start and what follows of the one order, the start of the other, whose directions are mixed.
        expect(prepared).toHaveLength(3)
        for (const { name, statement, types } of prepared) {
          // Somewhere in the middle, then the ten rows of a page and one more.
          const values = types.map((_, index) => (index === types.length - 1 ? 11 : 20)).join(", ")
          const given = types.length === 0 ? "" : ` (${values})`
          const plan = yield* sql.unsafe(`EXPLAIN EXECUTE "${name}"${given}`).values
          const text = plan.flat().join("\n")
          expect(text, statement).toMatch(/Index (Only )?Scan/)
          expect(text, statement).not.toMatch(/Seq Scan|\bSort\b/)
        }
      }).pipe(Effect.provide(oneConnection))
    )
  })
})
