import { expect, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type { Paginated } from "../../../src/pagination/Repository.ts"
import type { Selection } from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Things from "./Things.ts"

// A tree of topics with remarks: a relation to one, to many and to the table itself. Its name is that of an alias.
const Topic = Entity.make("related_1", {
  key: "id",
  columns: {
    id: Column.integer,
    word: Column.text,
    rank: Column.nullable(Column.integer),
    flag: Column.boolean,
    parent_id: Column.nullable(Column.bigint)
  }
})
const Remark = Entity.make("remarks", {
  key: "id",
  columns: { id: Column.uuid, topic_id: Column.nullable(Column.bigint), topic_text: Column.text, stars: Column.integer }
})

const parent = Relation.one(Topic, "parent_id")
const children = Relation.many(Topic, "parent_id")
const remarks = Relation.many(Remark, "topic_id")
const spelled = Relation.many(Remark, "topic_text")
const topic = Relation.one(Topic, "topic_id")

type Topic = typeof Topic.schema.Type
type Remark = typeof Remark.schema.Type
interface World {
  readonly topics: ReadonlyArray<Topic>
  readonly remarks: ReadonlyArray<Remark>
}

// A condition as a selection takes it, and as a function judges it.
interface Rule<E extends typeof Topic | typeof Remark, A> {
  readonly apply: (list: SelectionOf<E>) => SelectionOf<E>
  readonly holds: (row: A, world: World) => boolean
}
type SelectionOf<E> = E extends Entity.Entity<infer C, infer D> ? Selection<C, D> : never
type TopicRule = Rule<typeof Topic, Topic>
type RemarkRule = Rule<typeof Remark, Remark>

const words = ["", "tea", "Tea", "50%"] as const
const small = fc.integer({ min: -1, max: 3 })

const leaf: fc.Arbitrary<TopicRule> = fc.oneof(
  small.map((value): TopicRule => ({
    apply: (list) => list.filter("rank", "equal", value),
    holds: ({ rank }) => rank === value
  })),
  small.map((value): TopicRule => ({
    apply: (list) => list.filter("rank", "unequal", value),
    holds: ({ rank }) => rank !== null && rank !== value
  })),
  fc.tuple(small, small).map(([from, to]): TopicRule => ({
    apply: (list) => list.filter("rank", "between", [from, to]),
    holds: ({ rank }) => rank !== null && rank >= from && rank <= to
  })),
  fc.array(small, { maxLength: 3 }).map((values): TopicRule => ({
    apply: (list) => list.filter("rank", "in", values),
    holds: ({ rank }) => rank !== null && values.includes(rank)
  })),
  fc.constant<TopicRule>({ apply: (list) => list.filter("rank", "isNull"), holds: ({ rank }) => rank === null }),
  fc.constant<TopicRule>({ apply: (list) => list.filter("flag", "isTrue"), holds: ({ flag }) => flag }),
  fc.constant<TopicRule>({
    apply: (list) => list.match("word", "insensitive", "t%"),
    holds: ({ word }) => word.toLowerCase().startsWith("t")
  })
)

const remarkLeaf: fc.Arbitrary<RemarkRule> = small.map((value) => ({
  apply: (list) => list.filter("stars", "greater", value),
  holds: ({ stars }) => stars > value
}))

const { rule } = fc.letrec<{ rule: TopicRule; remark: RemarkRule }>((tie) => {
  const several = fc.array(tie("rule"), { maxLength: 3 })
  const every = (all: ReadonlyArray<TopicRule>): TopicRule => ({
    apply: (list) => all.reduce((done, { apply }) => apply(done), list),
    holds: (row, world) => all.every(({ holds }) => holds(row, world))
  })
  const any = several.map((all): TopicRule => ({
    apply: (list) => list.anyOf(...all.map(({ apply }) => apply)),
    holds: (row, world) => all.some(({ holds }) => holds(row, world))
  }))
  const not = several.map(every).map((inner): TopicRule => ({
    apply: (list) => list.not(inner.apply),
    holds: (row, world) => !inner.holds(row, world)
  }))
  const related = fc
    .tuple(fc.constantFrom(parent, children), tie("rule"), fc.boolean())
    .map(([relation, inner, isNegated]): TopicRule => ({
      apply: (list) => (isNegated ? list.notExists(relation, inner.apply) : list.exists(relation, inner.apply)),
      holds: (row, world) =>
        world.topics.some(
          (other) =>
            (relation === parent
              ? other.id === Number(row.parent_id ?? NaN)
              : Number(other.parent_id ?? NaN) === row.id) && inner.holds(other, world)
        ) !== isNegated
    }))
  const remarked = fc.tuple(fc.constantFrom(remarks, spelled), tie("remark")).map(([relation, inner]): TopicRule => ({
    apply: (list) => list.exists(relation, inner.apply),
    holds: (row, world) =>
      world.remarks.some(
        (remark) =>
          (relation === remarks ? Number(remark.topic_id ?? NaN) === row.id : remark.topic_text === String(row.id)) &&
          inner.holds(remark, world)
      )
  }))
  const silent = fc.constant<TopicRule>({
    apply: (list) => list.notExists(remarks),
    holds: (row, world) => !world.remarks.some((remark) => Number(remark.topic_id ?? NaN) === row.id)
  })
  const back = tie("rule").map((inner): RemarkRule => ({
    apply: (list) => list.exists(topic, inner.apply),
    holds: (remark, world) =>
      world.topics.some((one) => one.id === Number(remark.topic_id ?? NaN) && inner.holds(one, world))
  }))
  return {
    rule: fc.oneof({ maxDepth: 4, depthIdentifier: "rule" }, leaf, any, not, related, remarked, silent),
    remark: fc.oneof({ maxDepth: 4, depthIdentifier: "rule" }, remarkLeaf, back)
  }
})

const world: fc.Arbitrary<World> = fc.record({
  topics: fc
    .array(
      fc.record({
        word: fc.constantFrom(...words),
        rank: fc.option(small),
        flag: fc.boolean(),
        parent_id: fc.option(fc.bigInt({ min: 0n, max: 12n }))
      }),
      { maxLength: 12 }
    )
    .map((rows) => rows.map((row, id) => ({ id, ...row }))),
  remarks: fc
    .array(
      fc.record({
        topic_id: fc.option(fc.bigInt({ min: 0n, max: 12n })),
        topic_text: fc.constantFrom("0", "1", "5", "no"),
        stars: small
      }),
      { maxLength: 12 }
    )
    .map((rows) => rows.map((row, id) => ({ id: Things.keyOf.uuid(id), ...row })))
})

const part = (options: NonNullable<Parameters<typeof Pagination.make>[0]>) =>
  Either.getOrThrow(Pagination.make(options))

describeDatabases("Conditions of a list", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect.prop(
      "find what a filter in memory finds: by page, and by cursor forward and backward",
      {
        world,
        rules: fc.array(rule, { maxLength: 2 }),
        limit: fc.integer({ min: 1, max: 5 }),
        descending: fc.boolean()
      },
      ({ descending, limit, rules, world }) =>
        Effect.gen(function* () {
          yield* Things.fresh(Topic, world.topics)
          yield* Things.fresh(Remark, world.remarks)
          const list = yield* SqlRepository.make(Topic)
          const direction = descending ? "Desc" : "Asc"
          const orders = [
            { column: "rank", direction, nulls: "Last" },
            { column: "id", direction: "Asc", nulls: undefined }
          ] as const
          const ordered = list.select.order(direction, "rank", "Last").order("Asc", "id")
          const selection = rules.reduce((done, { apply }) => apply(done), ordered)
          const expected = world.topics
            .filter((row) => rules.every(({ holds }) => holds(row, world)))
            .sort(Things.comparator(orders))

          const page = yield* list.paginate(selection, part({ page: 1, limit: 20 }))
          expect(page.items).toEqual(expected)
          expect(page.pagination.total).toBe(expected.length)
          const capped = yield* list.paginate(selection, part({ page: 1, limit: 1, counting: "capped", totalCap: 3 }))
          expect(capped.pagination.total).toBe(Math.min(3, expected.length))

          const forward: Array<Topic> = []
          for (let cursor: string | null = ""; cursor !== null;) {
            const found: Paginated<Topic> = yield* list.paginate(selection, part({ cursor, limit }))
            forward.push(...found.items)
            cursor = found.pagination.next
          }
          expect(forward).toEqual(expected)
          const backward: Array<Topic> = []
          for (let before: string | null = ""; before !== null;) {
            const found: Paginated<Topic> = yield* list.paginate(selection, part({ before, limit }))
            backward.unshift(...found.items)
            before = found.pagination.previous
          }
          expect(backward).toEqual(expected)
        }),
      { fastCheck: { numRuns: 40 } }
    )
  })
})
