// The related rows of any number of keys: in PostgreSQL by one statement, in SQLite by as few as its limit allows.
import { Effect } from "effect"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as RelationQuery from "../../../src/pagination/internal/relations/RelationQuery.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import * as ExactRows from "./ExactRows.ts"
import { powerOf2, type Rows, type Statement, type Statements } from "./Statements.ts"

/** A key as the driver takes it, a value for each of its columns. */
export type Key = ReadonlyArray<unknown>

/** Values of all keys in one statement: SQLite takes 32,766, with those of the filters. */
export const maxValues = 16_384

/** Gives the rows of these keys, each with the number of its key, from 1, as its last value. */
export const make = (
  statements: Statements,
  related: RelationQuery.Related
): ((keys: ReadonlyArray<Key>) => Effect.Effect<Rows>) => {
  const { dialect } = statements
  const { size } = partsOf(related.selection)
  const width = related.columns.length
  const given = [...Query.restricted(dialect, related.selection), ...(size === undefined ? [] : [size])]
  const known = new Map<number, Statement>()
  const prepared = (selection: RelationQuery.Related["selection"], keys: number): Statement => {
    const compile = (dialect: Dialect) => RelationQuery.make(dialect, { ...related, selection }, keys)
    // With a limit or a filter the server may keep a plan that reads by another index than that of the keys.
    const planning = given.length === 0 ? "kept" : "unprepared"
    const run = ExactRows.compiled(statements, selection.entity, compile, planning)
    const statement: Statement = (values) => run(given.length === 0 ? values : [...given, ...values])
    known.set(keys, statement)
    return statement
  }
  const statementFor = (keys: number): Statement => {
    const found = known.get(keys)
    if (found !== undefined) return found
    const collated = statements.collate(related.selection)
    if (!Effect.isEffect(collated)) return prepared(collated, keys)
    return (values) => Effect.flatMap(collated, (selection) => prepared(selection, keys)(values))
  }
  if (dialect.name === "pg") {
    return (keys) => {
      const columns = Array.from({ length: width }, (_, index) => keys.map((key) => key[index]))
      return Effect.orDie(statementFor(0)(columns))
    }
  }
  // One text for each power of two, not one for each number of keys. No row refers to a key of nulls.
  const batch = (keys: ReadonlyArray<Key>): Effect.Effect<Rows> => {
    const length = powerOf2(keys.length)
    const values: Array<unknown> = []
    for (const key of keys) for (const value of key) values.push(value)
    while (values.length < length * width) values.push(null)
    return Effect.orDie(statementFor(length)(values))
  }
  const most = powerOf2(maxValues / width + 1) / 2
  return (keys) => {
    if (keys.length <= most) return batch(keys)
    const starts = Array.from({ length: Math.ceil(keys.length / most) }, (_, index) => index * most)
    const batches = Effect.forEach(starts, (start) =>
      Effect.map(batch(keys.slice(start, start + most)), (rows) => numbered(rows, start))
    )
    return Effect.map(batches, (rows) => rows.flat())
  }
}

const numbered = (rows: Rows, start: number): Rows =>
  rows.map((row) => [...row.slice(0, -1), Number(row.at(-1)) + start])
