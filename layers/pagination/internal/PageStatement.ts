// The statement of a list's rows: in PostgreSQL with the rows that they refer to, and planned once where it can be.
import type { Columns } from "../../../src/pagination/Column.ts"
import * as PageQuery from "../../../src/pagination/internal/query/PageQuery.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import type { Selection } from "../../../src/pagination/Selection.ts"
import { partsOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import * as PowerOf2 from "./PowerOf2.ts"
import * as Statements from "./Statements.ts"

interface Options {
  readonly joins: ReadonlyArray<PageQuery.Join>
  /** Whether the best plan is the same for all values, as long as the statement is one search. */
  readonly isStable: boolean
}

/** The rows of a selection that has a limit. Its values are those of the selection, in their order. */
export const make = <C extends Columns>(
  statements: Pick<Statements.Statements, "dialect" | "prepare">,
  selection: Selection<C>,
  { isStable, joins }: Options
): Statements.Statement =>
  // Most lists are walked in one direction only.
  Statements.lazily(() => {
    const { dialect } = statements
    const list = Query.select(dialect, selection)
    if (dialect.name !== "pg") return Statements.compiled(statements, list, isStable)
    // For a part of a union the server may keep a plan that reads by another index. A lock is for no row more than asked for.
    if (!isStable || !isOneSearch(list.text) || partsOf(selection).locked !== undefined) {
      return Statements.compiled(statements, joins.length === 0 ? list : PageQuery.make(dialect, selection, joins))
    }
    const known = new Map<number, Statements.Statement>()
    return (values) => {
      const bound = PowerOf2.from(Number(values.at(-1)))
      const found = known.get(bound)
      if (found !== undefined) return found(values)
      const made = Statements.compiled(statements, PageQuery.make(dialect, selection, joins, bound), true)
      known.set(bound, made)
      return made(values)
    }
  })

const isOneSearch = (text: string): boolean => !/\bOR\b|SELECT.*SELECT/s.test(text)
