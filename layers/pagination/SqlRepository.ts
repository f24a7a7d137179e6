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
import { Seal, type Sealing } from "../../src/pagination/Seal.ts"
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

    const page = (plan: Plan<C>, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const { limit } = pagination
      const asked = selection.limit(limit).offset(Pagination.offset(pagination))
      const slice = Effect.map(plan.page(asked), read)
      const total = Effect.map(plan.count(selection), ([row]) => Number(row?.[0]))
      return Effect.flatMap(statements.parallel, (concurrent) =>
        Effect.flatMap(Effect.zip(slice, total, { concurrent }), ([drafts, total]) =>
          finish(drafts, Pagination.resolve(pagination, { total, pages: Pagination.pagesOf(total, limit) }))
        )
      )
    }

    const walk = (plan: Plan<C>, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const { limit } = pagination
      const start = begin(plan, statements, seal, selection, pagination)
      if (Either.isLeft(start)) return Effect.fail(start.left)
      const rows = plan[pagination.cursor === "" ? "first" : "after"](start.right.limit(limit + 1))
      return Effect.flatMap(rows, (rows) => {
        const more = rows.length > limit
        const drafts = read(more ? rows.slice(0, limit) : rows)
        const last = more ? drafts[limit - 1] : undefined
        const next = last === undefined ? null : seal.seal(token(plan, last), plan.list)
        return finish(drafts, Pagination.resolve(pagination, { more, next }))
      })
    }

    return {
      entity,
      schema: Relation.schemaOf(entity, relations),
      wide: [entity, ...Object.values(relations).map((relation) => relation.target)].some(Entity.isWide),
      select: all,
      paginate: (given = all, pagination = Pagination.first, scope) =>
        Effect.suspend((): Effect.Effect<Paginated<Item>, Cursor.InvalidCursor | Pagination.InvalidPagination> => {
          const scoped = scope === undefined ? given : scope(given)
          const selection = scoped.parts.skipped === undefined ? scoped : scoped.offset(undefined)
          const plan = planFor(selection)
          if (pagination.mode === "Page") return page(plan, selection, pagination)
          return plan.refusal === undefined ? walk(plan, selection, pagination) : Effect.fail(plan.refusal)
        })
    }
  })

/** The repository of an entity as a layer of its tag. */
export const layer = <Id, C extends Column.Columns, const R extends Relation.Relations<C> = {}>(
  tag: Context.Tag<Id, Repository<C, Relation.Item<C, R>, Relation.ItemEncoded<C, R>>>,
  entity: Entity.Entity<C>,
  relations?: R
): Layer.Layer<Id, never, SqlClient.SqlClient> => Layer.effect(tag, make(entity, relations))

type Run<C extends Column.Columns> = (selection: Selection.Selection<C>) => Effect.Effect<Statements.Rows>

/** All that follows from the shape of a selection. */
interface Plan<C extends Column.Columns> {
  readonly orders: ReadonlyArray<Selection.Order>
  readonly list: string
  readonly refusal: Pagination.InvalidPagination | undefined
  readonly first: Run<C>
  readonly after: Run<C>
  readonly page: Run<C>
  readonly count: Run<C>
}

// Shapes are as many as a program writes, but for the lengths of its `in` lists.
const mostPlans = 500

const planner = <C extends Column.Columns>(statements: Statements.Statements, entity: Entity.Entity<C>) => {
  const plans = new Map<string, Plan<C>>()
  return (selection: Selection.Selection<C>): Plan<C> => {
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
): Plan<C> => {
  const orders = Keyset.orders(selection)
  const ordered = selection.reorder(orders)
  const position = orders.map(({ column, direction }) => ({ column, direction, value: "" }))
  const run = (compile: () => Query.Query, names: ReadonlyArray<string>): Run<C> => {
    let ready: { readonly query: Query.Query; readonly statement: Statements.Statement } | undefined
    return (selection) => {
      if (ready === undefined) {
        const query = compile()
        ready = { query, statement: prepare(query.text, names) }
      }
      return ready.statement(Query.bind(ready.query, Query.values(dialect, selection)))
    }
  }
  return {
    orders,
    list: Keyset.list(entity, orders),
    refusal: Keyset.refusal(selection),
    first: run(() => Query.select(dialect, ordered.limit(1)), entity.names),
    after: run(() => Query.select(dialect, ordered.from(position).limit(1)), entity.names),
    page: run(() => Query.select(dialect, ordered.limit(1).offset(0)), entity.names),
    count: run(() => Query.count(dialect, selection), ["total"])
  }
}

// The walk's next position, before any query: a cursor that is not ours, or not of this list, ends here.
const begin = <C extends Column.Columns>(
  plan: Plan<C>,
  { dialect }: Statements.Statements,
  seal: Sealing,
  selection: Selection.Selection<C>,
  { cursor }: Pagination.Pagination
): Either.Either<Selection.Selection<C>, Cursor.InvalidCursor> => {
  if (cursor === null || cursor === "") return Either.right(selection)
  const values = Either.flatMap(seal.open(cursor, plan.list), (token) => Cursor.decode(token, plan.orders.length))
  return Either.flatMap(values, (values) =>
    Either.map(Keyset.position(dialect, selection.entity, plan.orders, values), (steps) => selection.from(steps))
  )
}

// Order columns are never null and their values were read as scalars, so there is always a token.
const token = <C extends Column.Columns>(plan: Plan<C>, row: Related.Draft): string =>
  Either.getOrThrow(Cursor.encode(Keyset.values(plan.orders, row)))
