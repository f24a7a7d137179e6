// Reads the lists of a model and compares every part with a sort of all rows in memory.
import { expect } from "@effect/vitest"
import { Chunk, Effect, Either, Fiber, Stream } from "effect"
import type { Entity } from "../../../../src/pagination/Entity.ts"
import * as Pagination from "../../../../src/pagination/Pagination.ts"
import type { For, Paginated } from "../../../../src/pagination/Repository.ts"
import * as Disturbance from "./Disturbance.ts"
import type { List, Move, Walk } from "./List.ts"
import * as Query from "./Query.ts"
import * as Table from "./Table.ts"
import * as Writer from "./Writer.ts"

/** A table with its rows, and the repository that reads it. */
export interface Model {
  readonly table: Table.Table
  readonly state: Writer.State
  readonly repository: For<Entity>
}

// Where a part begins: the cursor, and the row that it was made for. Nowhere is the start or the end of the list.
type Place = { readonly cursor: string; readonly row: Row } | undefined
type Direction = Move["direction"]
type Row = Table.Row
type Part = Paginated<Row>
type Options = NonNullable<Parameters<typeof Pagination.make>[0]>
type WalkOf<T extends Walk["_tag"]> = Extract<Walk, { readonly _tag: T }>

const sorted = ({ state, table }: Model, query: Query.Query): ReadonlyArray<Row> =>
  state.rows.filter((row) => Query.accepts(query, row)).toSorted(Query.comparator(table, query))

const shown = ({ table }: Model, rows: ReadonlyArray<Row>) => rows.map((row) => Table.shown(table, row))

const read = ({ repository, table }: Model, { limit, query }: List, options: Options) => {
  const selection = Query.select(table, repository.select, query)
  const part = repository.paginate(selection, Either.getOrThrow(Pagination.make({ limit, ...options })))
  // A boundary: the items of an entity without types are values of the kinds, or the comparison fails.
  return Effect.map(part, (page) => page as Part)
}

// The rows that a part must have, and how many there are on each side of them.
const expected = (model: Model, { limit, query }: List, direction: Direction, from: Place) => {
  const compare = Query.comparator(model.table, query)
  const all = sorted(model, query)
  const sign = direction === "after" ? 1 : -1
  const rest = from === undefined ? all : all.filter((row) => Math.sign(compare(row, from.row)) === sign)
  const items = direction === "after" ? rest.slice(0, limit) : rest.slice(-limit)
  return { items, ahead: rest.length - items.length, behind: all.length - rest.length }
}

const starts = (direction: Direction, from: Place): Options =>
  direction === "after" ? { cursor: from?.cursor ?? "" } : { before: from?.cursor ?? "" }

// A part in one direction, and where the next one begins; `undefined` at the end.
const step = (model: Model, list: List, direction: Direction, from: Place) =>
  Effect.gen(function* () {
    const { items, pagination }: Part = yield* read(model, list, starts(direction, from))
    const { ahead, items: wanted } = expected(model, list, direction, from)
    expect(items).toEqual(shown(model, wanted))
    const [cursor, row] = direction === "after" ? [pagination.next, wanted.at(-1)] : [pagination.previous, wanted[0]]
    expect(cursor === null).toBe(ahead === 0)
    return { items, place: cursor === null || row === undefined ? undefined : { cursor, row } }
  })

// The same, and exactly what precedes it and what follows.
const both = (model: Model, list: List, direction: Direction, from: Place) =>
  Effect.gen(function* () {
    const options = { bidirectional: true, rowCursors: true, ...starts(direction, from) }
    const { items, pagination }: Part = yield* read(model, list, options)
    const { ahead, behind, items: wanted } = expected(model, list, direction, from)
    expect(items).toEqual(shown(model, wanted))
    const cursors = pagination.rowCursors ?? []
    expect(cursors).toHaveLength(wanted.length)
    const edge = (rows: number, cursor: string | undefined) => (rows === 0 ? null : (cursor ?? ""))
    const [next, previous] = direction === "after" ? [ahead, behind] : [behind, ahead]
    expect(pagination).toMatchObject({
      next: edge(next, cursors.at(-1)),
      previous: edge(previous, cursors[0]),
      more: next > 0
    })
    return { rows: wanted, cursors, next: pagination.next, previous: pagination.previous }
  })

const walked = (
  model: Model,
  list: List,
  direction: Direction,
  between: (part: number) => Effect.Effect<unknown, unknown, Needs>
) =>
  Effect.gen(function* () {
    const before = new Set(model.state.rows)
    const seen: Array<Row> = []
    model.state.written.clear()
    let place: Place
    for (let part = 0; part === 0 || place !== undefined; part++) {
      const found: Effect.Effect.Success<ReturnType<typeof step>> = yield* step(model, list, direction, place)
      seen.push(...found.items)
      place = found.place
      yield* between(part)
    }
    onceEach(model, list, before, seen)
  })

type Needs = Effect.Effect.Context<ReturnType<typeof Writer.apply>>

