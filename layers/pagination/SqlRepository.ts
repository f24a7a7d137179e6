// A repository over SQL: an index search for each page, at most one query more for each relation.
import { SqlClient } from "@effect/sql"
import { Chunk, type Context, Effect, Either, Layer, Option, Stream } from "effect"
import * as Column from "../../src/pagination/Column.ts"
import type * as Cursor from "../../src/pagination/Cursor.ts"
import { CursorCodec } from "../../src/pagination/internal/columns/CursorCodec.ts"
import type * as Entity from "../../src/pagination/Entity.ts"
import * as EntityRow from "../../src/pagination/internal/columns/EntityRow.ts"
import { hasKind, narrow } from "../../src/pagination/internal/columns/EntityColumns.ts"
import type { EntityMismatch } from "../../src/pagination/Entity.ts"
import * as Filters from "../../src/pagination/internal/query/Filters.ts"
import * as Keyset from "../../src/pagination/internal/query/Keyset.ts"
import * as ListFormat from "../../src/pagination/internal/ListFormat.ts"
import * as PageLimits from "../../src/pagination/internal/PageLimits.ts"
import * as Pagination from "../../src/pagination/Pagination.ts"
import * as Query from "../../src/pagination/internal/query/Query.ts"
import * as RelationItem from "../../src/pagination/internal/relations/RelationItem.ts"
import type { Paginated, Repository } from "../../src/pagination/Repository.ts"
import * as RowDecoder from "../../src/pagination/internal/columns/RowDecoder.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import { partsOf, reached } from "../../src/pagination/internal/query/SelectionState.ts"
import * as CommitCache from "../database/internal/CommitCache.ts"
import * as CursorReader from "./internal/CursorReader.ts"
import * as EntityTables from "./internal/EntityTables.ts"
import * as Footprint from "./internal/Footprint.ts"
import * as ListIndexes from "./internal/ListIndexes.ts"
import { type Plan, planner } from "./internal/SeekPlanner.ts"
import * as RelationJoins from "./internal/RelationJoins.ts"
import * as RelationLoader from "./internal/RelationLoader.ts"
import * as SharedPage from "./internal/SharedPage.ts"
import * as Statements from "./internal/Statements.ts"
import * as TableIndexes from "./internal/TableIndexes.ts"
import * as Totals from "./internal/Totals.ts"

type Position = ReadonlyArray<Keyset.Value>

/** What a repository selects, checks and keeps. */
export interface Options<C extends Column.Columns, N extends string, D extends Entity.Declared = Entity.Declared> {
  /** The columns that are selected, decoded and part of an item; all by default. Filters and orders may use the others. */
  readonly columns: ReadonlyArray<N>
  /** Whether the entities are compared with the tables; without it a wrong declaration shows late or never. */
  readonly check: boolean
  /** Lists that the program shows, such as `parameters.lists()`: a warning has the `CREATE INDEX` of each that needs one. */
  readonly lists: ReadonlyArray<Selection.Selection<C, D>>
  /** Bytes of pages that are kept while nothing is committed, an estimate; 0 keeps none. */
  readonly cacheBytes: number
}

/**
 * The repository of an entity; relations by the name they get on an item. Fails when an entity does not fit its table, or
 * when the table is not there.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Column, Entity, Pagination } from "effect-framework/pagination"
 * import { SqlRepository } from "effect-framework/layers/pagination"
 *
 * const Article = Entity.make("articles", {
 *   key: "id",
 *   columns: { id: Column.integer, title: Column.text, stars: Column.integer }
 * })
 *
 * export const program = Effect.gen(function* () {
 *   const articles = yield* SqlRepository.make(Article)
 *   const best = articles.select.filter("stars", "greater", 3).order("Desc", "stars")
 *   const first = yield* articles.paginate(best, yield* Pagination.make({ cursor: "", limit: 2 }))
 *   return yield* articles.paginate(best, yield* Pagination.make({ cursor: first.pagination.next, limit: 2 }))
 * })
 * ```
 */
