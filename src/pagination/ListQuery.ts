// The query parameters that a list takes beside those of pagination: which sorts, filters and search a client may choose.
import { Either, type Schema } from "effect"
import type { Columns } from "./Column.ts"
import type { Declared, Entity } from "./Entity.ts"
import { columnOf } from "./internal/columns/EntityColumns.ts"
import { InvalidParameter } from "./InvalidParameter.ts"
import type { ListRequest } from "./Links.ts"
import * as ParameterFilter from "./internal/parameters/ParameterFilter.ts"
import * as ParameterSchema from "./internal/parameters/ParameterSchema.ts"
import * as ParameterSort from "./internal/parameters/ParameterSort.ts"
import { linkOf, type Related } from "./internal/relations/RelationLink.ts"
import { from, type Selection } from "./Selection.ts"
import type { Nulls } from "./internal/query/SelectionParts.ts"
import { restrictBy } from "./internal/query/SelectionState.ts"
import * as QueryText from "./internal/query/QueryText.ts"
import { misdeclared } from "./internal/Misdeclared.ts"

const reserved = new Set(["page", "limit", "cursor", "before", "sort"])

/** Whether a parameter belongs to every list. */
const isReserved = (name: string): boolean => reserved.has(name)

/** The text of a parameter; empty when it is absent. */
const valueOf = (given: Readonly<Record<string, string | undefined>>, name: string): string =>
  Object.hasOwn(given, name) ? (given[name]?.trim() ?? "") : ""

/** The texts of these parameters. One that stands twice is refused: two readers could take different ones. */
const textsOf = (
  otherParams: string,
  names: ReadonlySet<string>
): Either.Either<Readonly<Record<string, string>>, InvalidParameter> => {
  const found = new Map<string, string>()
  for (const part of otherParams === "" ? [] : otherParams.split("&")) {
    const equals = part.indexOf("=")
    const name = QueryText.decode(equals < 0 ? part : part.slice(0, equals))
    if (!names.has(name)) continue
    if (found.has(name)) {
      return Either.left(new InvalidParameter({ parameter: name, problem: "repeated", expected: "sent once" }))
    }
    found.set(name, equals < 0 ? "" : QueryText.decode(part.slice(equals + 1)))
  }
  return Either.right(Object.fromEntries(found))
}

export type { OpenApiParameter } from "./internal/parameters/ParameterSchema.ts"

// JSON is neither ordered nor compared.
type Ordered<C extends Columns> = {
  readonly [N in keyof C]: C[N]["kind"] extends "json" ? never : N
}[keyof C] &
  string
type Texts<C extends Columns> = { readonly [N in keyof C]: "text" extends C[N]["kind"] ? N : never }[keyof C] & string
type Signed<N extends string> = N | `-${N}`
type SortColumn<C extends Columns, T> = Signed<Ordered<C> | (NoInfer<keyof T> & string)>

/** A column of a to-one relation that clients sort by. */
export interface RelatedSort<C extends Columns, T extends Columns> {
  readonly relation: Extract<Related<C, T>, { readonly _tag: "One" }>
  readonly column: Ordered<T>
}

/** A column that clients filter by, and how it is compared. */
export type Filter<C extends Columns> =
  | {
      readonly column: Ordered<C>
      /** `equal` by default. `in` takes values with commas between them, `between` two, `isNull` true or false. */
      readonly operator?: Exclude<ParameterFilter.Operator, Pattern>
    }
  | { readonly column: Texts<C>; readonly operator: Pattern }

type Pattern = "contains" | "startsWith"

/** A condition of the program, and the schema of its parameter. */
export interface Own<C extends Columns, A, D extends Declared = Declared> {
  readonly schema: Schema.Schema<A, string>
  where(value: A, selection: Selection<C, D>): Selection<C, D>
}

/** Which parameters a list takes. */
export interface Options<
  C extends Columns,
  F extends string,
  A extends Readonly<Record<string, unknown>>,
  T extends Readonly<Record<string, Columns>>,
  D extends Declared = Declared
> {
  /**
   * The sorts, the first by default: a column, `-` in front for descending, or several. Each is also allowed in reverse,
   * which needs no other index. The key of the entity ends every sort.
   */
  readonly sort?: ReadonlyArray<SortColumn<C, T> | ReadonlyArray<SortColumn<C, T>>>
  /**
   * Columns of to-one relations by the names that sorts have for them: `{ author: { relation: author, column: "name" } }`.
   * No index holds such an order: see `orderBy` of a selection.
   */
  readonly related?: { readonly [N in keyof T]: RelatedSort<C, T[N]> }
  /** Where nulls come; by default they count as lower than every value. */
  readonly nulls?: Nulls
  readonly filters?: Readonly<Record<F, Filter<C>>>
  /** Conditions of the program's own, such as one on a relation. */
  readonly conditions?: {
    readonly [N in keyof A]: Own<C, A[N], D>
  }
  /**
   * The parameter `q`: rows with this text in at least one of the columns, whatever its case, or with all its words in the
   * full-text index of the entity.
   */
  readonly search?:
    | { readonly columns: ReadonlyArray<Texts<C>>; readonly maxLength?: number }
    | { readonly fullText: D["search"] extends false ? never : true; readonly maxLength?: number }
}

/** What a request asks for. */
export interface Decoded<C extends Columns, N extends string = string, D extends Declared = Declared> {
  readonly selection: Selection<C, D>
  /** The sort as it is written in a query; empty for a list without sorts. */
  readonly sort: string
  /** The text of each other parameter that was given, for a form that shows it again. */
  readonly values: Readonly<Partial<Record<N, string>>>
}

