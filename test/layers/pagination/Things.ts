// A table with a column of every kind, few values in each so that most rows tie, and a key of any kind.
import { SqlClient } from "@effect/sql"
import { Effect, FastCheck as fc } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import type * as ColumnKind from "../../../src/pagination/internal/columns/ColumnKind.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import { columnOf } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import type { Direction } from "../../../src/pagination/Selection.ts"
import type { Nulls, Order } from "../../../src/pagination/internal/query/SelectionParts.ts"

export const keys = ["integer", "bigint", "text", "uuid"] as const
export type Key = (typeof keys)[number]

export const columns = {
  word: Column.text,
  code: Column.uuid,
  at: Column.timestamp,
  size: Column.integer,
  wide: Column.bigint,
  score: Column.float,
  flag: Column.boolean,
  cost: Column.decimal(2),
  born: Column.date,
  opens: Column.time,
  blob: Column.bytes,
  note: Column.nullable(Column.text),
  rank: Column.nullable(Column.integer),
  due: Column.nullable(Column.timestamp)
} as const

const ordered = ["word", "code", "at", "size", "wide", "score", "flag", "cost", "born", "opens", "blob"] as const
export const nullable = ["note", "rank", "due"] as const

const uuid = (number: number): string => `018f3c2e-7b1a-7c3d-9e4f-${number.toString(16).padStart(12, "0")}`

export const keyOf: { readonly [K in Key]: (index: number) => ColumnKind.Kinds[K] } = {
  integer: (index) => index * 3 - 50,
  // Neighbours that are one and the same as JavaScript numbers.
  bigint: (index) => 2n ** 53n + BigInt(index),
  text: (index) => `${index % 3 === 0 ? "ß" : "s"}${index}`,
  uuid
}

const pool = {
  word: ["", "A", "a", "a b", "é", "z'\"", "𝄞", "\uffee"],
  code: [1, 2, 255].map(uuid),
  at: [
    "1999-12-31T23:59:59.999999Z",
    "2024-02-29T12:00:00.000000Z",
    "2024-02-29T12:00:00.000001Z",
    "2024-02-29T12:00:00.000999Z",
    "2024-02-29T12:00:00.001000Z"
  ],
  size: [-2147483648, -1, 0, 1, 2147483647],
  wide: [-(2n ** 63n), -1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n],
  score: [-Infinity, -0.1, 0, 5e-324, 0.1, 0.30000000000000004, 2 ** 60, 1e300, Infinity],
  flag: [false, true],
  // As floats the last two are one number.
  cost: ["-0.01", "0.00", "0.10", "9.99", "10.00", "92233720368547758.06", "92233720368547758.07"],
  born: ["0001-01-01", "1999-12-31", "2000-02-29", "9999-12-31"],
  opens: ["00:00:00.000000", "09:30:00.000001", "23:59:59.999999", "24:00:00.000000"],
  blob: [[], [0], [0, 255], [1], [255]].map((bytes) => Buffer.from(bytes).toString("base64")),
  note: [null, "", "n"],
  rank: [null, -1, 0, 1],
  due: [null, "1999-12-31T23:59:59.999999Z", "2024-02-29T12:00:00.000001Z"]
} as const

export type Thing = { readonly id: ColumnKind.Scalar } & {
  readonly [N in keyof typeof columns]: ColumnKind.Scalar | null
}

const thing = fc.record({
  word: fc.constantFrom(...pool.word),
  code: fc.constantFrom(...pool.code),
  at: fc.constantFrom(...pool.at),
  size: fc.constantFrom(...pool.size),
  wide: fc.constantFrom(...pool.wide),
  score: fc.constantFrom(...pool.score),
  flag: fc.constantFrom(...pool.flag),
  cost: fc.constantFrom(...pool.cost),
  born: fc.constantFrom(...pool.born),
  opens: fc.constantFrom(...pool.opens),
  blob: fc.constantFrom(...pool.blob),
  note: fc.constantFrom(...pool.note),
  rank: fc.constantFrom(...pool.rank),
  due: fc.constantFrom(...pool.due)
})

/** Up to so many rows with keys of a kind. */
export const things = (key: Key, maxLength: number): fc.Arbitrary<ReadonlyArray<Thing>> =>
  fc.array(thing, { maxLength }).map((rows) => rows.map((row, index) => ({ id: keyOf[key](index), ...row })))

/** One to four orders in any directions, nulls first or last; sometimes the key is among them. */
export const orders: fc.Arbitrary<ReadonlyArray<Order>> = fc
  .uniqueArray(fc.constantFrom("id", ...ordered, ...nullable), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc.tuple(
      ...names.map((column) =>
        fc.record({ column: fc.constant(column), direction, nulls: nullsOf.get(column) ?? none })
      )
    )
  )
