import { expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Effect, FastCheck as fc, Layer } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import type * as Seek from "../../../src/pagination/internal/query/Seek.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { partsOf, reorder, seekFrom, shapeOf } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Things from "../../layers/pagination/Things.ts"

const Cups = Entity.make("cups", {
  key: "id",
  columns: {
    id: Column.integer,
    name: Column.text,
    note: Column.nullable(Column.text),
    wide: Column.bigint,
    score: Column.float,
    hot: Column.boolean,
    at: Column.timestamp
  }
})

const rows = [
  { id: 1, name: "Ann", note: null, wide: 9007199254740993n, score: 0.1, hot: true, at: "2024-02-29T12:00:00.000001Z" },
  { id: 2, name: "ann", note: "50% _*?[x]", wide: 1n, score: 2, hot: false, at: "2024-02-29T12:00:00.000002Z" },
  { id: 3, name: "Bob", note: "", wide: -1n, score: 2, hot: true, at: "2024-02-29T12:00:00.000003Z" },
  {
    id: 4,
    name: 'x"); DROP TABLE cups; --',
    note: "a\\b",
    wide: 2n,
    score: 3,
    hot: false,
    at: "2025-01-01T00:00:00.000000Z"
  }
]

const all = Selection.from(Cups)
const sqliteReads =
  'SELECT "cups"."id", "cups"."name", "cups"."note", CASE typeof("cups"."wide") WHEN \'integer\' THEN CAST("cups"."wide" AS TEXT) WHEN \'null\' THEN NULL ELSE \'x\' END AS "wide", "cups"."score", "cups"."hot", "cups"."at" FROM "cups"'
const pgReads =
  'SELECT "cups"."id", "cups"."name"::text AS "name", "cups"."note"::text AS "note", "cups"."wide"::text AS "wide", "cups"."score"::double precision AS "score", "cups"."hot", ' +
  'coalesce(rtrim(to_char("cups"."at" AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z" BC\'), \' AD\'), "cups"."at"::text) AS "at" FROM "cups"'

interface Golden {
  readonly says: string
  readonly selection: Selection.Selection<(typeof Cups)["columns"]>
  readonly sqlite: string
  readonly pg: string
  readonly finds: ReadonlyArray<number>
}

const filter = (
  says: string,
  selection: Golden["selection"],
  sqlite: string,
  finds: ReadonlyArray<number>,
  pg = sqlite.replace("?", "$1")
): Golden => ({
  says,
  selection: selection.order("Asc", "id"),
  sqlite: ` WHERE ${sqlite} ORDER BY "cups"."id" ASC`,
  pg: ` WHERE ${pg} ORDER BY "cups"."id" ASC`,
  finds
})