/** The sorts, filters and search of a list, declared once. */
export interface ListQuery<C extends Columns, N extends string = string, D extends Declared = Declared> {
  readonly entity: Entity<C, D>
  /** Every sort in both directions, as it is written in a query. */
  readonly sorts: ReadonlyArray<string>
  /** What a request asks for, over all rows or over this selection. An empty parameter counts as absent. */
  decode(
    request: Pick<ListRequest, "otherParams">,
    base?: Selection<C, D>
  ): Either.Either<Decoded<C, N, D>, InvalidParameter>
  /** The same for parameters that are already texts by name, such as those that `schema` has decoded. */
  decodeValues(
    values: Readonly<Record<string, string | undefined>>,
    base?: Selection<C, D>
  ): Either.Either<Decoded<C, N, D>, InvalidParameter>
  /** A list for each sort, for `IndexCheck`. */
  lists(base?: Selection<C, D>): ReadonlyArray<Selection<C, D>>
  /** The parameters as objects of OpenAPI 3. */
  readonly openApi: ReadonlyArray<ParameterSchema.OpenApiParameter>
  /** The parameters as optional texts, for the URL parameters of an `HttpApiEndpoint`. */
  readonly schema: Schema.Schema<Readonly<Record<string, string | undefined>>>
}

const searchOf = <C extends Columns>(
  entity: Entity<C>,
  search: NonNullable<Options<C, never, {}, {}>["search"]>
): ParameterFilter.Condition => {
  if ("fullText" in search) return ParameterFilter.fullText(entity, search.maxLength)
  for (const column of search.columns) columnOf(entity, column)
  return ParameterFilter.search(entity, search.columns, search.maxLength)
}

const relatedOf = <C extends Columns>(
  entity: Entity<C>,
  related: Readonly<Record<string, RelatedSort<C, Columns>>>
): ReadonlyMap<string, ParameterSort.Related> =>
  new Map(
    Object.entries(related).map(([name, { column, relation }]) => [name, { link: linkOf(entity, relation), column }])
  )

/**
 * The parameters of a list.
 *
 * @example
 * ```ts
 * import { Column, Entity, ListQuery } from "effect-framework/pagination"
 *
 * const Article = Entity.make("articles", {
 *   key: "id",
 *   columns: { id: Column.integer, author_id: Column.integer, title: Column.text, published_at: Column.timestamp }
 * })
 *
 * // => /articles?sort=-published_at,title&author=7
 * export const parameters = ListQuery.make(Article, {
 *   sort: ["-published_at", "title"],
 *   filters: { author: { column: "author_id" } }
 * })
 * ```
 */
export const make = <
  C extends Columns,
  const F extends string = never,
  const A extends Readonly<Record<string, unknown>> = {},
  T extends Readonly<Record<string, Columns>> = {},
  D extends Declared = Declared
>(
  entity: Entity<C, D>,
  options: Options<C, F, A, T, D>
): ListQuery<C, F | (keyof A & string) | "q", D> => {
  const { filters = {}, conditions = {}, nulls, related = {}, search, sort = [] } = options
  const sorts = ParameterSort.make(entity, sort, nulls, relatedOf(entity, related))
  const readers = new Map<string, ParameterFilter.Reader<C, D>>()
  const add = (name: string, reader: ParameterFilter.Reader<C, D>) => {
    if (isReserved(name) || readers.has(name)) throw misdeclared(`a list has one parameter "${name}"`)
    readers.set(name, reader)
  }
  const restrict = (name: string, { apply, openApi }: ParameterFilter.Condition) =>
    add(name, { openApi, apply: (selection, text) => Either.map(apply(text), (by) => restrictBy(selection, by)) })
  for (const [name, { column, operator }] of Object.entries<Filter<C>>(filters)) {
    restrict(name, ParameterFilter.ofColumn(entity, name, column, operator))
  }
  for (const name of Object.keys(conditions)) {
    // A boundary: a name of the record does not show which type its schema has; both parts have the same.
    const { schema, where } = conditions[name as keyof A & keyof typeof conditions] as Own<C, unknown, D>
    add(name, ParameterFilter.ofSchema(name, schema, where))
  }
  if (search !== undefined) restrict("q", searchOf(entity, search))

  const all = from(entity)
  const decodeValues = (
    given: Readonly<Record<string, string | undefined>>,
    base: Selection<C, D> = all
  ): Either.Either<Decoded<C, string, D>, InvalidParameter> =>
    Either.gen(function* () {
      const [sort, ordered] = yield* sorts.apply(base, valueOf(given, "sort"))
      const values: Record<string, string> = {}
      let selection = ordered
      for (const [name, reader] of readers) {
        const text = valueOf(given, name)
        if (text === "") continue
        selection = yield* reader.apply(selection, text)
        values[name] = text
      }
      return { selection, sort, values }
    })
  const byDefault = decodeValues({})
  const names = new Set([...(sorts.names.length === 0 ? [] : ["sort"]), ...readers.keys()])
  const openApi = [...sorts.openApi, ...[...readers.values()].map((reader) => reader.openApi)]
  return {
    entity,
    sorts: sorts.names,
    // Most requests have no parameter, and nothing is read or built for them.
    decode: ({ otherParams }, base) =>
      otherParams === "" && base === undefined
        ? byDefault
        : Either.flatMap(textsOf(otherParams, names), (given) => decodeValues(given, base)),
    decodeValues,
    lists: (base = all) => sorts.lists(base),
    openApi,
    schema: ParameterSchema.struct(openApi)
  }
}
