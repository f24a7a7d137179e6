// A column of a related row as a column of the entity itself: a list may be ordered by it.
import type { Column, Columns } from "../../Column.ts"
import { integers, type Kind } from "../columns/ColumnKind.ts"
import { type Dialect, quote, quoteTable } from "../query/Dialect.ts"
import type { Entity } from "../../Entity.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import type { Link } from "../query/SelectionParts.ts"
import { aliasOf, qualified } from "../query/Writer.ts"
import { misdeclared } from "../Misdeclared.ts"

const isComparable = (left: Kind, right: Kind): boolean =>
  left === right || (integers.includes(left) && integers.includes(right))

/** The name and the entity with this column of a related row. A row without a related one has null there. */
export const add = <C extends Columns, D extends EntityRow.Declared>(
  entity: Entity<C, D>,
  link: Link,
  column: string
): readonly [name: string, entity: Entity<C, D>] => {
  const { target } = link
  const { kind, scale, schema } = columnOf(target, column)
  if (kind === "json") throw misdeclared(`"${column}" holds JSON, which has no order`)
  const links = [[link.here, link.there] as const, ...(link.more ?? [])].map(([here, there]) => ({
    here,
    there,
    isComparable: isComparable(columnOf(entity, here).kind, columnOf(target, there).kind)
  }))
  const name = `${links.map(({ here }) => here).join(",")}.${target.table}.${column}`
  const related = { table: target.table, links, column }
  const added: Column = { kind, nullable: true, schema, decodes: false, related, ...(scale !== undefined && { scale }) }
  // Not among the names: it is selected only where a list is ordered by it.
  return [name, { ...entity, columns: { ...entity.columns, [name]: added } }]
}

/**
 * A column of an entity whose table has this name in the statement.
 *
 * => "articles"."title"
 * => (SELECT "one"."name" FROM "authors" AS "one" WHERE "one"."id" = "articles"."author_id")
 * => (SELECT …) COLLATE "NOCASE"
 */
export const textOf = (dialect: Dialect, entity: EntityRow.Any, source: string, name: string): string => {
  const { related } = columnOf(entity, name)
  if (related === undefined) return qualified(source, name)
  const alias = aliasOf("one", [source])
  const { collation, column, links, table } = related
  const joined = links.map(({ here, isComparable, there }) =>
    linked(dialect, isComparable, qualified(alias, there), qualified(source, here))
  )
  const found = `SELECT ${qualified(alias, column)} FROM ${quoteTable(table)} AS ${quote(alias)} WHERE ${joined.join(" AND ")}`
  // A subquery of SQLite has not the collation of its column, one of PostgreSQL has.
  return collation === undefined ? `(${found})` : `(${found}) COLLATE ${quote(collation)}`
}

/** The condition of a relation between these columns. */
export const joined = (
  dialect: Dialect,
  { here, target, there }: Link,
  entity: EntityRow.Any,
  [left, right]: readonly [string, string]
): string => linked(dialect, isComparable(columnOf(entity, here).kind, columnOf(target, there).kind), right, left)

// PostgreSQL compares no number with a text; SQLite does, by what the text spells.
const linked = ({ name }: Dialect, comparable: boolean, left: string, right: string): string =>
  comparable || name !== "pg" ? `${left} = ${right}` : `${left}::text = ${right}::text`
