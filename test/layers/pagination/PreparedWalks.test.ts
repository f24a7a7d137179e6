// A walk without filters is a prepared statement on PostgreSQL, where it is one search of an index: the plan that the server
// keeps for it must be the one for ten rows, anywhere in the list.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Chunk, Effect, Either, Layer, Redacted, Stream } from "effect"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated, Repository } from "../../../src/pagination/Repository.ts"
import type * as Selection from "../../../src/pagination/Selection.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

const Letter = Entity.make("letters", {
  key: "id",
  columns: { id: Column.integer, place: Column.integer, weight: Column.integer }
})

const Place = Entity.make("places", { key: "id", columns: { id: Column.integer, name: Column.text } })

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
  yield* Things.create(Place)
  yield* sql`INSERT INTO places SELECT n, 'place ' || n FROM generate_series(0, 999) AS n`
  yield* sql`ANALYZE letters, places`
})

interface Prepared {
  readonly name: string
  readonly statement: string
  readonly types: ReadonlyArray<string>
  /** How often it ran by the plan that the server keeps. */
  readonly kept: number
  /** How often it was planned for its values since it was parsed. */
  readonly planned: number
}

const preparedFor = (table: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Prepared>`SELECT name, statement, parameter_types::text[] AS types, generic_plans::integer AS kept,
        custom_plans::integer AS planned
      FROM pg_prepared_statements WHERE statement LIKE ${`%FROM "${table}"%`}`
  )

const planOf = ({ name, types }: Prepared) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Somewhere in the middle, then the ten rows of a page and one more.
    const values = types.map((_, index) => (index === types.length - 1 ? 11 : 20)).join(", ")
    const plan = yield* sql.unsafe(`EXPLAIN EXECUTE "${name}" (${values})`).values
    return plan.flat().join("\n")
  })

const walk = <C extends Column.Columns, A, I>(
  { paginate }: Repository<C, A, I>,
  selection: Selection.Selection<C>,
  pages: number
) =>
  Effect.gen(function* () {
    const read: Array<A> = []
    let cursor: string | null = ""
    for (let page = 0; page < pages && cursor !== null; page++) {
      const asked: Pagination.Pagination = Either.getOrThrow(Pagination.make({ cursor, limit: 10 }))
      const { items, pagination }: Paginated<A> = yield* paginate(selection, asked)
      read.push(...items)
      cursor = pagination.next
    }
    return read
  })

describe("A walk that is prepared", () => {
  layer(postgres.layerEmpty)((it) => {
    it.effect("is searched by the index of its order, however often it runs", () =>
      Effect.gen(function* () {
        yield* filled
        const letters = yield* SqlRepository.make(Letter)
        const orders = {
          place: letters.select.order("Asc", "place").order("Asc", "id"),
          weight: letters.select.order("Desc", "weight").order("Asc", "id")
        }
        for (const selection of Object.values(orders)) {
          yield* walk(letters, selection, 12)
          const walked = yield* Stream.runCollect(letters.stream(selection, { batch: 5000 }))
          expect(Chunk.size(walked)).toBe(total)
        }
        const prepared = yield* preparedFor("letters")
        const isUnion = ({ statement }: Prepared) => statement.includes("UNION ALL")
        const [unions, searches] = [prepared.filter(isUnion), prepared.filter((one) => !isUnion(one))]
        // The start and what follows of the one order, the start of the other, whose directions are mixed: each for a page
        // and for a batch.
        expect(searches).toHaveLength(6)
        for (const one of searches) {
          const plan = yield* planOf(one)
          expect(plan, one.statement).toMatch(/Index (Only )?Scan/)
          expect(plan, one.statement).not.toMatch(/Seq Scan|\bSort\b/)
        }
        // What follows was asked for eleven times; the server plans the first five for their values.
        expect(Math.max(...searches.map(({ kept }) => kept))).toBe(6)
        // What follows of the other one ran sixteen times, for pages and for batches: always planned for its values.
        expect(unions.map(({ kept, planned }) => [kept, planned])).toEqual([[0, 1]])
      }).pipe(Effect.provide(oneConnection))
    )

    it.effect("has the rows that its rows refer to, each searched by its key", () =>
      Effect.gen(function* () {
        const letters = yield* SqlRepository.make(Letter, { at: Relation.one(Place, "place") })
        const items = yield* walk(letters, letters.select.order("Asc", "place").order("Asc", "id"), 12)
        expect(items.map(({ at, place }) => at?.name === `place ${place}`)).toEqual(items.map(() => true))
        expect(items).toHaveLength(120)
        const prepared = yield* preparedFor("places")
        expect(prepared.map(({ kept }) => kept).sort()).toEqual([0, 6])
        for (const one of prepared) {
          const plan = yield* planOf(one)
          expect(plan.match(/Index (?:Only )?Scan/g), one.statement).toHaveLength(2)
          expect(plan, one.statement).not.toMatch(/Seq Scan|\bSort\b/)
        }
      }).pipe(Effect.provide(oneConnection))
    )
  })
})