const direction = fc.constantFrom<Direction>("Asc", "Desc")
const none = fc.constant(undefined)
const nullsOf = new Map<string, fc.Arbitrary<Nulls>>(
  nullable.map((column) => [column, fc.constantFrom<Nulls>("First", "Last")])
)

export const entities = {
  integer: Entity.make("things_integer", { key: "id", columns: { id: Column.integer, ...columns } }),
  bigint: Entity.make("things_bigint", { key: "id", columns: { id: Column.bigint, ...columns } }),
  text: Entity.make("things_text", { key: "id", columns: { id: Column.text, ...columns } }),
  uuid: Entity.make("things_uuid", { key: "id", columns: { id: Column.uuid, ...columns } })
} as const

const types = {
  pg: {
    text: 'TEXT COLLATE "C"',
    uuid: "UUID",
    timestamp: "TIMESTAMPTZ",
    integer: "INTEGER",
    bigint: "BIGINT",
    float: "DOUBLE PRECISION",
    boolean: "BOOLEAN",
    date: "DATE",
    time: "TIME",
    decimal: "NUMERIC(30, 2)",
    bytes: "BYTEA",
    json: "JSONB"
  },
  sqlite: {
    text: "TEXT",
    uuid: "TEXT",
    timestamp: "TEXT",
    integer: "INTEGER",
    bigint: "INTEGER",
    float: "REAL",
    boolean: "INTEGER",
    date: "TEXT",
    time: "TEXT",
    decimal: "INTEGER",
    bytes: "BLOB",
    json: "TEXT"
  }
} as const

/** The table of an entity, on the engine at hand. */
export const create = (entity: EntityRow.Any): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const kinds = types[sql.onDialectOrElse({ pg: () => "pg" as const, orElse: () => "sqlite" as const })]
    const lines = entity.names.map((name) => {
      const column = columnOf(entity, name)
      const isKey = entity.keys.length === 1 && name === entity.key
      const suffix = isKey ? " PRIMARY KEY NOT NULL" : column.nullable ? "" : " NOT NULL"
      return `"${name}" ${kinds[column.kind]}${suffix}`
    })
    const key = entity.keys.map((name) => `"${name}"`).join(", ")
    const composite = entity.keys.length === 1 ? "" : `, PRIMARY KEY (${key})`
    yield* sql.unsafe(`CREATE TABLE "${entity.table}" (${lines.join(", ")}${composite})`)
  }).pipe(Effect.orDie)

/** Adds rows, in whatever order they come. */
export const insert = (
  entity: EntityRow.Any,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    if (rows.length === 0) return
    const sql = yield* SqlClient.SqlClient
    const isPg = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
    const dialect = isPg ? pg : sqlite
    const write = (value: unknown, name: string) => {
      const column = columnOf(entity, name)
      if (column.kind === "json") return JSON.stringify(value)
      return ColumnValue.isScalar(value) ? dialect.write(value, column) : value
    }
    const values = rows.flatMap((row) => entity.names.map((name) => write(row[name], name)))
    let place = 0
    const line = () => `(${entity.names.map(() => (isPg ? `$${++place}` : "?")).join(", ")})`
    const names = entity.names.map((name) => `"${name}"`).join(", ")
    yield* sql.unsafe(`INSERT INTO "${entity.table}" (${names}) VALUES ${rows.map(line).join(", ")}`, values)
  }).pipe(Effect.orDie)

/** The table with these rows alone, also when it was there before. */
export const fresh = (
  entity: EntityRow.Any,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.orDie(sql.unsafe(`DROP TABLE IF EXISTS "${entity.table}"`))
    yield* create(entity)
    yield* insert(entity, rows)
  })

export const replace = (
  entity: EntityRow.Any,
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>
): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.zipRight(Effect.orDie(sql.unsafe(`DELETE FROM "${entity.table}"`)), insert(entity, rows))
  )

// What a value is ordered by; both databases compare text by its bytes here.
const sortKey = (column: string, value: unknown): unknown => {
  if (column === "cost") return BigInt(String(value).replace(".", ""))
  return column === "blob" ? Buffer.from(String(value), "base64") : value
}

const compare = (left: unknown, right: unknown): number => {
  if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return Buffer.compare(left, right)
  if (typeof left === "string" && typeof right === "string")
    return Buffer.compare(Buffer.from(left), Buffer.from(right))
  const [a, b] = [left, right] as [number, number]
  return a < b ? -1 : a > b ? 1 : 0
}

/** What comes first in these orders: the rule that both databases must agree with. */
export const comparator =
  (orders: ReadonlyArray<Order>) =>
  (left: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): number => {
    for (const { column, direction, nulls } of orders) {
      const [one, other] = [left[column], right[column]]
      if ((one === null) !== (other === null)) return (one === null) === (nulls === "First") ? -1 : 1
      const sign = one === null ? 0 : compare(sortKey(column, one), sortKey(column, other))
      if (sign !== 0) return direction === "Asc" ? sign : -sign
    }
    return 0
  }
