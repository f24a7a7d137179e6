// The full-text index of an entity: an FTS5 table beside it in SQLite, a text search vector in PostgreSQL.
import { type Dialect, madeOn, quote, quoteTable, tableName } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import type { FullTextIndex } from "../columns/EntityRow.ts"
import { qualified } from "./Writer.ts"
import { misdeclared } from "../Misdeclared.ts"

/** Characters of a search. PostgreSQL fails on a word of more than 2,046 bytes, SQLite on thousands of words. */
export const maxLength = 500

/** The index of an entity. A search without one is a mistake in the program. */
export const indexOf = ({ search, table }: EntityRow.Any): FullTextIndex => {
  if (search === undefined) throw misdeclared(`${table} declares no full-text index`)
  return search
}

/** Whether an FTS5 table can refer to the rows: it knows them by an integer. */
export const isServed = ({ name }: Dialect, entity: EntityRow.Any): boolean => {
  const { kind } = columnOf(entity, entity.key)
  return name === "pg" || (entity.keys.length === 1 && (kind === "integer" || kind === "bigint"))
}

/**
 * The rows that a search finds.
 *
 * => "articles"."id" IN (SELECT rowid FROM "articles_search" WHERE "articles_search" MATCH ?)
 * => to_tsvector('simple'::regconfig, "articles"."title") @@ plainto_tsquery('simple'::regconfig, $1)
 */
export const condition = ({ name }: Dialect, entity: EntityRow.Any, source: string, place: string): string => {
  const index = indexOf(entity)
  if (name === "pg") return `${vector(entity, index, source)} @@ plainto_tsquery(${regconfig(index)}, ${place})`
  const own = quote(tableName(index.table).name)
  return `${qualified(source, entity.key)} IN (SELECT rowid FROM ${quoteTable(index.table)} WHERE ${own} MATCH ${place})`
}

/** The text of a search for the driver. FTS5 reads `"…"` as words, and everything else as its own language. */
export const operand = ({ name }: Dialect, text: string): string => {
  const words = text.split(/[\s\p{Cc}]+/u).filter((word) => word !== "")
  if (name === "pg") return words.join(" ")
  return words.length === 0 ? '""' : words.map((word) => `"${word.replaceAll('"', '""')}"`).join(" ")
}

const regconfig = ({ config }: FullTextIndex): string => `'${config.replaceAll("'", "''")}'::regconfig`

const vector = (entity: EntityRow.Any, index: FullTextIndex, source: string | undefined): string => {
  const name = (column: string) => (source === undefined ? quote(column) : qualified(source, column))
  if (index.vector !== undefined) return name(index.vector)
  const texts = index.columns.map((column) =>
    columnOf(entity, column).nullable ? `coalesce(${name(column)}::text, '')` : `${name(column)}::text`
  )
  return `to_tsvector(${regconfig(index)}, ${texts.join(" || ' ' || ")})`
}

/** The statements that make the index: in SQLite a table of its own, with the triggers that keep it. */
export const statements = ({ name }: Dialect, entity: EntityRow.Any): ReadonlyArray<string> => {
  const index = indexOf(entity)
  const own = tableName(index.table).name
  if (name === "pg") {
    return [`CREATE INDEX ${madeOn({ name }, own, entity.table)} USING gin (${vector(entity, index, undefined)})`]
  }
  // A trigger and an FTS5 table reach what is in their own schema, by its plain name.
  const [whole, table] = [quoteTable(index.table), quote(own)]
  const columns = index.columns.map(quote).join(", ")
  const values = (row: "new" | "old") => [entity.key, ...index.columns].map((one) => `${row}.${quote(one)}`).join(", ")
  const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
  const added = `INSERT INTO ${table} (rowid, ${columns}) VALUES (${values("new")});`
  const removed = `INSERT INTO ${table} (${table}, rowid, ${columns}) VALUES ('delete', ${values("old")});`
  const trigger = (event: string, ...steps: ReadonlyArray<string>) =>
    `CREATE TRIGGER ${madeOn({ name }, `${own}_${event}`, entity.table, `AFTER ${event.toUpperCase()} ON`)} BEGIN ${steps.join(" ")} END`
  const content = `content=${literal(tableName(entity.table).name)}, content_rowid=${literal(entity.key)}`
  return [
    // As PostgreSQL does, letters with accents are other letters.
    `CREATE VIRTUAL TABLE ${whole} USING fts5(${columns}, ${content}, tokenize='unicode61 remove_diacritics 0')`,
    trigger("insert", added),
    trigger("delete", removed),
    trigger("update", removed, added),
    `INSERT INTO ${whole} (${table}) VALUES ('rebuild')`
  ]
}
