import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, FastCheck as fc, Logger } from "effect"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as ColumnValue from "../../../src/pagination/internal/columns/ColumnValue.ts"
import { pg, sqlite } from "../../../src/pagination/internal/query/Dialect.ts"
import { columnOf, erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as Keyset from "../../../src/pagination/internal/query/Keyset.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { reorder, seekFrom } from "../../../src/pagination/internal/query/SelectionState.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { explain } from "../../support/Plans.ts"
import * as Things from "./Things.ts"

describeDatabases("The check of indexes", (database) => {
  const dialect = database.name === "SQLite" ? sqlite : pg
  const create = (table: (typeof Things.entities)[Things.Key]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.unsafe(`DROP TABLE IF EXISTS "${table.table}"`)
      yield* Things.create(table)
    })

  layer(database.layerEmpty)((it) => {
    it.effect.prop(
      "prints an index by which both databases search the list, in both directions",
      {
        key: fc.constantFrom(...Things.keys),
        orders: Things.orders,
        isFiltered: fc.boolean(),
        isNull: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 })
      },
      ({ isFiltered, isNull, key, orders }) =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* create(Things.entities[key])
          const all = Selection.from(erase(Things.entities[key]))
          const list = reorder(isFiltered ? all.filter("size", "equal", 0) : all, orders)
          const missing = yield* IndexCheck.run(list)
          for (const statement of missing) yield* sql.unsafe(statement)
          expect(yield* IndexCheck.run(list)).toEqual([])
          const closed = Keyset.orders(list)
          for (const walk of [closed, Keyset.reverse(closed)]) {
            const position = walk.map(({ column, direction, nulls }, index) => {
              const value = ColumnValue.placeholder(columnOf(all.entity, column).kind)
              return { column, direction, value: nulls !== undefined && isNull[index] === true ? null : value }
            })
            const ordered = reorder(list, walk).limit(11)
            for (const part of [ordered, seekFrom(ordered, position)]) {
              const query = Query.select(dialect, part)
              const plan = yield* explain(sql.unsafe(query.text, Query.bind(query, Query.values(dialect, part))))
              // The parts of a list that SQLite reads in parts are limited, and scanned as such.
              const accesses = plan.text.split("\n").filter((step) => step.includes(` ${all.entity.table} `))
              const searches =
                database.name === "PostgreSQL"
                  ? plan.isIndexSearch
                  : accesses.every((step) => step.startsWith("SEARCH "))
              if (part !== ordered) expect(searches, `${missing.join()}\n${query.text}\n${plan.text}`).toBe(true)
              const sorts = plan.sortsAll && (database.name === "PostgreSQL" || !query.text.includes('AS "page"'))
              expect(sorts, `${missing.join()}\n${query.text}\n${plan.text}`).toBe(false)
            }
          }
        }),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect("knows the indexes that are there, also those that end in the row id or cover some rows", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* create(Things.entities.integer)
        const all = Selection.from(Things.entities.integer)
        const bySize = all.order("Desc", "size").order("Desc", "id")
        expect(yield* IndexCheck.run(all)).toEqual([])
        expect(yield* IndexCheck.run(bySize, bySize)).toEqual([
          'CREATE INDEX "things_integer_size_desc_id_desc" ON "things_integer" ("size" DESC, "id" DESC)'
        ])
        yield* sql`CREATE INDEX short ON things_integer (size)`
        expect((yield* IndexCheck.run(bySize)).length).toBe(database.name === "SQLite" ? 0 : 1)
        yield* sql`DROP INDEX short`
        yield* sql`CREATE INDEX unnoted ON things_integer (size, id) WHERE note IS NULL`
        expect(yield* IndexCheck.run(bySize.filter("note", "isNull"))).toEqual([])
        expect(yield* IndexCheck.run(bySize)).toHaveLength(1)
      })
    )

    it.effect("prints one index for a sort and its reverse", () =>
      Effect.gen(function* () {
        yield* create(Things.entities.text)
        const all = Selection.from(Things.entities.text).filter("size", "equal", 0)
        const forward = all.order("Asc", "word").order("Asc", "id")
        const backward = all.order("Desc", "word").order("Desc", "id")
        expect(yield* IndexCheck.run(forward, backward)).toEqual([
          'CREATE INDEX "things_text_size_word_id" ON "things_text" ("size", "word", "id")'
        ])
        const mixed = yield* IndexCheck.run(forward, all.order("Desc", "word").order("Asc", "id"))
        expect(mixed).toHaveLength(2)
        const sql = yield* SqlClient.SqlClient
        for (const statement of mixed) yield* sql.unsafe(statement)
      })
    )

    it.effect("warns at the start, once for each index", () =>
      Effect.gen(function* () {
        yield* create(Things.entities.text)
        const all = Selection.from(Things.entities.text)
        const lines: Array<string> = []
        const logger = Logger.make(({ logLevel, message }) => lines.push(`${logLevel.label} ${String(message)}`))
        const start = Effect.provide(
          Effect.void,
          IndexCheck.layer(all, all.order("Asc", "word"), all.order("Asc", "word"))
        )
        yield* Effect.provide(start, Logger.replace(Logger.defaultLogger, logger))
        expect(lines).toEqual([
          'WARN A list has no index. Create it: CREATE INDEX "things_text_word_id" ON "things_text" ("word", "id")'
        ])
      })
    )
  })
})