// A row that is there all the time is read once, and no row is read twice unless it was written again.
const onceEach = (
  { state, table }: Model,
  { query }: List,
  before: ReadonlySet<Row>,
  seen: ReadonlyArray<Row>
): void => {
  const keys = seen.map((row) => Writer.keyOf(table, row))
  const isTwice = (key: string, index: number) => keys.indexOf(key) !== index && (state.written.get(key) ?? 0) < 2
  expect(keys.filter(isTwice)).toEqual([])
  const stayed = state.rows.filter((row) => before.has(row) && Query.accepts(query, row))
  const found = new Set(keys)
  expect(stayed.filter((row) => !found.has(Writer.keyOf(table, row)))).toEqual([])
}

const oneWay = (model: Model, list: List, direction: Direction, { writes }: WalkOf<"Forth" | "Back" | "Race">) =>
  walked(model, list, direction, (part) => {
    const write = writes[part]
    return write === undefined ? Effect.void : Writer.apply(model.table, model.state, write)
  })

// Parts are read while a writer is at work: which of its rows they have depends on who is first.
const race = (model: Model, list: List, { writes }: WalkOf<"Forth" | "Back" | "Race">) =>
  Effect.gen(function* () {
    const before = new Set(model.state.rows)
    const seen: Array<Row> = []
    model.state.written.clear()
    const writer = yield* Effect.fork(
      Effect.forEach(writes, (write) =>
        Effect.zipRight(Effect.yieldNow(), Writer.apply(model.table, model.state, write))
      )
    )
    for (let cursor: string | null = ""; cursor !== null;) {
      const { items, pagination }: Part = yield* read(model, list, { cursor })
      seen.push(...items)
      cursor = pagination.next
      yield* Effect.yieldNow()
    }
    yield* Fiber.join(writer)
    onceEach(model, list, before, seen)
    const compare = Query.comparator(model.table, list.query)
    expect(seen.toSorted(compare)).toEqual(seen)
  })

const turns = (model: Model, list: List, { moves, writes }: WalkOf<"Turns">) =>
  Effect.gen(function* () {
    let last: Effect.Effect.Success<ReturnType<typeof both>> | undefined
    for (const [index, { direction, pick }] of moves.entries()) {
      const at = (place: number, cursor: string | null | undefined): Place => {
        const row = last?.rows.at(place)
        return row === undefined || cursor === undefined || cursor === null || cursor === ""
          ? undefined
          : { cursor, row }
      }
      const chosen = pick === undefined || last === undefined ? undefined : pick % Math.max(1, last.rows.length)
      const edge = direction === "after" ? at(-1, last?.next) : at(0, last?.previous)
      last = yield* both(model, list, direction, chosen === undefined ? edge : at(chosen, last?.cursors[chosen]))
      const write = writes[index]
      if (write !== undefined) yield* Writer.apply(model.table, model.state, write)
    }
  })

const page = (model: Model, list: List, { counting, page, totalCap }: WalkOf<"Page">) =>
  Effect.gen(function* () {
    const { items, pagination }: Part = yield* read(model, list, { page, counting, totalCap })
    const all = sorted(model, list.query)
    const end = page * list.limit
    expect(items).toEqual(shown(model, all.slice(end - list.limit, end)))
    const { accuracy, more, pages, total } = pagination
    if (counting !== "exact") expect(more).toBe(all.length > end)
    if (accuracy === null) return expect([counting, total, pages]).toEqual(["none", null, null])
    if (accuracy === "exact") expect(total).toBe(all.length)
    if (accuracy === "atLeast") expect([total, all.length > totalCap]).toEqual([totalCap, true])
    if (accuracy === "estimated") expect([counting, Number(total) > totalCap]).toEqual(["estimated", true])
    expect(pages).toBe(Math.ceil(Number(total) / list.limit))
  })

// The last filter is given as a scope.
const stream = (model: Model, { limit, query }: List) =>
  Effect.gen(function* () {
    const last = query.filters.at(-1)
    const selection = Query.select(model.table, model.repository.select, {
      ...query,
      filters: query.filters.slice(0, -1)
    })
    const rows = model.repository.stream(selection, { batch: limit, scope: (list) => last?.apply(list) ?? list })
    expect(Chunk.toReadonlyArray(yield* Stream.runCollect(rows))).toEqual(shown(model, sorted(model, query)))
  })

/** Reads a list, disturbed at first; fails where it differs from the rows in memory. */
export const judge = (model: Model, list: List): Effect.Effect<unknown, unknown, Needs> => {
  const first = Effect.map(read(model, list, { cursor: "" }), ({ items }) => items)
  const { items } = expected(model, list, "after", undefined)
  const disturbed = Disturbance.apply(model.table, list.disturbance, first, shown(model, items))
  return Effect.zipRight(disturbed, walkOf(model, list))
}

const walkOf = (model: Model, list: List): Effect.Effect<unknown, unknown, Needs> => {
  const { walk } = list
  switch (walk._tag) {
    case "Forth":
      return oneWay(model, list, "after", walk)
    case "Back":
      return oneWay(model, list, "before", walk)
    case "Race":
      return race(model, list, walk)
    case "Turns":
      return turns(model, list, walk)
    case "Page":
      return page(model, list, walk)
    case "Stream":
      return stream(model, list)
  }
}
