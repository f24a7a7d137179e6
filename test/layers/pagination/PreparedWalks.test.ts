// A walk without filters is a prepared statement on PostgreSQL: the plan that the server keeps for it must be the one for ten
// rows, anywhere in the list.
import { SqlClient } from "@effect/sql"
import { describe, expect, layer } from "@effect/vitest"
import { Chunk, Effect, Either, Layer, Redacted, Stream } from "effect"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
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

const Task = Entity.make("tasks", {
  key: "id",
  columns: { id: Column.integer, state: Column.text, since: Column.text }
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
}

const preparedFor = (table: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<Prepared>`SELECT name, statement, parameter_types::text[] AS types, generic_plans::integer AS kept
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
        // The start of each order and what follows, each for a page and for a batch.
        expect(prepared).toHaveLength(8)
        for (const one of prepared) {
          const plan = yield* planOf(one)
          expect(plan, one.statement).toMatch(/Index (Only )?Scan/)
          expect(plan, one.statement).not.toMatch(/Seq Scan|Sort {2}\(|_pkey/)
        }
        // What follows was asked for eleven times; the server plans the first five for their values.
        expect(prepared.map(({ kept }) => kept).filter((kept) => kept > 0)).toEqual([6, 6])
      }).pipe(Effect.provide(oneConnection))
    )

    it.effect(
      "is searched by the index of its order also where rows that tie end, whatever the type of their column",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          // The rows that tie are the first ones of the table: by the primary key all others follow.
          yield* sql`CREATE TYPE state AS ENUM ('done', 'open')`
          yield* sql`CREATE TABLE tasks (id INTEGER PRIMARY KEY, state state NOT NULL, since TIMESTAMP NOT NULL)`
          yield* sql`INSERT INTO tasks SELECT n, CASE WHEN n <= 10000 THEN 'open' ELSE 'done' END::state,
          CASE WHEN n <= 10000 THEN '2026-01-02' ELSE '2026-01-01' END::timestamp FROM generate_series(1, ${total}) AS n`
          yield* sql`CREATE INDEX tasks_state ON tasks (state DESC, id)`
          yield* sql`CREATE INDEX tasks_since ON tasks (since DESC, id)`
          yield* sql`ANALYZE tasks`
          const tasks = yield* SqlRepository.make(Task)
          for (const column of ["state", "since"] as const) {
            const list = tasks.select.order("Desc", column).order("Asc", "id")
            const value = column === "state" ? "open" : "2026-01-02 00:00:00"
            const cursor = Either.getOrThrow(Cursor.encode([value, 9995]))
            const asked = Either.getOrThrow(Pagination.make({ cursor, limit: 10 }))
            const { items } = yield* tasks.paginate(list, asked)
            expect(items.map(({ id }) => id)).toEqual([
              9996, 9997, 9998, 9999, 10000, 10001, 10002, 10003, 10004, 10005
            ])
            const all = yield* preparedFor("tasks")
            const prepared = all.find(({ statement }) => statement.includes(`"${column}" <`))
            for (const mode of ["force_custom_plan", "force_generic_plan"]) {
              yield* sql.unsafe(`SET plan_cache_mode = ${mode}`)
              const plan = yield* sql.unsafe(`EXPLAIN EXECUTE "${prepared?.name}" ('${value}', 9995, 11)`).values
              expect(
                plan
                  .flat()
                  .join("\n")
                  .match(/Index Scan using \w+/g)
              ).toEqual([`Index Scan using tasks_${column}`, `Index Scan using tasks_${column}`])
            }
          }
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