const golden: ReadonlyArray<Golden> = [
  { says: "all rows", selection: all, sqlite: "", pg: "", finds: [1, 2, 3, 4] },
  filter("equal", all.filter("name", "equal", "Ann"), '"cups"."name" = ?', [1]),
  filter("unequal", all.filter("name", "unequal", "Ann"), '"cups"."name" <> ?', [2, 3, 4]),
  filter("less", all.filter("score", "less", 2), '"cups"."score" < ?', [1], '"cups"."score" < $1::double precision'),
  filter(
    "lessOrEqual",
    all.filter("score", "lessOrEqual", 2),
    '"cups"."score" <= ?',
    [1, 2, 3],
    '"cups"."score" <= $1::double precision'
  ),
  filter(
    "greater",
    all.filter("wide", "greater", 9007199254740992n),
    '"cups"."wide" > ?',
    [1],
    '"cups"."wide" > $1::bigint'
  ),
  filter(
    "greaterOrEqual",
    all.filter("id", "greaterOrEqual", 3),
    '"cups"."id" >= ?',
    [3, 4],
    '"cups"."id" >= $1::bigint'
  ),
  filter(
    "a number that the column cannot hold",
    all.filter("id", "less", 2 ** 40),
    '"cups"."id" < ?',
    [1, 2, 3, 4],
    '"cups"."id" < $1::bigint'
  ),
  filter(
    "between",
    all.filter("at", "between", ["2024-02-29T12:00:00.000002Z", "2024-12-31T00:00:00.000000Z"]),
    '"cups"."at" BETWEEN ? AND ?',
    [2, 3],
    '"cups"."at" BETWEEN $1 AND $2'
  ),
  filter(
    "in",
    all.filter("name", "in", ["Bob", 'x"); DROP TABLE cups; --', "nobody"]),
    '"cups"."name" IN (?, ?, ?)',
    [3, 4],
    '"cups"."name" IN ($1, $2, $3)'
  ),
  filter("in nothing", all.filter("name", "in", []), "1 = 0", []),
  filter("isNull", all.filter("note", "isNull"), '"cups"."note" IS NULL', [1]),
  filter("isNotNull", all.filter("note", "isNotNull"), '"cups"."note" IS NOT NULL', [2, 3, 4]),
  filter("isTrue", all.filter("hot", "isTrue"), '"cups"."hot" IS TRUE', [1, 3]),
  filter("isFalse", all.filter("hot", "isFalse"), '"cups"."hot" IS FALSE', [2, 4]),
  filter("equal to a boolean", all.filter("hot", "equal", false), '"cups"."hot" = ?', [2, 4]),
  filter(
    "like, which minds case",
    all.match("name", "like", "A_n%"),
    '"cups"."name" GLOB ?',
    [1],
    '"cups"."name"::text LIKE $1 ESCAPE \'\\\''
  ),
  filter(
    "insensitive, which does not",
    all.match("name", "insensitive", "A_n%"),
    '"cups"."name" LIKE ? ESCAPE \'\\\'',
    [1, 2],
    '"cups"."name"::text ILIKE $1 ESCAPE \'\\\''
  ),
  {
    says: "restrictions together, in their order",
    selection: all.filter("hot", "isTrue").filter("score", "less", 2).match("name", "like", "A%"),
    sqlite: ' WHERE "cups"."hot" IS TRUE AND "cups"."score" < ? AND "cups"."name" GLOB ?',
    pg: ' WHERE "cups"."hot" IS TRUE AND "cups"."score" < $1::double precision AND "cups"."name"::text LIKE $2 ESCAPE \'\\\'',
    finds: [1]
  },
  {
    says: "order with nulls placed, limit and offset",
    selection: all.order("Desc", "note", "Last").order("Asc", "id").limit(2).offset(1),
    sqlite: ' ORDER BY "cups"."note" DESC NULLS LAST, "cups"."id" ASC LIMIT ? OFFSET ?',
    pg: ' ORDER BY "cups"."note" DESC NULLS LAST, "cups"."id" ASC LIMIT $1::bigint OFFSET $2::bigint',
    finds: [2, 3]
  },
  {
    says: "order with the nulls of a later column placed, on SQLite as an index can hold it",
    selection: all.order("Asc", "hot").order("Asc", "note", "Last").order("Asc", "id"),
    sqlite: ' ORDER BY "cups"."hot" ASC, "cups"."note" IS NULL ASC, "cups"."note" ASC, "cups"."id" ASC',
    pg: ' ORDER BY "cups"."hot" ASC, "cups"."note" ASC NULLS LAST, "cups"."id" ASC',
    finds: [2, 4, 3, 1]
  },
  {
    says: "an offset without a limit",
    selection: all.order("Asc", "id").offset(3),
    sqlite: ' ORDER BY "cups"."id" ASC LIMIT -1 OFFSET ?',
    pg: ' ORDER BY "cups"."id" ASC OFFSET $1::bigint',
    finds: [4]
  },
  {
    says: "a seek on one column",
    selection: all.order("Desc", "id").seek([["id", "Desc", 3]]),
    sqlite: ' WHERE "cups"."id" < ? ORDER BY "cups"."id" DESC',
    pg: ' WHERE "cups"."id" < $1::bigint ORDER BY "cups"."id" DESC',
    finds: [2, 1]
  },
  {
    says: "a seek on row values",
    selection: all
      .order("Asc", "score")
      .order("Asc", "name")
      .seek([
        ["score", "Asc", 2],
        ["name", "Asc", "Bob"]
      ]),
    sqlite: ' WHERE ("cups"."score", "cups"."name") > (?, ?) ORDER BY "cups"."score" ASC, "cups"."name" ASC',
    pg: ' WHERE ("cups"."score", "cups"."name") > ($1::double precision, $2) ORDER BY "cups"."score" ASC, "cups"."name" ASC',
    finds: [2, 4]
  },
  {
    says: "a lock, where rows can be locked",
    selection: all.order("Asc", "id").limit(1).lock("Update"),
    sqlite: ' ORDER BY "cups"."id" ASC LIMIT ?',
    pg: ' ORDER BY "cups"."id" ASC LIMIT $1::bigint FOR UPDATE',
    finds: [1]
  }
]

