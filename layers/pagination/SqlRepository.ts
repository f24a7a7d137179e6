// A repository over SQL: an index search for each page, at most one query more for each relation.
import type { SqlClient } from "@effect/sql"
import { Chunk, type Context, Effect, Either, Layer, Option, Stream } from "effect"
import type * as Column from "../../src/pagination/Column.ts"
import type * as Cursor from "../../src/pagination/Cursor.ts"
import { CursorCodec } from "../../src/pagination/Cursor.ts"
import type * as Entity from "../../src/pagination/Entity.ts"
import { hasBigInt, narrow } from "../../src/pagination/internal/columns/EntityColumns.ts"
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
import * as CommitCache from "../database/internal/CommitCache.ts"
import * as CursorReader from "./internal/CursorReader.ts"
import * as EntityCheck from "./EntityCheck.ts"
import * as Footprint from "./internal/Footprint.ts"
import * as ListIndexes from "./internal/ListIndexes.ts"
import { type Plan, planner } from "./internal/SeekPlanner.ts"
import * as RelationJoins from "./internal/RelationJoins.ts"
import * as RelationLoader from "./internal/RelationLoader.ts"
import * as Statements from "./internal/Statements.ts"
import * as Totals from "./internal/Totals.ts"

type Position = ReadonlyArray<Keyset.Value>

/** What a repository selects, checks and keeps. */
export interface Options<C extends Column.Columns, N extends string> {
  /** The columns that are selected, decoded and part of an item; all by default. Filters and orders may use the others. */
  readonly columns: ReadonlyArray<N>
  /** Whether the entities are compared with the tables; without it a wrong declaration shows late or never. */
  readonly check: boolean
  /** Lists that the program shows, such as `parameters.lists()`: a warning has the `CREATE INDEX` of each that needs one. */
  readonly lists: ReadonlyArray<Selection.Selection<C>>
  /** Bytes of pages that are kept while nothing is committed, an estimate; 0 keeps none. */
  readonly cacheBytes: number
}

/**
 * The repository of an entity; relations by the name they get on an item. Fails when an entity does not fit its table; a
 * table that does not exist yet is compared before the first list.
 */
export const make = <
  C extends Column.Columns,
  const R extends RelationItem.Relations<C> = {},
  const N extends keyof C & string = keyof C & string
>(
  entity: Entity.Entity<C>,
  relations: R = {} as R,
  { cacheBytes = CommitCache.capacityBytes, check = true, columns, lists = [] }: Partial<Options<C, N>> = {}
): Effect.Effect<
  Repository<C, RelationItem.Item<Pick<C, N>, R>, RelationItem.ItemEncoded<Pick<C, N>, R>>,
  EntityMismatch,
  SqlClient.SqlClient
