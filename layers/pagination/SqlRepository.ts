// A repository over SQL: an index search for each page, one query for each relation.
import type { SqlClient } from "@effect/sql"
import { type Context, Effect, Either, Layer } from "effect"
import type * as Column from "../../src/pagination/Column.ts"
import * as Cursor from "../../src/pagination/Cursor.ts"
import * as Entity from "../../src/pagination/Entity.ts"
import * as Keyset from "../../src/pagination/Keyset.ts"
import * as Pagination from "../../src/pagination/Pagination.ts"
import * as Query from "../../src/pagination/Query.ts"
import * as Relation from "../../src/pagination/Relation.ts"
import type { Paginated, Repository } from "../../src/pagination/Repository.ts"
import { Seal } from "../../src/pagination/Seal.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import * as Related from "./Related.ts"
import * as Statements from "./Statements.ts"

/** The repository of an entity; relations by the name they get on an item. */
export const make = <C extends Column.Columns, const R extends Relation.Relations<C> = {}>(
  entity: Entity.Entity<C>,
  relations: R = {} as R
): Effect.Effect<Repository<C, Relation.Item<C, R>, Relation.ItemEncoded<C, R>>, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const statements = yield* Statements.make
    const { dialect } = statements
    const seal = yield* Seal
    const all = Selection.from(entity)
    const planFor = planner(statements, entity)
    const read = Related.reader(entity)
    const load = Related.loader(statements, entity, relations)
    type Item = Relation.Item<C, R>

    const finish = (drafts: Array<Related.Draft>, pagination: Pagination.Pagination) => {
      // A boundary: the drafts were read column by column and the relations attached.
      const done = { items: drafts, pagination } as unknown as Paginated<Item>
      return load === undefined || drafts.length === 0 ? Effect.succeed(done) : Effect.as(load(drafts), done)
    }

    const page = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const { limit } = pagination
      const slice = plan.page([...given(selection), limit, Pagination.offset(pagination)])
      const count = plan.count(given(selection))
      return Effect.flatMap(statements.parallel, (concurrent) =>
        Effect.flatMap(Effect.zip(slice, count, { concurrent }), ([rows, [row]]) => {
          const total = Number(row?.[0])
          return finish(read(rows), Pagination.resolve(pagination, { total, pages: Pagination.pagesOf(total, limit) }))
        })
      )
    }

    const walk = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const { cursor, limit } = pagination
      const isStart = cursor === null || cursor === ""
      const after = isStart ? undefined : position(plan, cursor)
      if (after !== undefined && Either.isLeft(after)) return Effect.fail(after.left)
      const values = given(selection, after?.right)
      values.push(limit + 1)
      return Effect.flatMap(plan[isStart ? "first" : "after"](values), (rows) => {
        const more = rows.length > limit
        const drafts = read(more ? rows.slice(0, limit) : rows)
        const last = more ? drafts[limit - 1] : undefined
        const next = last === undefined ? null : seal.seal(token(plan, last), plan.list)
        return finish(drafts, Pagination.resolve(pagination, { more, next }))
      })
    }

    // The values of a selection up to its size; `after` stands in for its own position.
    const given = (selection: Selection.Selection<C>, after?: ReadonlyArray<Column.Scalar>): Array<unknown> => {
      const values = Query.restricted(dialect, selection)
      if (after !== undefined) for (const value of after) values.push(dialect.write(value))
      else for (const step of selection.parts.position) values.push(dialect.write(step.value))
      return values
    }

    // Before any query: a cursor that is not ours, or not of this list, ends here.
    const position = (
      plan: Plan,
      cursor: string
    ): Either.Either<ReadonlyArray<Column.Scalar>, Cursor.InvalidCursor> => {
      const opened = seal.open(cursor, plan.list)
      if (Either.isLeft(opened)) return Either.left(opened.left)
      const values = Cursor.decode(opened.right, plan.orders.length)
      return Either.isLeft(values) ? Either.left(values.left) : Keyset.fit(dialect, plan.columns, values.right)
    }

    return {
      entity,
      schema: Relation.schemaOf(entity, relations),
      wide: [entity, ...Object.values(relations).map((relation) => relation.target)].some(Entity.isWide),
      select: all,
      paginate: (selection = all, pagination = Pagination.first, scope) =>
        Effect.suspend((): Effect.Effect<Paginated<Item>, Cursor.InvalidCursor | Pagination.InvalidPagination> => {
          const scoped = scope === undefined ? selection : scope(selection)
          const plan = planFor(scoped)
          if (pagination.mode === "Page") return page(plan, scoped, pagination)
          return plan.refusal === undefined ? walk(plan, scoped, pagination) : Effect.fail(plan.refusal)
        })
    }
  })

/** The repository of an entity as a layer of its tag. */
export const layer = <Id, C extends Column.Columns, const R extends Relation.Relations<C> = {}>(
  tag: Context.Tag<Id, Repository<C, Relation.Item<C, R>, Relation.ItemEncoded<C, R>>>,
  entity: Entity.Entity<C>,
  relations?: R
): Layer.Layer<Id, never, SqlClient.SqlClient> => Layer.effect(tag, make(entity, relations))

/** All that follows from the shape of a selection. Statements take the selection's values in their order. */
interface Plan {
  readonly orders: ReadonlyArray<Selection.Order>
  readonly columns: ReadonlyArray<Column.Column>
  readonly list: string
  readonly refusal: Pagination.InvalidPagination | undefined
  readonly first: Statements.Statement
  readonly after: Statements.Statement
  readonly page: Statements.Statement
  readonly count: Statements.Statement
}

// Shapes are as many as a program writes, but for the lengths of its `in` lists.
const mostPlans = 500

const planner = <C extends Column.Columns>(statements: Statements.Statements, entity: Entity.Entity<C>) => {
  const plans = new Map<string, Plan>()
  return (selection: Selection.Selection<C>): Plan => {
    const known = plans.get(selection.shape)
    if (known !== undefined) return known
    if (plans.size >= mostPlans) plans.clear()
    const plan = makePlan(statements, entity, selection)
    plans.set(selection.shape, plan)
    return plan
  }
}

const makePlan = <C extends Column.Columns>(
  { dialect, prepare }: Statements.Statements,
  entity: Entity.Entity<C>,
  selection: Selection.Selection<C>
): Plan => {
  const orders = Keyset.orders(selection)
  const ordered = selection.reorder(orders).offset(undefined)
  const position = orders.map(({ column, direction }) => ({ column, direction, value: "" }))
  const statement = (compile: () => Query.Query, names: ReadonlyArray<string>): Statements.Statement => {
    let ready: { readonly query: Query.Query; readonly run: Statements.Statement } | undefined
    return (values) => {
      if (ready === undefined) {
        const query = compile()
        ready = { query, run: prepare(query.text, names) }
      }
      return ready.run(Query.bind(ready.query, values))
    }
  }
  return {
    orders,
    columns: orders.map(({ column }) => Entity.columnOf(entity, column)),
    list: Keyset.list(entity, orders),
    refusal: Keyset.refusal(selection),
    first: statement(() => Query.select(dialect, ordered.limit(1)), entity.names),
    after: statement(() => Query.select(dialect, ordered.from(position).limit(1)), entity.names),
    page: statement(() => Query.select(dialect, ordered.limit(1).offset(0)), entity.names),
    count: statement(() => Query.count(dialect, selection), ["total"])
  }
}

// Order columns are never null and their values were read as scalars, so there is always a token.
const token = (plan: Plan, row: Related.Draft): string =>
  Either.getOrThrow(Cursor.encode(Keyset.values(plan.orders, row)))