const split = all
  .filter("hot", "unequal", true)
  .order("Desc", "score")
  .order("Asc", "id")
  .seek([
    ["score", "Desc", 3],
    ["id", "Asc", 3]
  ])
  .limit(5)

const pgRows =
  'SELECT "cups"."id", "cups"."name"::text AS "name", "cups"."note"::text AS "note", "cups"."wide"::text AS "wide", "cups"."score"::double precision AS "score", "cups"."hot", ' +
  'coalesce(rtrim(to_char("cups"."at" AT TIME ZONE \'UTC\', \'YYYY-MM-DD"T"HH24:MI:SS.US"Z" BC\'), \' AD\'), "cups"."at"::text) AS "at", "cups"."score" AS "order_score" FROM "cups"'
const splitPg =
  `(${pgRows} WHERE "cups"."hot" <> $1 AND "cups"."score" < $2::double precision ORDER BY "cups"."score" DESC, "cups"."id" ASC LIMIT $4::bigint) UNION ALL ` +
  `(${pgRows} WHERE "cups"."hot" <> $1 AND "cups"."score" = $2::double precision AND "cups"."id" > $3::bigint ORDER BY "cups"."id" ASC LIMIT $4::bigint) ` +
  "ORDER BY 8 DESC, 1 ASC LIMIT $4::bigint"

const sqliteRow = `${sqliteReads} WHERE "cups"."hot" <> ? AND "cups"."score"`
const splitSqlite =
  `${sqliteRow} = ? AND "cups"."id" > ? UNION ALL ${sqliteRow} < ? ` +
  'ORDER BY "cups"."score" DESC, "cups"."id" ASC LIMIT ?'