> =>
  Effect.gen(function* () {
    const statements = yield* Statements.make
    const { dialect } = statements
    const all = Selection.from(entity)
    const shown = narrow<C, N>(entity, columns)
    const needed = Object.values(relations).flatMap((one) => (one._tag === "One" ? one.columns : entity.keys))
    const related = yield* RelationJoins.make(dialect, entity, relations)
    const planFor = planner<C>(statements, { shown: shown.names, needed, related })
    const cursors = CursorReader.make({ dialect, entity, codec: yield* CursorCodec })
    const load = RelationLoader.loader(statements, entity, relations, new Set(related.joins.keys()))
    const entities = RelationItem.entitiesOf(entity, relations)
    const decode = RowDecoder.withRelations(shown, relations)
    const withBigInt = entities.some(hasBigInt)
    type Item = RelationItem.Item<Pick<C, N>, R>
    const cache = yield* CommitCache.make<Paginated<Item>>({
      bytes: cacheBytes,
      // Decoded items are kept beside the rows that they were decoded from.
      sizeOf: ({ items }) => (decode === undefined ? 1 : 2) * Footprint.of(items)
    })
    const context = yield* Effect.context<SqlClient.SqlClient>()
    const compared = EntityCheck.run(...entities).pipe(
      Effect.tap((there) => (there ? ListIndexes.check(lists, relations) : Effect.void)),
      Effect.provide(context)
    )
    let checked = check ? yield* compared : true

    const finish = (
      { hidden }: Plan,
      rows: Array<RelationLoader.MutableRow>,
      pagination: Pagination.Pagination
    ): Effect.Effect<Paginated<Item>> => {
      const done = () => {
        for (const name of hidden) for (const row of rows) delete row[name]
        return paginated<Item>(rows, pagination, { decode, withBigInt })
      }
      return load === undefined || rows.length === 0 ? Effect.sync(done) : Effect.map(load(rows), done)
    }

    const page = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const { limit } = pagination
      const values = cursors.given(selection)
      return cache.of(keyOf(plan, values, pagination), () => {
        // One row more says whether others follow, where the total does not.
        const size = pagination.counting === "exact" ? limit : limit + 1
        const slice = plan.page([...values, size, Totals.offset(pagination)])
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

    const cursorPage = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.Pagination) => {
      const cursor = pagination.before ?? pagination.cursor ?? ""
      const key = keyOf(plan, cursors.given(selection), pagination)
      const isStart = cursor === ""
      // The cursor of a cached page was already checked.
      const checked = isStart || cache.has(key) ? undefined : cursors.position(plan, cursor)
      if (checked !== undefined && Either.isLeft(checked)) return Effect.fail(checked.left)
      return cache.of(key, () => {
        const from = isStart ? undefined : Either.getOrThrow(checked ?? cursors.position(plan, cursor))
        return Effect.flatMap(cursors.part(plan, selection, pagination, from), ({ outcome, rows }) =>
          finish(plan, rows, outcome)
        )
      })
    }

    // Outside the cache: a walk through everything would replace all that is in it.
    const batch = (plan: Plan, selection: Selection.Selection<C>, pagination: Pagination.Pagination, from?: Position) =>
      Effect.flatMap(cursors.part(plan, selection, pagination, from), ({ outcome, rows }) => {
        const last = outcome.more ? rows.at(-1) : undefined
        const next = last === undefined ? undefined : Keyset.valuesOf(plan.orders, last)
        return Effect.map(finish(plan, rows, outcome), ({ items }) => {
          ListFormat.keepRows(items)
          return { items, next }
        })
      })

    // What a request asks for, refused before any query.
    const asked = <A, E>(
      selection: Selection.Selection<C>,
      scope: Selection.Scope<C> | undefined,
      pagination: Pagination.Pagination,
      part: (plan: Plan, scoped: Selection.Selection<C>, pagination: Pagination.Pagination) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | Pagination.InvalidPagination> => {
      const scoped = scope === undefined ? selection : scope(selection)
      const refusal = Filters.refusal(dialect, scoped)
      if (refusal !== undefined) return Effect.fail(refusal)
      const collated = statements.collate(scoped)
      return Effect.isEffect(collated)
        ? Effect.flatMap(collated, (selection) => planned(selection, pagination, part))
        : planned(collated, pagination, part)
    }

    const planned = <A, E>(
      scoped: Selection.Selection<C>,
      pagination: Pagination.Pagination,
      part: (plan: Plan, scoped: Selection.Selection<C>, pagination: Pagination.Pagination) => Effect.Effect<A, E>
    ): Effect.Effect<A, E | Pagination.InvalidPagination> => {
      const plan = planFor(scoped)
      const barred = pagination.mode === "Cursor" ? CursorReader.refusal(plan, scoped, pagination) : undefined
      if (barred !== undefined) return Effect.fail(barred)
      if (checked) return part(plan, scoped, pagination)
      // The tables did not exist when the repository was made.
      const looked = Effect.map(Effect.orDie(compared), (there) => (checked = there))
      return Effect.zipRight(
        looked,
        Effect.suspend(() => part(plan, scoped, pagination))
      )
    }

    return {
      entity,
      schema: RelationItem.schemaOf<Pick<C, N>, R>(shown, relations),
      select: all,
      paginate: (selection = all, pagination = Totals.firstPage, scope) =>
        Effect.suspend(() =>
          asked<Paginated<Item>, Cursor.InvalidCursor | Pagination.InvalidPagination>(
            selection,
            scope,
            pagination,
            pagination.mode === "Page" ? page : cursorPage
          )
        ),
      stream: (selection = all, { batch: size = PageLimits.streamBatch, scope } = {}) =>
        Stream.paginateChunkEffect(undefined, (from: Position | undefined) =>
          Effect.flatMap(Pagination.make({ cursor: "", limit: size }), (pagination) =>
            asked(selection, scope, pagination, (plan, scoped) => batch(plan, scoped, pagination, from))
          ).pipe(
            // The position is a row that was just read.
            Effect.catchTag("InvalidCursor", Effect.die),
            Effect.map(({ items, next }) => [Chunk.unsafeFromArray(items), Option.fromNullable(next)] as const)
          )
        )
    }
  })

/** The repository of an entity as a layer of its tag. */
export const layer = <
  Id,
  C extends Column.Columns,
  const R extends RelationItem.Relations<C> = {},
  const N extends keyof C & string = keyof C & string
>(
  tag: Context.Tag<Id, Repository<C, RelationItem.Item<Pick<C, N>, R>, RelationItem.ItemEncoded<Pick<C, N>, R>>>,
  entity: Entity.Entity<C>,
  relations?: R,
  options?: Partial<Options<C, N>>
): Layer.Layer<Id, EntityMismatch, SqlClient.SqlClient> => Layer.effect(tag, make(entity, relations, options))

// Frozen, since concurrent requests may share a page. A boundary: items were read column by column, relations attached.
const paginated = <A>(
  rows: ReadonlyArray<RelationLoader.MutableRow>,
  pagination: Pagination.Pagination,
  { decode, withBigInt }: { readonly decode: RowDecoder.RowDecoder | undefined; readonly withBigInt: boolean }
): Paginated<A> => {
  for (const row of rows) Object.freeze(row)
  Object.freeze(rows)
  const decoded = decode === undefined ? rows : Object.freeze(rows.map((row) => Object.freeze(decode(row))))
  const items = decoded as unknown as ReadonlyArray<A>
  const page: Paginated<A> = Object.freeze({ items, pagination: Object.freeze(pagination) })
  ListFormat.cache(page, withBigInt, rows)
  return page
}

// One text for one request: the shape, the values of its filters, and the part of the list.
const keyOf = (plan: Plan, values: ReadonlyArray<unknown>, pagination: Pagination.Pagination): string => {
  const { before, bidirectional, counting, cursor, limit, page, rowCursors, totalCap } = pagination
  const counted = counting === "exact" ? "" : ` ${counting} ${totalCap}`
  const asked = `${counted}${bidirectional ? " both ways" : ""}${rowCursors === null ? "" : " with cursors"}`
  const position = cursor === null ? (before === null ? `page ${page}` : `before ${before}`) : `cursor ${cursor}`
  const part = `${plan.id} ${limit}${asked} ${position}`
  return values.length === 0 ? part : `${part} ${values.map((value) => JSON.stringify(textOf(value))).join()}`
}

// As UTF-8, different bytes would be the same text: all that is none becomes U+FFFD.
const textOf = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString("hex") : String(value))
