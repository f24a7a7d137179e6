// The relations that are read in one statement with the page itself.
import type { Dialect } from "../../src/pagination/Dialect.ts"
import type * as EntityRow from "../../src/pagination/EntityRow.ts"
import * as PageQuery from "../../src/pagination/PageQuery.ts"
import type { AnyRelations } from "../../src/pagination/RelationItem.ts"
import { type MutableRow, rowReader } from "./RelationLoader.ts"
import type { Rows } from "./Statements.ts"

export interface RelationJoins {
  /** Names of the relations that are joined, in the order in which their columns follow those of the list. */
  readonly names: ReadonlySet<string>
  readonly joins: ReadonlyArray<PageQuery.Join>
  /** Reads rows of the list that have so many columns of their own, and attaches the related rows. */
  readonly reader: (entity: EntityRow.Any) => (rows: Rows) => Array<MutableRow>
}

export const make = (dialect: Dialect, entity: EntityRow.Any, relations: AnyRelations): RelationJoins => {
  const joined = Object.entries(relations).filter(([, relation]) => PageQuery.isJoinable(dialect, entity, relation))
  const others = Object.keys(relations)
  return {
    names: new Set(joined.map(([name]) => name)),
    joins: joined.map(([, { columns, target }]) => ({ columns, target })),
    reader: (selected) => {
      const read = rowReader(dialect, selected)
      if (joined.length === 0) return (rows) => rows.map(read)
      let start = selected.names.length
      const attached = joined.map(([name, { target }]) => {
        const related = { name, key: start + target.names.indexOf(target.key), read: rowReader(dialect, target, start) }
        start += target.names.length
        return related
      })
      return (rows) =>
        rows.map((values) => {
          const row = read(values)
          // In the order of their declaration, also those that are loaded later.
          for (const name of others) row[name] = null
          for (const { key, name, read } of attached) if (values[key] !== null) row[name] = read(values)
          return row
        })
    }
  }
}
