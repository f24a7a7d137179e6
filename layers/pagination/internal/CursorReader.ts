// Reads a list from cursor to cursor, forward and backward: one search for the rows, and one row more to see whether others follow.
import { Effect, Either } from "effect"
import type * as Column from "../../../src/pagination/Column.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import type { Codec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"
import { columnOf } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import { EntityMismatch } from "../../../src/pagination/Entity.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import type * as Selection from "../../../src/pagination/Selection.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import type { MutableRow } from "./RelationLoader.ts"
import type { Plan, Walk } from "./SeekPlanner.ts"
import type * as Statements from "./Statements.ts"

interface Options {
  readonly dialect: Dialect
  readonly entity: EntityRow.Any
  readonly codec: Codec
}

type Position = ReadonlyArray<Keyset.Value>

/** Why a list cannot be read by cursor like this. */
export const refusal = <C extends Column.Columns>(
  plan: Plan,
  selection: Selection.Selection<C>,
  { bidirectional }: Pagination.CursorPart
): Pagination.InvalidPagination | undefined => {
  if (plan.refusal !== undefined) return plan.refusal
  return bidirectional && partsOf(selection).position.length > 0 ? startsInside : undefined
}

const startsInside = new Pagination.InvalidPagination({
  reason: "A list that starts at a position of its own cannot be read backward."
})

/** The filters were checked before the query: only a column of another type than its kind, such as an enum, refuses more. */
export const refusedFilter = ({ error }: Statements.RefusedValue): Effect.Effect<never, Pagination.InvalidPagination> =>
  Effect.zipRight(
    Effect.logDebug("A filter holds a value that its column cannot hold", error),
    new Pagination.InvalidPagination({ reason: "A filter was given a value that its column cannot hold." })
  )

/** The reader of a repository's lists. */
export const make = ({ codec, dialect, entity }: Options) => {
  // The values of a selection up to its size; `after` replaces its own position.
  const given = <C extends Column.Columns>(
    selection: Selection.Selection<C>,
    after?: { readonly orders: Walk["orders"]; readonly position: Position }
  ): Array<unknown> => {
    const values = Query.restricted(dialect, selection)
    const { entity } = selection
    const add = (value: Keyset.Value | undefined, column: string) => {
      if (value !== null && value !== undefined) values.push(dialect.write(value, columnOf(entity, column)))
    }
    if (after === undefined) for (const { column, value } of partsOf(selection).position) add(value, column)
    else for (const [index, { column }] of after.orders.entries()) add(after.position[index], column)
    return values
  }

  // Before any query: rejects a cursor that this server did not issue, or not for this list.
  const position = (plan: Plan, cursor: string): Either.Either<Position, Cursor.InvalidCursor> =>
    Either.flatMap(codec.decode(cursor, plan.list), (token) => Keyset.decode(dialect, plan.columns, token))

  const rowsFrom = <C extends Column.Columns>(
    walk: Walk,
    selection: Selection.Selection<C>,
    from: Position | undefined,
    size: number
  ): Effect.Effect<Statements.Rows, Cursor.InvalidCursor | Pagination.InvalidPagination> => {
    const values = [...given(selection, from && { orders: walk.orders, position: from }), size]
    return from === undefined
      ? Effect.catchAll(walk.first(values), refusedFilter)
      : Effect.catchAll(
          walk.after(from)(values),
          () => new Cursor.InvalidCursor({ problem: "value", detail: "one of its values" })
        )
  }

  // Each row comes strictly after the one before it, the first one after the cursor. Otherwise the next cursor would lead
  // to the same rows again, or past a row that has the same key.
  const assertProgress = (
    { columns }: Plan,
    { orders }: Walk,
    from: Position | undefined,
    rows: ReadonlyArray<MutableRow>
  ) => {
    let before = from
    for (const row of rows) {
      const place = Keyset.valuesOf(orders, row)
      if (before !== undefined && !Keyset.isAfter(orders, columns, before, place)) throw noProgress(entity, orders)
      before = place
    }
  }

  // Whether the list has rows on the side that the walk came from: one row decides, also where the cursor's own row is gone.
  const precedes = <C extends Column.Columns>(
    plan: Plan,
    walk: Walk,
    selection: Selection.Selection<C>,
    rows: ReadonlyArray<MutableRow>
  ) => {
    const [back, edge] = walk === plan.forward ? [plan.backward, rows[0]] : [plan.forward, rows.at(-1)]
    const from = edge === undefined ? undefined : Keyset.valuesOf(plan.orders, edge)
    return Effect.map(rowsFrom(back, selection, from, 1), (found) => found.length > 0)
  }

  // `more` and `behind` are whether rows follow in the direction of the walk and in the other one.
  const resolve = (
    plan: Plan,
    pagination: Pagination.CursorPart,
    rows: ReadonlyArray<MutableRow>,
    [more, behind]: readonly [boolean, boolean]
  ): Pagination.CursorPart => {
    const { before, bidirectional, rowCursors } = pagination
    const cursorOf = (row: MutableRow): string => codec.encode(Keyset.token(plan.orders, plan.columns, row), plan.list)
    // Of an empty part the neighbour is the end, or the start, of the whole list.
    const edge = (there: boolean, row: MutableRow | undefined): string | null =>
      there ? (row === undefined ? "" : cursorOf(row)) : null
    const [follow, lead] = before === null ? [more, behind] : [behind, more]
    return {
      ...pagination,
      more: follow,
      next: edge(follow, rows.at(-1)),
      previous: bidirectional ? edge(lead, rows[0]) : null,
      rowCursors: rowCursors === null ? null : Object.freeze(rows.map(cursorOf))
    }
  }

  /** The rows after a position or before it, in the order of the list; those at the start or the end without one. */
  const part = <C extends Column.Columns>(
    plan: Plan,
    selection: Selection.Selection<C>,
    pagination: Pagination.CursorPart,
    from: Position | undefined
  ) => {
    const { before, bidirectional, limit } = pagination
    const walk = before === null ? plan.forward : plan.backward
    return Effect.flatMap(rowsFrom(walk, selection, from, limit + 1), (values) => {
      const all = plan.read(values)
      assertProgress(plan, walk, from, all)
      const more = values.length > limit
      const rows = more ? all.slice(0, limit) : all
      if (before !== null) rows.reverse()
      if (!bidirectional || from === undefined) {
        return Effect.succeed({ rows, outcome: resolve(plan, pagination, rows, [more, false]) })
      }
      return Effect.map(precedes(plan, walk, selection, rows), (behind) => ({
        rows,
        outcome: resolve(plan, pagination, rows, [more, behind])
      }))
    })
  }

  return { given, position, part }
}

const noProgress = ({ table }: EntityRow.Any, orders: Walk["orders"]): EntityMismatch => {
  const column = orders.map((order) => order.column).join(", ")
  const found = "two rows that share a place in it"
  return new EntityMismatch({
    table,
    problems: [{ column, declared: "an order in which no two rows are equal", found }]
  })
}
