// A page deep in a list of a million rows, with what belongs to them, against its first page and against OFFSET.
import { SqlClient } from "@effect/sql"
import { Effect, Either } from "effect"
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import * as Column from "../../src/pagination/Column.ts"
import * as Cursor from "../../src/pagination/Cursor.ts"
import * as Entity from "../../src/pagination/Entity.ts"
import * as Pagination from "../../src/pagination/Pagination.ts"
import * as Relation from "../../src/pagination/Relation.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import { partsOf } from "../../src/pagination/internal/query/SelectionState.ts"
import type { Options } from "../Options.ts"
import type { Row } from "../Row.ts"
import { forgetful, onBoth } from "./Engines.ts"
import { inTurns } from "./Timing.ts"

/** How long the list is, how deep the page, and how often it is read. */
interface Size {
  readonly total: number
  readonly depth: number
  readonly turns: number
}

const whole: Size = { total: 1_000_000, depth: 900_000, turns: 600 }
const small: Size = { total: 100_000, depth: 90_000, turns: 100 }

const Entry = Entity.make("entries", {
  key: "id",
  columns: {
    id: Column.integer,
    at: Column.integer,
    bucket: Column.integer,
    word: Column.text,
    owner_id: Column.integer
  }
})
const Owner = Entity.make("owners", { key: "id", columns: { id: Column.integer, name: Column.text } })

const all = Selection.from(Entry)

const lists = {
  "one column": all.order("Asc", "id"),
  "two columns": all.order("Asc", "at").order("Asc", "id"),
  "mixed directions": all.order("Desc", "at").order("Asc", "id"),
  "heavy ties": all.order("Asc", "bucket").order("Asc", "id")
} as const

const fill = Effect.fnUntraced(function* (total: number) {
  const sql = yield* SqlClient.SqlClient
  const numbers = sql.onDialectOrElse({
    pg: () => sql`SELECT n FROM generate_series(1, ${total}::int) AS n`,
    orElse: () =>
      sql`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${total}) SELECT n FROM s`
  })
  yield* sql`CREATE TABLE entries (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, bucket INTEGER NOT NULL, word TEXT NOT NULL, owner_id INTEGER NOT NULL)`
  yield* sql`CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL)`
  yield* sql`INSERT INTO owners SELECT DISTINCT n, 'owner number ' || n FROM (${numbers}) AS numbers WHERE n <= 100`
  // Moments in no order, three rows at each; ten buckets of a hundred thousand.
  yield* sql`INSERT INTO entries SELECT n, ((n / 3) * 1009) % 333337, n % 10, 'word number ' || n, 1 + n % 100 FROM (${numbers}) AS numbers`
  yield* sql`CREATE INDEX entries_at ON entries (at, id)`
  yield* sql`CREATE INDEX entries_mixed ON entries (at DESC, id)`
  yield* sql`CREATE INDEX entries_bucket ON entries (bucket, id)`
  yield* sql`ANALYZE`
})

const asked = (options: Parameters<typeof Pagination.make>[0]) => Either.getOrThrow(Pagination.make(options))

const measureOne = (
  engine: string,
  { depth, total, turns }: Size
): Effect.Effect<ReadonlyArray<Row>, unknown, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    yield* fill(total)
    const sql = yield* SqlClient.SqlClient
    const entries = yield* Effect.provide(
      SqlRepository.make(Entry, { owner: Relation.one(Owner, "owner_id") }),
      forgetful
    )
    const rows: Array<Row> = []
    for (const [name, list] of Object.entries(lists)) {
      const columns = partsOf(list)
        .orders.map(({ column, direction }) => `"${column}" ${direction}`)
        .join(", ")
      const skip = sql.unsafe(`SELECT * FROM entries ORDER BY ${columns} LIMIT 11 OFFSET ${depth}`)
      const [row] = yield* sql.unsafe<Record<string, unknown>>(
        `SELECT * FROM entries ORDER BY ${columns} LIMIT 1 OFFSET ${depth - 1}`
      )
      const cursor = Either.getOrThrow(Cursor.encode(partsOf(list).orders.map(({ column }) => row?.[column])))
      const first = entries.paginate(list, asked({ cursor: "" }))
      const deep = entries.paginate(list, asked({ cursor }))
      const [near = 0, far = 0] = yield* inTurns([first, deep], turns)
      const [slow = 0] = yield* inTurns([skip], 5)
      const subject = `${engine}, ${name}: page at ${depth.toLocaleString("en")}`
      rows.push(
        {
          subject: `${subject} / first page`,
          ours: far,
          peer: near,
          unit: "ms",
          ratio: far / near,
          bar: 1.5,
          better: "lower"
        },
        {
          subject: `OFFSET / ${subject}`,
          ours: far,
          peer: slow,
          unit: "ms",
          ratio: slow / far,
          // What OFFSET reads grows with the depth, so the bar is for the whole list.
          bar: total === whole.total ? 100 : undefined,
          better: "higher"
        }
      )
    }
    return rows
  })

/** Needs about a minute and a few hundred megabytes of disk. */
export const measure = ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const size = quick ? small : whole
  return onBoth(({ name }) => measureOne(name, size))
}
