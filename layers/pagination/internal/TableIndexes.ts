// The indexes of a table as the database's catalogue describes them.
import type { SqlClient, SqlError } from "@effect/sql"
import { Effect } from "effect"
import { quote, quoteTable, tableName } from "../../../src/pagination/internal/query/Dialect.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import type * as OrderIndex from "../../../src/pagination/internal/query/OrderIndex.ts"
import * as ColumnCollations from "./ColumnCollations.ts"

/** Reads the indexes of an entity's table, each table once; those over some of its rows count for a list that has a filter. */
export const reader = (sql: SqlClient.SqlClient) => {
  const readAll = sql.onDialectOrElse({ pg: () => readPg, orElse: () => readSqlite })
  const known = new Map<string, ReadonlyArray<Row>>()
  return (
    entity: EntityRow.Any,
    isFiltered: boolean
  ): Effect.Effect<ReadonlyArray<OrderIndex.Index>, SqlError.SqlError> =>
    Effect.suspend(() => {
      // A column is named as the entity writes it.
      const key = JSON.stringify([entity.table, entity.names])
      const found = known.get(key)
      if (found !== undefined) return Effect.succeed(grouped(found, isFiltered))
      return Effect.map(readAll(sql, entity), (rows) => {
        known.set(key, rows)
        return grouped(rows, isFiltered)
      })
    })
}

/** What an operator reads of a missing index. */
export const warning = (statement: string): string => `A list has no index. Create it: ${statement}`

/** Whether there is a table of this name, and no view: its conditions may ask for the time, and its rows change without a commit. */
export const isTable = (sql: SqlClient.SqlClient, table: string): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql.onDialectOrElse({
      pg: () =>
        sql`SELECT 1 FROM pg_catalog.pg_class WHERE oid = to_regclass(${quoteTable(table)}) AND relkind IN ('r', 'p')`,
      orElse: () => {
        const { name, schema } = tableName(table)
        return sql`SELECT 1 FROM pragma_table_list(${name}) WHERE type = 'table' AND schema = coalesce(${schema}, schema)`
      }
    }),
    (found) => found.length > 0
  )

interface Row {
  readonly index: string
  readonly partial: boolean
  readonly part: OrderIndex.IndexColumn | undefined
}

// An index over some of the rows is right for a list of these rows, which has a filter.
const grouped = (rows: ReadonlyArray<Row>, isFiltered: boolean): ReadonlyArray<OrderIndex.Index> => {
  const indexes = new Map<string, Array<OrderIndex.IndexColumn | undefined>>()
  for (const { index, part, partial } of rows) {
    if (partial && !isFiltered) continue
    const columns = indexes.get(index)
    if (columns === undefined) indexes.set(index, [part])
    else columns.push(part)
  }
  return [...indexes.values()].map((columns) => ({ columns }))
}

interface SqliteRow {
  readonly index: string
  readonly partial: number
  readonly place: number
  readonly cid: number
  readonly name: string | null
  readonly descending: number
  readonly collation: string
  readonly sql: string | null
}

