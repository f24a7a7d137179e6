import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Column from "../../../src/pagination/Column.ts"
import { type Dialect, pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { reorder, seekFrom } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases, type Engine } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"
import * as Things from "../../layers/pagination/Things.ts"

const columns = {
  kind: Column.integer,
  at: Column.integer,
  word: Column.text,
  due: Column.nullable(Column.integer)
} as const
const Numbered = Entity.make("numbered", { key: "id", columns: { id: Column.integer, ...columns } })
const Named = Entity.make("named", { key: "id", columns: { id: Column.text, ...columns } })

const numbered = Selection.from(Numbered)
const named = Selection.from(Named)

const indexes = [
  "CREATE INDEX numbered_at ON numbered (at, id)",
  "CREATE INDEX numbered_mixed ON numbered (at DESC, id)",
  "CREATE INDEX numbered_kind ON numbered (kind, at DESC, id)",
  "CREATE INDEX named_at ON named (at, id)",
  "CREATE INDEX named_mixed ON named (at DESC, id)"
]

// An index holds its order with nulls where the list places them.
const nullIndexes: Readonly<Record<Engine, ReadonlyArray<string>>> = {
  SQLite: [
    "CREATE INDEX numbered_due ON numbered (due, id)",
    "CREATE INDEX numbered_kind_due ON numbered (kind, due, id)",
    "CREATE INDEX numbered_kind_due_last ON numbered (kind, due IS NULL, due, id)"
  ],
  PostgreSQL: [
    "CREATE INDEX numbered_due ON numbered (due, id)",
    "CREATE INDEX numbered_due_first ON numbered (due NULLS FIRST, id)",
    "CREATE INDEX numbered_kind_due ON numbered (kind, due, id)",
    "CREATE INDEX numbered_kind_due_first ON numbered (kind, due NULLS FIRST, id)"
  ]
}

const step = (column: "kind" | "at" | "due" | "id", direction: Selection.Direction, value: number | null) => ({
  column,
  direction,
  value
})