export const make = <
  C extends Column.Columns,
  const R extends RelationItem.Relations<C> = {},
  const N extends keyof C & string = keyof C & string,
  D extends Entity.Declared = Entity.Declared
>(
  entity: Entity.Entity<C, D>,
  // A boundary: without relations there is nothing that must fit.
  relations: R & RelationItem.Fitting<C, NoInfer<D>, R> = {} as R & RelationItem.Fitting<C, D, R>,
  { cacheBytes = CommitCache.capacityBytes, check = true, columns, lists = [] }: Partial<Options<C, N, D>> = {}
): Effect.Effect<
  Repository<C, RelationItem.Item<Pick<C, N>, R>, RelationItem.ItemEncoded<Pick<C, N>, R>, D>,
  EntityMismatch,
  SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const statements = yield* Statements.make
    const { dialect } = statements
    const all = Selection.from(entity)
    const shown = narrow<C, N, D>(entity, columns)
    const needed = Object.values(relations).flatMap((one) => (one._tag === "One" ? one.columns : entity.keys))
    const related = yield* RelationJoins.make(dialect, entity, relations)
    const planFor = planner<C>(statements, { shown: shown.names, needed, related })
    const cursors = CursorReader.make({ dialect, entity, codec: yield* CursorCodec })
    const load = RelationLoader.loader(statements, entity, relations, new Set(related.joins.keys()))
    const entities = RelationItem.entitiesOf(entity, relations)
    const decode = RowDecoder.withRelations(shown, relations)
    const printed = {
      withBigInt: entities.some((entity) => hasKind(entity, "bigint")),
      withFloat: entities.some((entity) => hasKind(entity, "float"))
    }
    type Item = RelationItem.Item<Pick<C, N>, R>
    const sql = yield* SqlClient.SqlClient
    const cache = yield* CommitCache.make<SharedPage.SharedPage<Item>>({
      bytes: cacheBytes,
      // Decoded items are kept beside the rows that they were decoded from.
      sizeOf: ({ rows }) => (decode === undefined ? 1 : 2) * Footprint.of(rows)
    })
    // By the plan: whether all that it reads changes with a commit.
    const cached = new WeakMap<Plan, boolean>()
    const isCached = (plan: Plan, selection: Selection.Selection<C>) => {
      const tables = [...tablesOf(entity, relations), ...reached(selection.entity, partsOf(selection))]
      return Effect.map(Effect.orDie(Effect.every(tables, (table) => TableIndexes.isTable(sql, table))), (is) => {
        cached.set(plan, is)
        return is
      })
    }
    const shared = <P extends Pagination.Pagination, E>(
      plan: Plan,
      selection: Selection.Selection<C>,
      pagination: P,
      read: () => Effect.Effect<SharedPage.SharedPage<Item>, E>
    ): Effect.Effect<SharedPage.SharedPage<Item>, E> => {
      const of = (is: boolean) => (is ? cache.of(keyOf(plan, cursors.given(selection), pagination), read) : read())
      if (dialect.name === "pg" || !statements.isCommitCounted) return Effect.suspend(read)
      const known = cached.get(plan)
      return known === undefined ? Effect.flatMap(isCached(plan, selection), of) : Effect.suspend(() => of(known))
    }
    if (check) yield* Effect.zipRight(EntityTables.check(...entities), ListIndexes.check(lists, relations))

    const finish = (
      { hidden }: Plan,
      rows: Array<RelationLoader.MutableRow>,
      pagination: Pagination.Pagination
    ): Effect.Effect<SharedPage.SharedPage<Item>> => {
      const done = () => {
        for (const name of hidden) for (const row of rows) delete row[name]
        return SharedPage.make<Item>(rows, pagination, { decode, ...printed })
      }
      return load === undefined || rows.length === 0 ? Effect.sync(done) : Effect.map(load(rows), done)
    }

    const page = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.PagePart) => {
      const { limit } = pagination
      return shared(plan, selection, pagination, () => {
        // One row more says whether others follow, where the total does not.
        const size = pagination.counting === "exact" ? limit : limit + 1
        const slice = plan.page([...cursors.given(selection), size, Totals.offset(pagination)])
        const count = Totals.read(dialect, plan, pagination, Query.restricted(dialect, selection))
        return Effect.flatMap(statements.parallel, (concurrent) =>
          Effect.flatMap(
            Effect.catchAll(Effect.zip(slice, count, { concurrent }), CursorReader.refusedFilter),
            ([rows, { accuracy, total }]) => {
              const pages = total === null ? null : Totals.pageCount(total, limit)
              const more = rows.length > limit
              return finish(plan, plan.read(more ? rows.slice(0, limit) : rows), {
                ...pagination,
                total,
                pages,
                accuracy,
                more
              })
            }
          )
        )
      })
    }

    const cursorPage = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.CursorPart) => {
      const cursor = pagination.before ?? pagination.cursor ?? ""
      // The cursor of a cached page was already checked.
      return shared(plan, selection, pagination, () => {
        const from = cursor === "" ? Either.right(undefined) : cursors.position(plan, cursor)
        if (Either.isLeft(from)) return Effect.fail(from.left)
        return Effect.flatMap(cursors.part(plan, selection, pagination, from.right), ({ outcome, rows }) =>
          finish(plan, rows, outcome)
        )
      })
    }

    // Outside the cache: a walk through everything would replace all that is in it.
    const batch = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.CursorPart, from?: Position) =>
      Effect.flatMap(cursors.part(plan, selection, pagination, from), ({ outcome, rows }) => {
        const last = outcome.more ? rows.at(-1) : undefined
        const next = last === undefined ? undefined : Keyset.valuesOf(plan.orders, last)
        return Effect.map(finish(plan, rows, outcome), (page) => {
          const { items } = page.take()
          ListFormat.keepRows(items)
          return { items, next }
        })
      })

    // What a request asks for, refused before any query.
    const asked = <P extends Pagination.Pagination, A, E>(
      selection: Selection.Selection<C, D>,
      scope: Selection.Scope<C, D> | undefined,
      pagination: P,
      part: (plan: Plan, scoped: Selection.Selection<C>, pagination: P) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | Pagination.InvalidPagination> => {
      const scoped = scope === undefined ? selection : scope(selection)
      EntityRow.assertSame(entity, scoped.entity)
      const refusal = Filters.refusal(dialect, scoped)
      if (refusal !== undefined) return Effect.fail(refusal)
      const collated = statements.collate(scoped)
      return Effect.isEffect(collated)
        ? Effect.flatMap(collated, (selection) => planned(selection, pagination, part))
        : planned(collated, pagination, part)
    }

    const planned = <P extends Pagination.Pagination, A, E>(
      scoped: Selection.Selection<C>,
      pagination: P,
      part: (plan: Plan, scoped: Selection.Selection<C>, pagination: P) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | Pagination.InvalidPagination> => {
      const plan = planFor(scoped)
      const barred = pagination.mode === "Cursor" ? CursorReader.refusal(plan, scoped, pagination) : undefined
      return barred === undefined ? part(plan, scoped, pagination) : Effect.fail(barred)
    }

    return {
      entity,
      schema: RelationItem.schemaOf<Pick<C, N>, R>(shown, relations),
      select: all,
      paginate: (selection = all, pagination = Totals.firstPage, scope) =>
        Effect.suspend(
          (): Effect.Effect<
            Paginated<Item>,
            Column.ForeignValue | Cursor.InvalidCursor | Pagination.InvalidPagination
          > =>
            foreignFails(
              Effect.map(
                pagination.mode === "Page"
                  ? asked(selection, scope, pagination, page)
                  : asked(selection, scope, pagination, cursorPage),
                (page) => page.take()
              )
            )
        ),
      stream: (selection = all, { batch: size = PageLimits.streamBatch, scope } = {}) =>
        Stream.paginateChunkEffect(undefined, (from: Position | undefined) =>
          Effect.flatMap(Pagination.make({ cursor: "", limit: size }), (pagination) =>
            foreignFails(asked(selection, scope, pagination, (plan, scoped) => batch(plan, scoped, pagination, from)))
          ).pipe(
            // The position is a row that was just read.
            Effect.catchTag("InvalidCursor", Effect.die),
            Effect.map(({ items, next }) => [Chunk.unsafeFromArray(items), Option.fromNullable(next)] as const)
          )
        )
    }
  })

