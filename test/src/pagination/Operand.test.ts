import { describe, expect, it, layer } from "@effect/vitest"
import { Cause, Effect, Either, Exit, FastCheck as fc, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Filters from "../../../src/pagination/internal/query/Filters.ts"
import { InvalidOperand } from "../../../src/pagination/Column.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "../../layers/pagination/Spy.ts"
import * as Things from "../../layers/pagination/Things.ts"

const Orders = Entity.make("orders", {
  key: "id",
  columns: { id: Column.integer, tenant: Column.integer, ...Things.columns }
})

const rows = Array.from({ length: 24 }, (_, index) => ({
  id: index + 1,
  tenant: (index % 4) + 1,
  word: ["a", "b", "c"][index % 3],
  code: `018f3c2e-7b1a-7c3d-9e4f-00000000000${index % 5}`,
  at: `2024-02-29T12:00:00.00000${index % 6}Z`,
  size: index % 7,
  wide: 2n ** 53n + BigInt(index % 3),
  score: index / 4,
  flag: index % 2 === 0,
  cost: `${index % 4}.50`,
  born: `2024-02-2${index % 9}`,
  opens: `12:00:00.00000${index % 3}`,
  blob: Buffer.from([index % 5]).toString("base64"),
  note: index % 3 === 0 ? null : "n",
  rank: index % 4 === 0 ? null : index % 3,
  due: index % 5 === 0 ? null : "2024-02-29T12:00:00.000000Z"
}))

// As a program without a compiler calls it.
type Loose = (column: string, operator: string, operand?: unknown) => Selection.Selection<Column.Columns>
const filter: Loose = (column, operator, operand) => {
  const selection = Selection.from(erase(Orders))
  return (selection.filter as unknown as Loose).call(selection, column, operator, operand)
}

const operators = [
  "equal",
  "unequal",
  "less",
  "lessOrEqual",
  "greater",
  "greaterOrEqual",
  "between",
  "in",
  "isNull",
  "isNotNull",
  "isTrue",
  "isFalse",
  "toString",
  ""
]

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    Number.NaN,
    Infinity,
    -0,
    1.5,
    2 ** 60,
    "",
    "\0",
    "\ud800",
    {},
    [],
    () => 1
  ),
  fc.constantFrom<unknown>(...rows.flatMap((row) => Object.values(row))),
  fc.string({ unit: "binary" }),
  fc.integer(),
  fc.double(),
  fc.bigInt(),
  fc.boolean(),
  fc.date()
)
const holed = fc.array(scalar, { maxLength: 4 }).map((values) => {
  const list = values.slice()
  list.length += 1
  return list
})
const operand = fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), holed, fc.constant([]), fc.constant(new Set([1])))

const decimal = /^-?\d+(?:\.\d+)?$/

// What a value is ordered by: decimals are texts, and the bytes of these rows are base64 that ends in "==".
const sortKeys = (left: unknown, right: unknown): readonly [unknown, unknown] => {
  if (typeof left !== "string" || typeof right !== "string") return [left, right]
  if (decimal.test(left) && decimal.test(right)) return [Number(left), Number(right)]
  return left.endsWith("==")
    ? ([left, right].map((text) => Buffer.from(text, "base64").toString("hex")) as [string, string])
    : [left, right]
}

const compare = (one: unknown, other: unknown): number => {
  const [left, right] = sortKeys(one, other)
  return (left as number) < (right as number) ? -1 : (left as number) > (right as number) ? 1 : 0
}

// The rule that both databases must agree with, for operands that were taken.
const meets = (value: unknown, operator: string, given: unknown): boolean => {
  if (operator === "isNull" || operator === "isNotNull") return (value === null) === (operator === "isNull")
  if (operator === "isTrue" || operator === "isFalse") return value === (operator === "isTrue")
  if (value === null) return false
  const plain = (one: unknown) => (typeof one === "bigint" ? BigInt(one) : typeof one === "boolean" ? Number(one) : one)
  const order = (other: unknown) => compare(plain(value), plain(other))
  const list = Array.isArray(given) ? given : []
  switch (operator) {
    case "equal":
      return order(given) === 0
    case "unequal":
      return order(given) !== 0
    case "less":
      return order(given) < 0
    case "lessOrEqual":
      return order(given) <= 0
    case "greater":
      return order(given) > 0
    case "greaterOrEqual":
      return order(given) >= 0
    case "between":
      return order(list[0]) >= 0 && order(list[1]) <= 0
    default:
      return list.some((other) => order(other) === 0)
  }
}

const page = (limit: number) => Either.getOrThrow(Pagination.make({ limit }))