describeDatabases("Query", (database) => {
  const dialect = database.name === "SQLite" ? sqlite : pg
  const ready = Layer.effectDiscard(Effect.zipRight(Things.create(Cups), Things.insert(Cups, rows))).pipe(
    Layer.provideMerge(database.layerEmpty)
  )

  const run = <C extends Column.Columns>(selection: Selection.Selection<C>, form?: Seek.Form) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => {
      const query = Query.select(dialect, selection, form)
      return sql.unsafe<{ id: unknown }>(query.text, Query.bind(query, Query.values(dialect, selection)))
    })
  const ids = (rows: ReadonlyArray<{ readonly id: unknown }>) => rows.map((row) => row.id)

  layer(ready)((it) => {
    for (const { finds, pg, says, selection, sqlite } of golden) {
      it.effect(`compiles and finds ${says}`, () =>
        Effect.gen(function* () {
          const text = Query.select(dialect, selection).text
          expect(text).toBe(dialect.name === "pg" ? `${pgReads}${pg}` : `${sqliteReads}${sqlite}`)
          expect(ids(yield* run(selection))).toEqual(finds)
        })
      )
    }

    it.effect("splits a seek in mixed directions into a branch for each column that may differ first", () =>
      Effect.gen(function* () {
        const query = Query.select(dialect, split)
        expect(query.text).toBe(dialect.name === "pg" ? splitPg : splitSqlite)
        expect(ids(yield* run(split))).toEqual([4, 2])
      })
    )

    it.effect("counts the rows that match the restrictions, without order, position, size and lock", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const query = Query.count(dialect, split.lock("Update").offset(1))
        expect(query.text).toBe(
          `SELECT COUNT(*) AS total FROM "cups" WHERE "cups"."hot" <> ${dialect.name === "pg" ? "$1" : "?"}`
        )
        const [row] = yield* sql.unsafe<{ total: number }>(
          query.text,
          Query.bind(query, Query.restricted(dialect, split))
        )
        expect(row?.total).toBe(2)
      })
    )

    it.effect("reads every kind without loss", () =>
      Effect.gen(function* () {
        const [row] = yield* run(all.filter("id", "equal", 1))
        expect(row).toMatchObject({ wide: "9007199254740993", score: 0.1, at: "2024-02-29T12:00:00.000001Z" })
      })
    )

    it.effect.prop(
      "takes a text from outside literally in a pattern",
      { text: fc.string({ unit: fc.constantFrom("%", "_", "\\", "*", "?", "[", "]", "a", "A", "^", "-") }) },
      ({ text }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const place = dialect.place(0, "text")
          for (const match of ["like", "insensitive"] as const) {
            const condition = dialect.match(match, dialect.name === "pg" ? "$2::text" : "?", place, {
              table: "",
              column: ""
            })
            const pattern = dialect.pattern(match, Selection.escapePattern(text))
            const parameters = dialect.name === "pg" ? [pattern, text] : [text, pattern]
            const [row] = yield* sql.unsafe<{ found: unknown }>(`SELECT ${condition} AS found`, parameters)
            expect(Boolean(row?.found)).toBe(true)
            const longer = dialect.name === "pg" ? [pattern, `${text}a`] : [`${text}a`, pattern]
            const [other] = yield* sql.unsafe<{ found: unknown }>(`SELECT ${condition} AS found`, longer)
            expect(Boolean(other?.found)).toBe(false)
          }
        })
    )

    it.effect("takes a pattern that ends in the middle of an escape", () =>
      Effect.gen(function* () {
        expect(yield* run(all.match("name", "like", "a\\"))).toEqual([])
        expect(ids(yield* run(all.match("note", "insensitive", "A%\\")))).toEqual([])
        expect(ids(yield* run(all.match("note", "like", "a\\\\b")))).toEqual([4])
      })
    )

    it.effect("never changes the selection that it was built from", () =>
      Effect.sync(() => {
        const [before, shape] = [JSON.stringify(partsOf(all)), shapeOf(all)]
        all
          .filter("id", "equal", 1)
          .order("Asc", "id")
          .limit(1)
          .offset(1)
          .lock("Share")
          .seek([["id", "Asc", 1]])
        expect(JSON.stringify(partsOf(all))).toBe(before)
        expect(shapeOf(all)).toBe(shape)
      })
    )

    it.effect("gives selections one shape exactly when they compile to one text", () =>
      Effect.sync(() => {
        const texts = new Map<string, string>()
        for (const { selection } of golden) {
          const { text } = Query.select(dialect, selection)
          expect(texts.get(shapeOf(selection)) ?? text).toBe(text)
          texts.set(shapeOf(selection), text)
        }
        expect(shapeOf(all.filter("id", "equal", 1))).toBe(shapeOf(all.filter("id", "equal", 2)))
        expect(shapeOf(all.filter("id", "in", [1]))).not.toBe(shapeOf(all.filter("id", "in", [1, 2])))
      })
    )

    it.effect("refuses a name that is not a column, also where a cast hides it", () =>
      Effect.sync(() => {
        const name = 'id" FROM users; --' as "id"
        expect(() => all.order("Asc", name)).toThrow("is not a column of cups")
        expect(() => all.filter(name, "equal", 1)).toThrow("is not a column of cups")
        expect(() => all.filter("toString" as "id", "equal", 1)).toThrow("is not a column of cups")
        expect(() => all.seek([[name, "Asc", 1]])).toThrow("is not a column of cups")
      })
    )

    for (const key of Things.keys) {
      it.effect.prop(
        `finds the rows after a position by row values and by branches alike, with a ${key} key`,
        {
          rows: Things.things(key, 30),
          orders: Things.orders,
          pick: fc.nat(),
          least: fc.constantFrom(-2147483648, 0),
          limit: fc.integer({ min: 1, max: 40 })
        },
        ({ least, limit, orders, pick, rows }) =>
          Effect.gen(function* () {
            const entity = Things.entities[key]
            yield* Effect.orDie((yield* SqlClient.SqlClient).unsafe(`DROP TABLE IF EXISTS "${entity.table}"`))
            yield* Things.create(entity)
            yield* Things.insert(entity, rows)
            const closed = Keyset.orders(reorder(Selection.from(erase(entity)), orders))
            const sorted = [...rows].sort(Things.comparator(closed))
            const at = rows.length === 0 ? -1 : pick % rows.length
            const start = sorted[at]
            if (start === undefined) return
            const position = closed.map(({ column, direction }) => ({
              column,
              direction,
              value: start[column as "id"]
            }))
            const filtered = reorder(Selection.from(erase(entity)), closed).filter("size", "greaterOrEqual", least)
            const selection = seekFrom(filtered, position).limit(limit)
            const expected = sorted
              .slice(at + 1)
              .filter((row) => Number(row.size) >= least)
              .slice(0, limit)
              .map((row) => String(row.id))
            const uniform = new Set(closed.map((order) => order.direction)).size === 1
            for (const form of uniform ? (["row", "split"] as const) : (["split"] as const)) {
              expect(ids(yield* run(selection, form)).map(String)).toEqual(expected)
            }
          }),
        { fastCheck: { numRuns: 30 } }
      )
    }
  })
})
