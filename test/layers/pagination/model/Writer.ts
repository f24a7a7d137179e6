// A writer that changes the table of a model while its lists are read: in the database and in memory.
import { Effect, FastCheck as fc } from "effect"
import * as Table from "./Table.ts"

/** A change of the table. */
export type Write =
  | { readonly _tag: "Insert"; readonly row: Table.Row }
  | { readonly _tag: "Delete"; readonly pick: number }
  /** A row gets other values, and with them another place in the list. */
  | { readonly _tag: "Move"; readonly pick: number; readonly row: Table.Row }

/** The rows of the table, and how often each key was written. */
export interface State {
  rows: ReadonlyArray<Table.Row>
  readonly written: Map<string, number>
}

export const write = (table: Table.Table): fc.Arbitrary<Write> =>
  fc.oneof(
    fc.record({ _tag: fc.constant("Insert" as const), row: Table.row(table) }),
    fc.record({ _tag: fc.constant("Delete" as const), pick: fc.nat(50) }),
    fc.record({ _tag: fc.constant("Move" as const), pick: fc.nat(50), row: Table.row(table) })
  )

/** The key of a row as one text. */
export const keyOf = ({ keys }: Table.Table, row: Readonly<Record<string, unknown>>): string =>
  keys.map((name) => JSON.stringify(String(row[name]))).join()

const count = (table: Table.Table, { written }: State, row: Table.Row, times: number): void => {
  written.set(keyOf(table, row), (written.get(keyOf(table, row)) ?? 0) + times)
}

/** Adds those rows whose keys are free. */
export const insert = (table: Table.Table, state: State, rows: ReadonlyArray<Table.Row>) => {
  const added: Array<Table.Row> = []
  for (const row of rows) {
    const isTaken = (other: Table.Row) => Table.sharesKey(table, row, other)
    if (!state.rows.some(isTaken) && !added.some(isTaken)) added.push(row)
  }
  for (const row of added) count(table, state, row, 1)
  return Effect.tap(Table.insert(table, added), () => (state.rows = [...state.rows, ...added]))
}

const remove = (table: Table.Table, state: State, row: Table.Row) => {
  count(table, state, row, 1)
  return Effect.tap(Table.remove(table, row), () => (state.rows = state.rows.filter((other) => other !== row)))
}

/** Carries out a change; one that is impossible changes nothing. */
export const apply = (table: Table.Table, state: State, write: Write) => {
  if (write._tag === "Insert") return insert(table, state, [write.row])
  const row = state.rows[write.pick % Math.max(1, state.rows.length)]
  if (row === undefined) return Effect.void
  if (write._tag === "Delete") return remove(table, state, row)
  const moved = { ...write.row, ...Object.fromEntries(table.keys.map((name) => [name, row[name] ?? null])) }
  return Effect.zipRight(remove(table, state, row), insert(table, state, [moved]))
}
