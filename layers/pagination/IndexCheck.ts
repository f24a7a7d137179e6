// Compares the orders of lists with the indexes of their table: without its index a list sorts the table for each part.
import { SqlClient } from "@effect/sql"
import { Effect, Layer } from "effect"
import type * as Column from "../../src/pagination/Column.ts"
import { pg, quote, sqlite } from "../../src/pagination/Dialect.ts"
import type * as EntityRow from "../../src/pagination/EntityRow.ts"
import * as IndexText from "../../src/pagination/IndexText.ts"
import * as OrderIndex from "../../src/pagination/OrderIndex.ts"
import * as Restrictions from "../../src/pagination/Restrictions.ts"
import type { Selection } from "../../src/pagination/Selection.ts"
import { partsOf } from "../../src/pagination/SelectionState.ts"
import * as ColumnCollations from "./ColumnCollations.ts"
import * as SearchCheck from "./SearchCheck.ts"

/**
 * The `CREATE INDEX` statements of the indexes that these lists of an entity need and that its table does not have, those
 * for its searches included; a comment for a list that no index serves.
 */
export const run = <C extends Column.Columns>(
  ...lists: ReadonlyArray<Selection<C>>
): Effect.Effect<ReadonlyArray<string>, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [dialect, read] = sql.onDialectOrElse({
      pg: () => [pg, readPg] as const,
      orElse: () => [sqlite, readSqlite] as const
    })
    const missing = new Set<string>()
    for (const list of lists) {
      const searched = new Set<EntityRow.Any>()
      Restrictions.visit(list.entity, partsOf(list).restrictions, (entity, leaf) => {
        if (leaf._tag === "Search") searched.add(entity)
      })
      for (const entity of searched) {
        for (const statement of yield* Effect.orDie(SearchCheck.missing(sql, entity))) missing.add(statement)
      }
      const reason = OrderIndex.unservable(list)
      if (reason !== undefined) {
        missing.add(reason)
        continue
      }
      const needed = OrderIndex.needed(dialect, list)
      const isFiltered = partsOf(list).restrictions.length > 0
      const indexes = grouped(yield* Effect.orDie(read(sql, list.entity)), isFiltered)
      const isServed = indexes.some((index) => OrderIndex.serves(dialect, needed, index))
      if (!isServed) missing.add(OrderIndex.statement(dialect, needed))
    }
    return [...missing]
  })

/** Logs a warning with the `CREATE INDEX` statement for each index that these lists need and that is missing. */
export const layer = <C extends Column.Columns>(
  ...lists: ReadonlyArray<Selection<C>>
): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(run(...lists), (missing) =>
      Effect.forEach(missing, (statement) => Effect.logWarning(describe(statement)), {
        discard: true
      })
    )
  )

const describe = (statement: string): string =>
  statement.startsWith("-- ") ? statement.slice(3) : `A list has no index. Create it: ${statement}`

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
  const { names, table } = entity
  const keys = yield* sql<{ readonly name: string; readonly type: string }>`
    SELECT name, type FROM pragma_table_xinfo(${table}) WHERE pk > 0`
  const known = new Map(names.map((name) => [name.toLowerCase(), name]))
  // SQLite knows a column whatever the case of its letters.
  const named = (name: string): string => known.get(name.toLowerCase()) ?? name
  const [key] = keys.length === 1 && keys[0]?.type.toUpperCase() === "INTEGER" ? keys : []
  const plain = (name: string | undefined, descending = false): OrderIndex.IndexColumn | undefined =>
    name === undefined ? undefined : { column: named(name), isRank: false, descending, nullsFirst: !descending }
  // The columns that end every index by themselves are listed, too: the key of the table, or its row id.
  const rows = yield* sql<SqliteRow>`SELECT l.name AS "index", l.partial, x.seqno AS place, x.cid, x.name,
      x.desc AS descending, x.coll AS collation, s.sql
    FROM pragma_index_list(${table}) l JOIN pragma_index_xinfo(l.name) x
    LEFT JOIN sqlite_schema s ON s.type = 'index' AND s.name = l.name ORDER BY l.seq, x.seqno`
  const collations = yield* ColumnCollations.read(sql, entity)
  const all = rows.map(({ cid, collation, descending, index, name, partial, place, sql }): Row => {
    const test = cid === -2 && sql !== null ? IndexText.nullTests(sql)[place] : undefined
    const rank = plain(test, descending === 1)
    const part = rank === undefined ? plain(cid === -1 ? key?.name : (name ?? undefined), descending === 1) : rank
    // What an expression compares is no text.
    const known = part === undefined || rank !== undefined ? undefined : collations.get(part.column)
    const isCollatedOtherwise = known !== undefined && known !== collation.toUpperCase()
    return { index, partial: partial === 1, part: part && { ...part, isRank: rank !== undefined, isCollatedOtherwise } }
  })
  return key === undefined ? all : [...all, { index: "", partial: false, part: plain(key.name) }]
})

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
    WHERE i.indrelid = to_regclass(${quote(table)}) AND i.indisvalid AND k.place <= i.indnkeyatts
    ORDER BY i.indexrelid, k.place`
  return rows.map(({ descending, index, isCollatedOtherwise, name, nullsFirst, partial }): Row => {
    const part =
      name === null ? undefined : { column: name, isRank: false, descending, nullsFirst, isCollatedOtherwise }
    return { index, partial, part }
  })
})