/**
 * The repository of an entity as a layer of its tag.
 *
 * @example
 * ```ts
 * import { Context } from "effect"
 * import { Column, Entity, type Repository } from "effect-framework/pagination"
 * import { SqlRepository } from "effect-framework/layers/pagination"
 *
 * const Article = Entity.make("articles", {
 *   key: "id",
 *   columns: { id: Column.integer, title: Column.text, stars: Column.integer }
 * })
 *
 * export class Articles extends Context.Tag("shop/Articles")<Articles, Repository.For<typeof Article>>() {}
 *
 * export const layer = SqlRepository.layer(Articles, Article)
 * ```
 */
export const layer = <
  Id,
  C extends Column.Columns,
  const R extends RelationItem.Relations<C> = {},
  const N extends keyof C & string = keyof C & string,
  D extends Entity.Declared = Entity.Declared
>(
  tag: Context.Tag<Id, Repository<C, RelationItem.Item<Pick<C, N>, R>, RelationItem.ItemEncoded<Pick<C, N>, R>, D>>,
  entity: Entity.Entity<C, D>,
  relations?: R & RelationItem.Fitting<C, NoInfer<D>, R>,
  options?: Partial<Options<C, N, D>>
): Layer.Layer<Id, EntityMismatch, SqlClient.SqlClient> => Layer.effect(tag, make(entity, relations, options))

