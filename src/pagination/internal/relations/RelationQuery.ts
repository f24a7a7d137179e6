// The related rows of a page in one statement: the keys of the page, numbered, joined with the rows that refer to them.
// The database decides which keys are equal, by type and collation; the number says to which key a row belongs.
import { ordered, reads, terms, where } from "../query/Clause.ts"
import type { Columns } from "../../Column.ts"
import { restrictions } from "../query/Condition.ts"
import { type Dialect, quote, quoteTable } from "../query/Dialect.ts"
import type { Any } from "../columns/EntityRow.ts"
import { columnOf, erase } from "../columns/EntityColumns.ts"
import * as Keyset from "../query/Keyset.ts"
import { places } from "../query/Restrictions.ts"
import * as Selection from "../../Selection.ts"
import { type Parts, update } from "../query/SelectionParts.ts"
import { partsOf, reorder } from "../query/SelectionState.ts"
import { aliasOf, qualified, type Query, Writer } from "../query/Writer.ts"

/** The rows of a relation, whatever the keys. */
export interface Related {
  readonly selection: Selection.Selection<Columns>
  /** The columns that are compared with the keys. */
  readonly columns: ReadonlyArray<string>
}

/** The rows of a target with these filters, order and limit. The key makes the order total. */
export const related = (target: Any, columns: ReadonlyArray<string>, parts: Parts): Related => {
  const selection = Selection.from(erase(target))[update](parts, "")
  return { selection: reorder(selection, Keyset.orders(selection)), columns }
}

const parentsOf = ({ selection: { entity } }: Related): string => quote(aliasOf("relation_keys", [entity.table]))
const rowsOf = ({ selection: { entity } }: Related): string => aliasOf("relation_rows", [entity.table])

/** The columns of the result: those of the target, then the number of the key, from 1. */
export const names = ({ selection: { entity } }: Related): ReadonlyArray<string> => {
  let name = "relation_number"
  while (entity.names.includes(name)) name += "_"
  return [...entity.names, name]
}

/**
 * The rows of so many keys. The values are those of the filters, the limit if there is one, then the keys: in SQLite each
 * by itself, in PostgreSQL one array for each column, of any length.
 */
export const make = (dialect: Dialect, related: Related, keys: number): Query => {
  const writer = new Writer(dialect)
  const { entity } = related.selection
  const isLimited = partsOf(related.selection).size !== undefined
  const source = isLimited ? rowsOf(related) : entity.table
  const order = ordered(source, terms(dialect, related.selection, source))
  const columns = `${reads(dialect, entity, source).join(", ")}, ${parentsOf(related)}."column1" AS ${quote(names(related).at(-1) ?? "")}`
  // From left to right, as the places are counted.
  const head = `SELECT ${columns} FROM ${dialect.name === "pg" ? arrays(writer, related) : list(writer, related, keys)}`
  if (!isLimited)
    return writer.end(`${head} CROSS JOIN ${quoteTable(entity.table)}${matching(writer, related)}${order}`)
  const joined = dialect.name === "pg" ? lateral(writer, related) : keyed(writer, related)
  return writer.end(`${head} CROSS JOIN ${joined}${order}`)
}

const first = ({ selection }: Related): number => {
  const { restrictions, size } = partsOf(selection)
  return places(restrictions) + (size === undefined ? 0 : 1)
}

// => (VALUES (1, ?), (2, ?)) AS "relation_keys"
const list = (writer: Writer, related: Related, keys: number): string => {
  const kinds = related.columns.map((column) => columnOf(related.selection.entity, column).kind)
  let next = first(related)
  const row = (_: unknown, index: number) =>
    `(${[index + 1, ...kinds.map((kind) => writer.place(next++, kind))].join(", ")})`
  return `(VALUES ${Array.from({ length: keys }, row).join(", ")}) AS ${parentsOf(related)}`
}

// => unnest($1::bigint[]) WITH ORDINALITY AS "relation_keys" ("column2", "column1")
const arrays = (writer: Writer, related: Related): string => {
  const { entity } = related.selection
  const start = first(related)
  const all = related.columns.map((column, index) => {
    const place = writer.place(start + index, columnOf(entity, column).kind)
    if (place.includes("::")) return `${place}[]`
    // The type of the column, which may be an enum, a UUID or a text; the second value is never taken.
    return `COALESCE(${place}, ARRAY(SELECT ${qualified(entity.table, column)} FROM ${quoteTable(entity.table)} LIMIT 0))`
  })
  const columns = related.columns.map((_, index) => `"column${index + 2}"`)
  return `unnest(${all.join(", ")}) WITH ORDINALITY AS ${parentsOf(related)} (${[...columns, '"column1"'].join(", ")})`
}

// => WHERE "comments"."article_id" = "relation_keys"."column2" AND …
const matching = (writer: Writer, related: Related): string => {
  const { columns, selection } = related
  const parents = parentsOf(related)
  const equal = columns.map(
    (column, index) => `${qualified(selection.entity.table, column)} = ${parents}."column${index + 2}"`
  )
  return where([...equal, ...restrictions(writer, selection)])
}

const limited = (writer: Writer, related: Related): string => {
  const { entity } = related.selection
  const order = ordered(entity.table, terms(writer.dialect, related.selection))
  const limit = () => writer.place(first(related) - 1, "integer")
  return ` FROM ${quoteTable(entity.table)}${matching(writer, related)}${order} LIMIT ${limit()}`
}

// => LATERAL (SELECT … FROM "comments" WHERE … ORDER BY … LIMIT $1) AS "relation_rows"
const lateral = (writer: Writer, related: Related): string => {
  const { entity } = related.selection
  const columns = entity.names.map((name) => qualified(entity.table, name))
  return `LATERAL (SELECT ${columns.join(", ")}${limited(writer, related)}) AS ${quote(rowsOf(related))}`
}

// => "comments" AS "relation_rows" WHERE "relation_rows"."id" IN (SELECT "comments"."id" FROM "comments" WHERE … LIMIT ?)
const keyed = (writer: Writer, related: Related): string => {
  const { keys, table } = related.selection.entity
  const rows = rowsOf(related)
  const [outer, inner] = [rows, table].map((source) => keys.map((key) => qualified(source, key)).join(", "))
  const tuple = keys.length === 1 ? outer : `(${outer})`
  return `${quoteTable(table)} AS ${quote(rows)} WHERE ${tuple} IN (SELECT ${inner}${limited(writer, related)})`
}