describeDatabases("A filter", (database) => {
  const ready = Layer.effectDiscard(Effect.zipRight(Things.create(Orders), Things.insert(Orders, rows))).pipe(
    Layer.provideMerge(spied(database.layerEmpty))
  )
  layer(ready)((it) => {
    it.effect("without its operand throws, and the limit of a client never chooses the tenant", () =>
      Effect.gen(function* () {
        const orders = yield* SqlRepository.make(erase(Orders))
        const scope = () => filter("tenant", "equal", undefined)
        for (const limit of [1, 2, 3]) {
          const [exit, statements] = yield* statementsOf(
            Effect.exit(orders.paginate(orders.select, page(limit), scope))
          )
          expect(statements).toEqual([])
          const [defect] = Exit.isFailure(exit) ? Cause.defects(exit.cause) : []
          expect(defect).toBeInstanceOf(InvalidOperand)
          expect(defect).toMatchObject({
            table: "orders",
            column: "tenant",
            message: '"equal" on orders.tenant needs a value of kind integer, and was given undefined.'
          })
        }
      })
    )

    it.effect.prop(
      "throws for an operand that is none, refuses one that the column cannot hold, and else finds what it says",
      { column: fc.constantFrom(...Orders.names), operator: fc.constantFrom(...operators), operand },
      ({ column, operand, operator }) =>
        Effect.gen(function* () {
          const orders = yield* SqlRepository.make(erase(Orders))
          const selected = Either.try({ try: () => filter(column, operator, operand), catch: (thrown) => thrown })
          if (Either.isLeft(selected)) {
            expect(selected.left).toBeInstanceOf(InvalidOperand)
            return
          }
          const [found, statements] = yield* statementsOf(
            Effect.either(orders.paginate(selected.right.order("Asc", "id"), page(100)))
          )
          if (Either.isLeft(found)) {
            expect(found.left._tag).toBe("InvalidPagination")
            expect(statements).toEqual([])
            return
          }
          const expected = rows.filter((row) => meets(row[column], operator, operand)).map(({ id }) => id)
          expect(found.right.items.map((item) => item["id"])).toEqual(expected)
        }),
      { fastCheck: { numRuns: 400 } }
    )

    it.effect("refuses a value from outside that the column cannot hold with InvalidPagination, before any query", () =>
      Effect.gen(function* () {
        const orders = yield* SqlRepository.make(Orders)
        const all = orders.select
        const hostile = [
          all.filter("id", "equal", Number("abc")),
          all.filter("id", "less", 1.5),
          all.filter("code", "equal", "no uuid"),
          all.filter("at", "greater", "yesterday"),
          all.filter("wide", "equal", 2n ** 64n),
          all.filter("word", "in", ["a", "\ud800"]),
          all.match("word", "like", "%\udc00"),
          all.match("word", "insensitive", "x".repeat(Filters.maxPatternLength + 1)),
          all.filter(
            "id",
            "in",
            Array.from({ length: Filters.maxValues + 1 }, (_, index) => index)
          )
        ]
        for (const selection of hostile) {
          const [error, statements] = yield* statementsOf(Effect.flip(orders.paginate(selection)))
          expect(error._tag).toBe("InvalidPagination")
          expect(statements).toEqual([])
        }
        const nul = Effect.either(orders.paginate(all.filter("word", "equal", "a\0")))
        expect(Either.isLeft(yield* nul)).toBe(database.name === "PostgreSQL")
        const most = all.filter(
          "id",
          "in",
          Array.from({ length: Filters.maxValues }, (_, index) => index)
        )
        expect((yield* orders.paginate(most)).pagination.total).toBe(24)
      })
    )
  })
})

describe("A selection", () => {
  const all = Selection.from(Orders)
  it("refuses a position without a value and a pattern that is not text", () => {
    for (const value of [undefined, null, {}, []]) {
      expect(() => all.seek([["id", "Asc", value as never]])).toThrow(InvalidOperand)
      expect(() => all.match("word", "like", value as never)).toThrow(InvalidOperand)
    }
  })

  it("copies the list of an operand, so that a later change has no effect", () => {
    const list = [1, 2]
    const selection = all.filter("id", "in", list)
    list.push(3)
    expect(Query.restricted(sqlite, selection)).toEqual([1, 2])
  })

  it("says what is wrong without repeating a value", () => {
    const password = "hunter2" as unknown as number
    expect(() => all.filter("id", "equal", password)).toThrow(
      '"equal" on orders.id needs a value of kind integer, and was given a string.'
    )
  })
})

describe("The values of a statement", () => {
  const selection = Selection.from(Orders).filter("tenant", "equal", 1).filter("id", "less", 5).limit(3)

  it.each([sqlite, pg])("are as many as its places, or it is not run: $name", (dialect) => {
    const query = Query.select(dialect, selection)
    const values = Query.values(dialect, selection)
    expect(Query.bind(query, values)).toEqual([1, 5, 3])
    expect(() => Query.bind(query, values.slice(0, 2))).toThrow("not run")
    expect(() => Query.bind(query, values.slice(1))).toThrow("not run")
    expect(() => Query.bind(query, [...values, 4])).toThrow("not run")
    expect(() => Query.bind(query, [undefined, 5, 3])).toThrow("not run")
  })
})