const readSqlite = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entity: EntityRow.Any) {
  const { names } = entity
  const { name: table, schema } = tableName(entity.table)
  const keys = yield* sql<{ readonly name: string; readonly type: string }>`
    SELECT name, type FROM pragma_table_xinfo(${table}, ${schema}) WHERE pk > 0`
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  // SQLite knows a column whatever the case of its letters.
  const named = (name: string): string => known.get(name.toLowerCase()) ?? name
  const [key] = keys.length === 1 && keys[0]?.type.toUpperCase() === "INTEGER" ? keys : []
  const plain = (name: string | undefined, descending = false): OrderIndex.IndexColumn | undefined =>
    name === undefined ? undefined : { column: named(name), isRank: false, descending, nullsFirst: !descending }
  // The columns that end every index by themselves are listed, too: the key of the table, or its row id.
  const rows = yield* sql<SqliteRow>`SELECT l.name AS "index", l.partial, x.seqno AS place, x.cid, x.name,
      x.desc AS descending, x.coll AS collation, s.sql
    FROM pragma_index_list(${table}, ${schema}) l JOIN pragma_index_xinfo(l.name, ${schema}) x
    LEFT JOIN ${sql.literal(schemaTable(schema))} s ON s.type = 'index' AND s.name = l.name ORDER BY l.seq, x.seqno`
  const collations = yield* ColumnCollations.read(sql, entity)
  const all = rows.map(({ cid, collation, descending, index, name, partial, place, sql }): Row => {
    const test = cid === -2 && sql !== null ? nullTests(sql)[place] : undefined
    const rank = plain(test, descending === 1)
    const part = rank === undefined ? plain(cid === -1 ? key?.name : (name ?? undefined), descending === 1) : rank
    // What an expression compares is no text.
    const known = part === undefined || rank !== undefined ? undefined : collations.get(part.column)
    const isCollatedOtherwise = known !== undefined && known !== collation.toUpperCase()
    return { index, partial: partial === 1, part: part && { ...part, isRank: rank !== undefined, isCollatedOtherwise } }
  })
  return key === undefined ? all : [...all, { index: "", partial: false, part: plain(key.name) }]
})

/** Where SQLite keeps the statements that made the tables and indexes of a schema. */
export const schemaTable = (schema: string | null): string =>
  schema === null ? "sqlite_schema" : `${quote(schema)}.sqlite_schema`

interface PgRow extends Omit<Required<OrderIndex.IndexColumn>, "column" | "isRank"> {
  readonly index: string
  readonly partial: boolean
  readonly name: string | null
}

const readPg = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { table }: EntityRow.Any) {
  const rows =
    yield* sql<PgRow>`SELECT i.indexrelid::text AS index, i.indpred IS NOT NULL AS partial, a.attname AS name,
      (i.indoption[k.place::int - 1] & 1) = 1 AS descending, (i.indoption[k.place::int - 1] & 2) = 2 AS "nullsFirst",
      COALESCE(i.indcollation[k.place::int - 1] <> a.attcollation, FALSE) OR o.opcname LIKE '%pattern_ops'
        AS "isCollatedOtherwise"
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_am m ON m.oid = c.relam AND m.amname = 'btree'
    CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
    JOIN pg_catalog.pg_opclass o ON o.oid = i.indclass[k.place::int - 1]
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum AND k.attnum > 0
    WHERE i.indrelid = to_regclass(${quoteTable(table)}) AND i.indisvalid AND k.place <= i.indnkeyatts
    ORDER BY i.indexrelid, k.place`
  return rows.map(({ descending, index, isCollatedOtherwise, name, nullsFirst, partial }): Row => {
    const part =
      name === null ? undefined : { column: name, isRank: false, descending, nullsFirst, isCollatedOtherwise }
    return { index, partial, part }
  })
})

const nullTest = /^\(?\s*("(?:[^"]|"")*"|[\w$]+)\s+IS\s+NULL\s*\)?(?:\s+(?:ASC|DESC))?$/i

const unquote = (name: string): string => (name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name)

/** The column of each part of an index that is `column IS NULL`, in the order of the parts; `undefined` for all others. */
export const nullTests = (sql: string): ReadonlyArray<string | undefined> =>
  parts(sql).map((part) => {
    const found = nullTest.exec(part)?.[1]
    return found === undefined ? undefined : unquote(found)
  })

// What stands between the outer parentheses, separated by commas that are inside no others and in no name or text.
const parts = (sql: string): ReadonlyArray<string> => {
  const all: Array<string> = []
  let depth = 0
  let quoted = ""
  let start = 0
  for (let index = 0; index < sql.length; index++) {
    const char = sql[index] ?? ""
    if (quoted !== "") quoted = char === quoted ? "" : quoted
    else if (char === '"' || char === "'" || char === "`") quoted = char
    else if (char === "(" && depth++ === 0) start = index + 1
    else if ((char === ")" && --depth === 0) || (char === "," && depth === 1)) {
      all.push(sql.slice(start, index).trim())
      start = index + 1
      if (depth === 0) break
    }
  }
  return all
}