// The table of an entity and those of its relations, with what their lists reach themselves.
const tablesOf = (entity: EntityRow.Any, relations: RelationItem.AnyRelations): ReadonlyArray<string> =>
  Object.values(relations).reduce(
    (tables, relation) => {
      const listed = relation._tag === "Many" ? reached(relation.source, relation.list.parts) : []
      return tables.concat(listed, tablesOf(relation.target, relation.relations))
    },
    [entity.table]
  )

// Rows are read by plain functions, which throw.
const foreignFails = <A, E>(read: Effect.Effect<A, E>): Effect.Effect<A, E | Column.ForeignValue> =>
  Effect.catchSomeDefect(read, (defect) =>
    defect instanceof Column.ForeignValue ? Option.some(Effect.fail(defect)) : Option.none()
  )

// One text for one request: the shape, the values of its filters, and the part of the list.
const keyOf = (plan: Plan, values: ReadonlyArray<unknown>, pagination: Pagination.Pagination): string => {
  const part = `${plan.id} ${pagination.limit}${pagination.mode === "Page" ? pageOf(pagination) : cursorOf(pagination)}`
  return values.length === 0 ? part : `${part} ${values.map((value) => JSON.stringify(textOf(value))).join()}`
}

const pageOf = ({ counting, page, totalCap }: Pagination.PagePart): string =>
  counting === "exact" ? ` page ${page}` : ` ${counting} ${totalCap} page ${page}`

const cursorOf = ({ before, bidirectional, cursor, rowCursors }: Pagination.CursorPart): string => {
  const asked = `${bidirectional ? " both ways" : ""}${rowCursors === null ? "" : " with cursors"}`
  return cursor === null ? `${asked} before ${before}` : `${asked} cursor ${cursor}`
}

// As UTF-8, different bytes would be the same text: all that is none becomes U+FFFD.
const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString("hex") : String(value))
