// The conditions of a selection as SQL. A value is always a parameter.
import type { Columns } from "../../Column.ts"
import type { Kind } from "../columns/ColumnKind.ts"
import { type Dialect, quote, quoteTable } from "./Dialect.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import * as FullText from "./FullText.ts"
import { joined, textOf } from "../relations/RelatedColumn.ts"
import type { Selection } from "../../Selection.ts"
import type { Comparison, Leaf, Operator, Restriction } from "./SelectionParts.ts"
import { partsOf } from "./SelectionState.ts"
import { aliasOf, qualified, type Writer } from "./Writer.ts"

/** A condition for each restriction, its values in the order of their places. */
export const restrictions = <C extends Columns>(writer: Writer, selection: Selection<C>): Array<string> => {
  const { entity } = selection
  let index = 0
  const scope: Scope = { entity, sources: [entity.table], place: (kind) => writer.place(index++, kind) }
  return partsOf(selection).restrictions.map((restriction) => condition(writer.dialect, restriction, scope))
}

interface Scope {
  readonly entity: EntityRow.Any
  /** The names of the tables around, the own one last. */
  readonly sources: readonly [string, ...ReadonlyArray<string>]
  readonly place: (kind: Kind) => string
}

const condition = (dialect: Dialect, restriction: Restriction, scope: Scope): string => {
  switch (restriction._tag) {
    case "AnyOf": {
      const [first, ...others] = restriction.branches.map((branch) => all(dialect, branch, scope))
      if (first === undefined) return "1 = 0"
      return others.length === 0 ? first : `(${[first, ...others].join(" OR ")})`
    }
    case "Not": {
      const [only, ...others] = restriction.branch
      // Never null, and an anti-join for the planner.
      if (only?._tag === "Exists" && others.length === 0) {
        return exists(dialect, { ...only, isNegated: !only.isNegated }, scope)
      }
      // NOT alone would lose the rows for which the condition is null.
      return `${all(dialect, restriction.branch, scope)} IS NOT TRUE`
    }
    case "Exists":
      return exists(dialect, restriction, scope)
    default:
      return leaf(dialect, restriction, scope)
  }
}

// => ("t"."a" = ? AND "t"."b" > ?)
const all = (dialect: Dialect, branch: ReadonlyArray<Restriction>, scope: Scope): string =>
  branch.length === 0 ? "(1 = 1)" : `(${branch.map((one) => condition(dialect, one, scope)).join(" AND ")})`

// => EXISTS (SELECT 1 FROM "comments" AS "related_1" WHERE "related_1"."article_id" = "articles"."id" AND …)
const exists = (
  dialect: Dialect,
  { branch, isNegated, link }: Extract<Restriction, { readonly _tag: "Exists" }>,
  { entity, place, sources }: Scope
): string => {
  const source = aliasOf(`related_${sources.length}`, sources)
  const inner: Scope = { entity: link.target, sources: [...sources, source], place }
  const linked = [[link.here, link.there] as const, ...(link.more ?? [])].map(([here, there]) =>
    joined(dialect, { target: link.target, here, there }, entity, [
      qualified(last(sources), here),
      qualified(source, there)
    ])
  )
  const found = [...linked, ...branch.map((one) => condition(dialect, one, inner))].join(" AND ")
  const rows = `SELECT 1 FROM ${quoteTable(link.target.table)} AS ${quote(source)} WHERE ${found}`
  return `${isNegated ? "NOT EXISTS" : "EXISTS"} (${rows})`
}

const last = (sources: Scope["sources"]): string => sources.at(-1) ?? sources[0]

const symbols: Readonly<Record<Comparison, string>> = {
  equal: "=",
  unequal: "<>",
  less: "<",
  lessOrEqual: "<=",
  greater: ">",
  greaterOrEqual: ">="
}

const words: Partial<Record<Operator, string>> = {
  isNull: "IS NULL",
  isNotNull: "IS NOT NULL",
  isTrue: "IS TRUE",
  isFalse: "IS FALSE"
}

const leaf = (dialect: Dialect, restriction: Leaf, scope: Scope): string => {
  if (restriction._tag === "Search") {
    return FullText.condition(dialect, scope.entity, last(scope.sources), scope.place("text"))
  }
  const { kind } = columnOf(scope.entity, restriction.column)
  const column = textOf(dialect, scope.entity, last(scope.sources), restriction.column)
  const place = () => scope.place(kind)
  if (restriction._tag === "Match") {
    const named = { table: scope.entity.table, column: restriction.column }
    return dialect.match(restriction.match, column, place(), named)
  }
  const { operator, values } = restriction
  switch (operator) {
    case "between":
      return `${column} BETWEEN ${place()} AND ${place()}`
    case "in":
      // Not every database accepts `IN ()`; an empty list matches no row.
      return values.length === 0 ? "1 = 0" : `${column} IN (${values.map(place).join(", ")})`
    case "isNull":
    case "isNotNull":
    case "isTrue":
    case "isFalse":
      return `${column} ${words[operator]}`
    default:
      return `${column} ${symbols[operator]} ${place()}`
  }
}