interface Sent {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

const sent =
  <C extends Column.Columns>(selection: Selection.Selection<C>) =>
  (dialect: Dialect): Sent => {
    const sized = selection.limit(11)
    const query = Query.select(dialect, sized)
    return { text: query.text, values: Query.bind(query, Query.values(dialect, sized)) }
  }

interface Case {
  readonly says: string
  readonly sent: (dialect: Dialect) => Sent
  /** The first page cannot be a search, but it must not sort either. */
  readonly first?: (dialect: Dialect) => Sent
  /** Conditions that each access of the table must search by. */
  readonly sqlite: ReadonlyArray<string>
}

const cases: ReadonlyArray<Case> = [
  {
    says: "the key alone",
    sent: sent(numbered.order("Asc", "id").seek([["id", "Asc", 5]])),
    sqlite: ["(rowid>?)"]
  },
  {
    says: "a column and an integer key, ascending",
    sent: sent(
      numbered
        .order("Asc", "at")
        .order("Asc", "id")
        .seek([
          ["at", "Asc", 1],
          ["id", "Asc", 5]
        ])
    ),
    sqlite: ["(at=? AND id>?)", "(at>?)"]
  },
  {
    says: "a column and an integer key, descending",
    sent: sent(
      numbered
        .order("Desc", "at")
        .order("Desc", "id")
        .seek([
          ["at", "Desc", 1],
          ["id", "Desc", 5]
        ])
    ),
    sqlite: ["(at=? AND id<?)", "(at<?)"]
  },
  {
    says: "mixed directions",
    sent: sent(
      numbered
        .order("Desc", "at")
        .order("Asc", "id")
        .seek([
          ["at", "Desc", 1],
          ["id", "Asc", 5]
        ])
    ),
    sqlite: ["(at=? AND id>?)", "(at<?)"]
  },
  {
    says: "three columns in mixed directions",
    sent: sent(
      numbered
        .order("Asc", "kind")
        .order("Desc", "at")
        .order("Asc", "id")
        .seek([
          ["kind", "Asc", 1],
          ["at", "Desc", 1],
          ["id", "Asc", 5]
        ])
    ),
    sqlite: ["(kind=? AND at=? AND id>?)", "(kind=? AND at<?)", "(kind>?)"]
  },
  {
    says: "a filter and mixed directions",
    sent: sent(
      numbered
        .filter("kind", "equal", 1)
        .order("Desc", "at")
        .order("Asc", "id")
        .seek([
          ["at", "Desc", 1],
          ["id", "Asc", 5]
        ])
    ),
    sqlite: ["(kind=? AND at=? AND id>?)", "(kind=? AND at<?)"]
  },
  {
    says: "a column and a text key by row values",
    sent: sent(
      named
        .order("Asc", "at")
        .order("Asc", "id")
        .seek([
          ["at", "Asc", 1],
          ["id", "Asc", "x"]
        ])
    ),
    sqlite: ["((at,id)>(?,?))"]
  },
  {
    says: "a text key in mixed directions",
    sent: sent(
      named
        .order("Desc", "at")
        .order("Asc", "id")
        .seek([
          ["at", "Desc", 1],
          ["id", "Asc", "x"]
        ])
    ),
    sqlite: ["(at=? AND id>?)", "(at<?)"]
  }
]

const dueFirst = numbered.order("Asc", "due", "First").order("Asc", "id")
const dueLast = numbered.order("Asc", "due", "Last").order("Asc", "id")
const backFirst = numbered.order("Desc", "due", "First").order("Desc", "id")
const kindLast = numbered.order("Asc", "kind").order("Asc", "due", "Last").order("Asc", "id")
// What `kindLast` is from its end.
const kindBack = numbered.order("Desc", "kind").order("Desc", "due", "First").order("Desc", "id")
const kindFirst = numbered.order("Asc", "kind").order("Asc", "due", "First").order("Asc", "id")

const nullCases: ReadonlyArray<Case> = [
  {
    says: "a column with nulls first, after a value",
    first: sent(dueFirst),
    sent: sent(seekFrom(dueFirst, [step("due", "Asc", 1), step("id", "Asc", 5)])),
    sqlite: ["(due=? AND id>?)", "(due>?)"]
  },
  {
    says: "a column with nulls first, after a null",
    sent: sent(seekFrom(dueFirst, [step("due", "Asc", null), step("id", "Asc", 5)])),
    sqlite: ["(due=? AND id>?)", "(due>?)"]
  },
  {
    says: "a column with nulls last, after a value",
    first: sent(dueLast),
    sent: sent(seekFrom(dueLast, [step("due", "Asc", 1), step("id", "Asc", 5)])),
    sqlite: ["(due=? AND id>?)", "(due>?)", "(due=?)"]
  },
  {
    says: "a column with nulls last, after a null",
    sent: sent(seekFrom(dueLast, [step("due", "Asc", null), step("id", "Asc", 5)])),
    sqlite: ["(due=? AND id>?)"]
  },
  {
    says: "a descending column with nulls first, after a null",
    first: sent(backFirst),
    sent: sent(seekFrom(backFirst, [step("due", "Desc", null), step("id", "Desc", 5)])),
    sqlite: ["(due=? AND id<?)", "(due>?)"]
  },
  {
    says: "a second column with nulls last, after a value",
    first: sent(kindLast),
    sent: sent(seekFrom(kindLast, [step("kind", "Asc", 1), step("due", "Asc", 1), step("id", "Asc", 5)])),
    sqlite: [
      "(kind=? AND <expr>=? AND due=? AND id>?)",
      "(kind=? AND <expr>=? AND due>?)",
      "(kind=? AND <expr>=? AND due=?)",
      "(kind>?)"
    ]
  },
  {
    says: "a second column with nulls last, after a null",
    sent: sent(seekFrom(kindLast, [step("kind", "Asc", 1), step("due", "Asc", null), step("id", "Asc", 5)])),
    sqlite: ["(kind=? AND <expr>=? AND due=? AND id>?)", "(kind>?)"]
  },
  {
    says: "a second column with nulls last, backward before a value",
    first: sent(kindBack),
    sent: sent(seekFrom(kindBack, [step("kind", "Desc", 1), step("due", "Desc", 1), step("id", "Desc", 5)])),
    sqlite: ["(kind=? AND <expr>=? AND due=? AND id<?)", "(kind=? AND <expr>=? AND due<?)", "(kind<?)"]
  },
  {
    says: "a second column with nulls last, backward before a null",
    sent: sent(seekFrom(kindBack, [step("kind", "Desc", 1), step("due", "Desc", null), step("id", "Desc", 5)])),
    sqlite: ["(kind=? AND <expr>=? AND due=? AND id<?)", "(kind=? AND <expr>=? AND due>?)", "(kind<?)"]
  },
  {
    says: "a second column with nulls first, after a null",
    first: sent(kindFirst),
    sent: sent(seekFrom(kindFirst, [step("kind", "Asc", 1), step("due", "Asc", null), step("id", "Asc", 5)])),
    sqlite: ["(kind=? AND due=? AND id>?)", "(kind=? AND due>?)", "(kind>?)"]
  }
]

describe("A seek in PostgreSQL", () => {
  const seekBy = (...position: Parameters<typeof seekFrom>[1]) =>
    sent(
      seekFrom(
        reorder(
          numbered,
          position.map(({ column, direction }) => ({ column, direction, nulls: nullsOf(column) }))
        ),
        position
      )
    )(pg)
  const nullsOf = (column: string) => (column === "due" ? ("Last" as const) : undefined)
  const conditions = (text: string) => Array.from(text.matchAll(/ WHERE (.*?) ORDER BY/g), ([, condition]) => condition)

  it("compares the last columns of one direction as one row value", () => {
    const { text, values } = seekBy(step("at", "Desc", 1), step("kind", "Asc", 2), step("id", "Asc", 5))
    expect(conditions(text)).toEqual([
      '"numbered"."at" < $1::bigint',
      '"numbered"."at" = ANY (ARRAY[$1::bigint]) AND ("numbered"."kind", "numbered"."id") > ($2::bigint, $3::bigint)'
    ])
    expect(values).toEqual([1, 2, 5, 11])
  })

  it("keeps a branch for the nulls after a row value, and none where the position is null", () => {
    expect(conditions(seekBy(step("due", "Asc", 1), step("id", "Asc", 5)).text)).toEqual([
      '"numbered"."due" IS NULL',
      '("numbered"."due", "numbered"."id") > ($1::bigint, $2::bigint)'
    ])
    expect(conditions(seekBy(step("kind", "Asc", 1), step("due", "Asc", null), step("id", "Asc", 5)).text)).toEqual([
      '"numbered"."kind" > $1::bigint',
      '"numbered"."kind" = ANY (ARRAY[$1::bigint]) AND "numbered"."due" IS NULL AND "numbered"."id" > $2::bigint'
    ])
  })
})

describeDatabases("A seek", (database) => {
  const dialect = database.name === "SQLite" ? sqlite : pg
  const ready = Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Things.create(Numbered)
      yield* Things.create(Named)
      yield* Effect.forEach([...indexes, ...nullIndexes[database.name]], (index) => sql.unsafe(index))
    })
  ).pipe(Layer.provideMerge(database.layerEmpty))

  layer(ready)((it) => {
    for (const { first, says, sent, sqlite } of [...cases, ...nullCases]) {
      it.effect(`searches an index by ${says}`, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          if (first !== undefined) {
            const start = first(dialect)
            const plan = yield* explain(sql.unsafe(start.text, start.values))
            expect(plan.sorts, plan.text).toBe(false)
          }
          const { text, values } = sent(dialect)
          expect(text).not.toContain(" OR ")
          const plan = yield* explain(sql.unsafe(text, values))
          if (dialect.name === "pg") {
            expect(plan.isIndexSearch, plan.text).toBe(true)
            // At most the rows of all branches together: an index orders each of them.
            expect((plan.text.match(/"Node Type": "[^"]*Sort"/g) ?? []).length, plan.text).toBeLessThanOrEqual(1)
            return
          }
          const accesses = plan.text.split("\n").filter((step) => / (numbered|named)\b/.test(step))
          expect(accesses.map((step) => step.replace(/^SEARCH .*?(?=\()/, ""))).toEqual(sqlite)
        })
      )
    }
  })
})
