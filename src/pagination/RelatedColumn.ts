// A column of a related row as a column of the entity itself: a list may be ordered by it.
import type { Column, Columns } from "./Column.ts"
import type { Kind } from "./ColumnKind.ts"
import { type Dialect, quote } from "./Dialect.ts"
import type { Entity } from "./Entity.ts"
import { columnOf } from "./EntityColumns.ts"
import type * as EntityRow from "./EntityRow.ts"
import type { Link } from "./SelectionParts.ts"
import { qualified } from "./Writer.ts"

const integers = new Set<Kind>(["integer", "bigint"])

const isComparable = (left: Kind, right: Kind): boolean => left === right || (integers.has(left) && integers.has(right))

/** The name and the entity with this column of a related row. A row without a related one has null there. */
export const add = <C extends Columns>(
  entity: Entity<C>,
  link: Link,
  column: string
): readonly [name: string, entity: Entity<C>] => {
  const { here, target, there } = link
  if (link.more !== undefined)
    throw new TypeError(`${target.table} has a key of several columns: no list is ordered by it`)
  const { kind, scale } = columnOf(target, column)
  if (kind === "json") throw new TypeError(`"${column}" holds JSON, which has no order`)
  const name = `${here}.${target.table}.${column}`
  const related = {
    table: target.table,
    here,
    there,
    column,
    isComparable: isComparable(columnOf(entity, here).kind, columnOf(target, there).kind)
  }
  const { schema } = columnOf(target, column)
  const added: Column = { kind, nullable: true, schema, decodes: false, related, ...(scale !== undefined && { scale }) }
  // Not among the names: it is selected only where a list is ordered by it.
  return [name, { ...entity, columns: { ...entity.columns, [name]: added } }]
}

/**
 * A column of an entity whose table has this name in the statement.
 *
 * => "articles"."title"
 * => (SELECT "one"."name" FROM "authors" AS "one" WHERE "one"."id" = "articles"."author_id")
 */
export const textOf = (dialect: Dialect, entity: EntityRow.Any, source: string, name: string): string => {
  const { related } = columnOf(entity, name)
  if (related === undefined) return qualified(source, name)
  const alias = source === "one" ? "another" : "one"
  const joined = linked(dialect, related.isComparable, qualified(alias, related.there), qualified(source, related.here))
  return `(SELECT ${qualified(alias, related.column)} FROM ${quote(related.table)} AS ${quote(alias)} WHERE ${joined})`
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
