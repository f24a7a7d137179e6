// The statements of a list, compiled once for each shape of selection.
import type * as Column from "../../../src/pagination/Column.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import { columnOf } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import type { Dialect } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import type * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import type * as Selection from "../../../src/pagination/Selection.ts"
import type { Order } from "../../../src/pagination/internal/query/SelectionParts.ts"
import {
  partsOf,
  reorder,
  seekFrom,
  selecting,
  shapeOf
} from "../../../src/pagination/internal/query/SelectionState.ts"
import * as ExactRows from "./ExactRows.ts"
import type { RelationJoins } from "./RelationJoins.ts"
import type { MutableRow } from "./RelationLoader.ts"
import * as Statements from "./Statements.ts"
import { Writer } from "../../../src/pagination/internal/query/Writer.ts"
import type { Columns } from "../../../src/pagination/Column.ts"
import * as PageQuery from "../../../src/pagination/internal/query/PageQuery.ts"

/** The rows of a list in one direction. */
export interface Walk {
  readonly orders: ReadonlyArray<Order>
  readonly first: Statements.Statement
  /** The rows after these values, of which only those that are not null have a place in the statement. */
  readonly after: (from: ReadonlyArray<Keyset.Value>) => Statements.Statement
}

/** All that follows from the shape of a selection. Statements take the selection's values in their order. */
export interface Plan {
  readonly id: number
  readonly orders: ReadonlyArray<Order>
  readonly columns: ReadonlyArray<Column.Column>
  /** Reads the selected columns of a row. */
  readonly read: (rows: Statements.Rows) => Array<MutableRow>
  /** Selected for the cursor or a relation, and not part of an item. */
  readonly hidden: ReadonlyArray<string>
  readonly list: string
  readonly refusal: Pagination.InvalidPagination | undefined
  readonly forward: Walk
  readonly backward: Walk
  readonly page: Statements.Statement
  readonly count: Statements.Statement
  readonly countUpTo: Statements.Statement
  readonly estimate: Statements.Statement
}

// Shapes are as many as a program writes, but for the lengths of its `in` lists.
const maxPlans = 500

/** The columns of an item, and those that its relations need. */
interface Selected {
  readonly shown: ReadonlyArray<string>
  readonly needed: ReadonlyArray<string>
  readonly related: RelationJoins
}

export const planner = <C extends Column.Columns>(statements: Statements.Statements, selected: Selected) => {
  const plans = new Map<string, Plan>()
  let last = 0
  return (selection: Selection.Selection<C>): Plan => {
    const shape = shapeOf(selection)
    const known = plans.get(shape)
    if (known !== undefined) return known
    if (plans.size >= maxPlans) plans.clear()
    const plan = makePlan(statements, selected, selection, ++last)
    plans.set(shape, plan)
    return plan
  }
}

const makePlan = <C extends Column.Columns>(
  statements: Statements.Statements,
  { needed, related, shown }: Selected,
  given: Selection.Selection<C>,
  id: number
): Plan => {
  const { dialect } = statements
  const orders = Keyset.orders(given)
  const names = [...new Set([...shown, ...needed, ...orders.map(({ column }) => column)])]
  const selection = selecting(given, names)
  const { entity } = selection
  const ordered = reorder(selection, orders).offset(undefined)
  const columns = orders.map(({ column }) => columnOf(entity, column))
  const statement = (compile: () => Query.Query) => Statements.lazily(() => Statements.compiled(statements, compile()))
  // Without filters a walk follows the index of its order, wherever it is and however far it goes.
  const isUnfiltered = partsOf(selection).restrictions.length === 0
  const rows = (selection: Selection.Selection<C>, isStable = isUnfiltered) =>
    pageStatement(statements, selection, { joins: [...related.joins.values()], isStable })
  const walk = (orders: ReadonlyArray<Order>): Walk => {
    const ordered = reorder(selection, orders).offset(undefined)
    return {
      orders,
      first: rows(ordered.limit(1)),
      after: byNulls(columns, (isNull) => {
        const position = orders.map(({ column, direction }, index) => {
          const value = isNull[index] === true ? null : ColumnValue.placeholder(columnOf(entity, column).kind)
          return { column, direction, value }
        })
        return rows(seekFrom(ordered, position).limit(1))
      })
    }
  }
  return {
    id,
    orders,
    columns,
    read: related.reader(entity),
    hidden: names.slice(shown.length),
    list: Keyset.list(entity, orders, partsOf(selection).restrictions),
    refusal: Keyset.refusal(selection),
    forward: walk(orders),
    backward: walk(Keyset.reverse(orders)),
    page: rows(ordered.limit(1).offset(0), isUnfiltered && dialect.name === "sqlite"),
    count: statement(() => Query.count(dialect, selection)),
    countUpTo: statement(() => Query.countUpTo(dialect, selection)),
    estimate: statement(() => Query.estimate(dialect, selection))
  }
}

// A statement for each way in which the values of a position may be null; one where none may be.
const byNulls = (
  columns: ReadonlyArray<Column.Column>,
  make: (isNull: ReadonlyArray<boolean>) => Statements.Statement
): Walk["after"] => {
  const none = make([])
  if (!columns.some((column) => column.nullable)) return () => none
  const all = new Map<string, Statements.Statement>()
  return (from) => {
    const isNull = from.map((value) => value === null)
    const known = all.get(isNull.join())
    if (known !== undefined) return known
    const made = make(isNull)
    all.set(isNull.join(), made)
    return made
  }
}

interface Options {
  readonly joins: ReadonlyArray<PageQuery.Join>
  /** Whether the best plan is the same for all values. */
  readonly isStable: boolean
}

/** The rows of a selection that has a limit. Its values are those of the selection, in their order. */
const pageStatement = <C extends Columns>(
  statements: Pick<Statements.Statements, "dialect" | "prepare">,
  selection: Selection.Selection<C>,
  { isStable, joins }: Options
): Statements.Statement =>
  // Most lists are walked in one direction only.
  Statements.lazily(() => {
    const { dialect } = statements
    const list = (writer: Writer) => writer.end(Query.rows(writer, selection, { withOrders: false }))
    if (dialect.name !== "pg") {
      const compile = (dialect: Dialect) => list(new Writer(dialect))
      return ExactRows.compiled(statements, selection.entity, compile, isStable ? "kept" : "unprepared")
    }
    // A lock is for no row more than asked for.
    if (!isStable || partsOf(selection).locked !== undefined) {
      const whole = joins.length === 0 ? list(new Writer(dialect)) : PageQuery.make(dialect, selection, joins)
      return Statements.compiled(statements, whole, "unprepared")
    }
    const known = new Map<number, Statements.Statement>()
    return (values) => {
      const bound = Statements.powerOf2(Number(values.at(-1)))
      const found = known.get(bound)
      if (found !== undefined) return found(values)
      const made = Statements.compiled(statements, PageQuery.make(dialect, selection, joins, bound), "kept")
      known.set(bound, made)
      return made(values)
    }
  })
