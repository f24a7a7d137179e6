// The rows of a list with the row that each of them refers to, in one statement, for PostgreSQL.
//
//   SELECT …, "relation_1"."id", "relation_1"."name" FROM (SELECT … FROM "articles" … LIMIT 16) AS "list_page"
//   LEFT JOIN LATERAL (SELECT … FROM "authors" WHERE "authors"."id" = "list_page"."author_id"::bigint LIMIT 1)
//   AS "relation_1" ON TRUE ORDER BY "list_page"."order_published_at" DESC, "list_page"."id" DESC LIMIT $3
import { reads, sizeSlot } from "./Clause.ts"
import type { Columns } from "../../Column.ts"
import { integers } from "../columns/ColumnKind.ts"
import { type Dialect, quote, quoteTable } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import * as Query from "./Query.ts"
import type { Relation } from "../relations/RelationItem.ts"
import type { Selection } from "../../Selection.ts"
import { partsOf } from "./SelectionState.ts"
import { aliasOf, qualified, Writer } from "./Writer.ts"

/** The row that a row of the list refers to. */
export interface Join {
  readonly target: EntityRow.Any
  /** The columns here that hold the key there. */
  readonly columns: ReadonlyArray<string>
}

/** Whether a column of this table has the type `uuid`; one that is declared as a UUID may also be a text. */
export type IsUuid = (table: string, column: string) => boolean

/**
 * Whether the related row can be read with the page itself: it is one, found by integers or UUIDs. Texts of two tables may
 * differ in type and collation. SQLite runs in this process, where there is no round trip to save.
 */
export const isJoinable = <C extends Columns>(
  dialect: Dialect,
  entity: EntityRow.Any,
  relation: Relation<C>,
  isUuid: IsUuid
): boolean =>
  dialect.name === "pg" &&
  relation._tag === "One" &&
  relation.target.keys.every((there, index) => {
    const here = relation.columns[index] ?? ""
    const [kind, kindThere] = [columnOf(entity, here).kind, columnOf(relation.target, there).kind]
    return kindThere === "uuid"
      ? kind === "uuid" && isUuid(entity.table, here) && isUuid(relation.target.table, there)
      : integers.includes(kind) && integers.includes(kindThere)
  })

/**
 * The rows of a selection with those of its joins. With `bound`, a number from the selection's limit up, the server knows
 * how many rows are read at most whatever the limit is, and keeps the plan.
 */
export const make = <C extends Columns>(
  dialect: Dialect,
  selection: Selection<C>,
  joins: ReadonlyArray<Join>,
  bound?: number
): Query.Query => {
  const { entity } = selection
  const page = aliasOf("list_page", [entity.table, ...joins.map(({ target }) => target.table)])
  const writer = new Writer(dialect, bound)
  const rows = Query.rows(writer, selection, { withOrders: true })
  const names = [
    ...entity.names.map((name) => qualified(page, name)),
    ...joins.flatMap(({ target }, index) => target.names.map((name) => qualified(alias(index), name)))
  ]
  const joined = joins.map(
    (join, index) => ` LEFT JOIN LATERAL (${found(dialect, join, page)}) AS ${quote(alias(index))} ON TRUE`
  )
  const order = Query.orderAround(dialect, selection, page)
  const limit = bound === undefined ? "" : ` LIMIT ${writer.place(sizeSlot(partsOf(selection)), "integer")}`
  return writer.end(`SELECT ${names.join(", ")} FROM (${rows}) AS ${quote(page)}${joined.join("")}${order}${limit}`)
}

const alias = (index: number): string => `relation_${index + 1}`

const found = (dialect: Dialect, { columns, target }: Join, page: string): string => {
  const equal = target.keys.map((key, index) => {
    // A 64-bit integer of the page was read as a text.
    const cast = columnOf(target, key).kind === "uuid" ? "" : "::bigint"
    return `${qualified(target.table, key)} = ${qualified(page, columns[index] ?? "")}${cast}`
  })
  const columnsThere = reads(dialect, target, target.table).join(", ")
  return `SELECT ${columnsThere} FROM ${quoteTable(target.table)} WHERE ${equal.join(" AND ")} LIMIT 1`
}
