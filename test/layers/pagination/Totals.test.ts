import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Either, FastCheck as fc, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Links from "../../../src/pagination/Links.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { spied, statementsOf } from "./Spy.ts"
import * as Things from "./Things.ts"
import { offset, pageCount } from "../../../layers/pagination/internal/Totals.ts"

const Dots = Entity.make("dots", { key: "id", columns: { id: Column.integer, size: Column.integer } })

const page = (options: Pagination.PageOptions) => Either.getOrThrow(Pagination.make(options))

describeDatabases("The total of a list", (database) => {
  const isPg = database.name === "PostgreSQL"
  const tables = Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Things.create(Dots)
      yield* sql.onDialectOrElse({
        pg: () => sql`INSERT INTO dots SELECT n, n % 10 FROM generate_series(1, 30000) n`,
        orElse: () => sql`INSERT INTO dots
          WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30000)
          SELECT n, n % 10 FROM numbers`
      })
      yield* sql`ANALYZE dots`
    })
  ).pipe(Layer.provideMerge(spied(database.layerEmpty)))

  layer(tables)((it) => {
    it.effect.prop(
      "is exact up to its cap, the cap beyond, and says either way whether another page follows",
      {
        rows: fc.integer({ min: 0, max: 40 }),
        limit: fc.integer({ min: 1, max: 12 }),
        number: fc.integer({ min: 1, max: 8 }),
        totalCap: fc.integer({ min: 1, max: 30 }),
        counting: fc.constantFrom<Pagination.Counting>("exact", "capped", "estimated", "none")
      },
      ({ counting, limit, number, rows, totalCap }) =>
        Effect.gen(function* () {
          const dots = yield* SqlRepository.make(Dots)
          const selection = dots.select.filter("id", "lessOrEqual", rows)
          const { items, pagination } = yield* dots.paginate(
            selection,
            page({ page: number, limit, counting, totalCap })
          )
          const ids = Array.from({ length: rows }, (_, index) => index + 1)
          expect(items.map(({ id }) => id)).toEqual(ids.slice((number - 1) * limit, number * limit))
          const follows = number * limit < rows
          const { next, prev } = Links.adjacent(Links.parse("/dots"), pagination)
          expect(next).toBe(follows ? `/dots?limit=${limit}&page=${number + 1}` : undefined)
          if (number > 1 && items.length > 0) expect(prev).toBe(`/dots?limit=${limit}&page=${number - 1}`)
          const { accuracy, more, pages, total } = pagination
          if (counting === "none") expect([total, pages, accuracy, more]).toEqual([null, null, null, follows])
          else if (counting === "exact" || rows <= totalCap) {
            expect([total, pages, accuracy]).toEqual([rows, Math.ceil(rows / limit), "exact"])
          } else if (accuracy === "atLeast") expect([total, pages]).toEqual([totalCap, Math.ceil(totalCap / limit)])
          else
            expect([isPg, counting, accuracy, Number(total) > totalCap]).toEqual([true, "estimated", "estimated", true])
        }),
      { fastCheck: { numRuns: 100 } }
    )

    it.effect(
      "is estimated by the statistics of PostgreSQL, with and without filters; SQLite counts up to the cap",
      () =>
        Effect.gen(function* () {
          const dots = yield* SqlRepository.make(Dots)
          const read = (selection: typeof dots.select) =>
            Effect.map(
              statementsOf(dots.paginate(selection, page({ page: 1, counting: "estimated", totalCap: 1000 }))),
              ([{ pagination }, statements]) => ({
                ...pagination,
                counts: statements.filter((s) => s.includes("COUNT("))
              })
            )
          const all = yield* read(dots.select)
          const tenth = yield* read(dots.select.filter("size", "equal", 3))
          if (!isPg) {
            for (const { accuracy, total } of [all, tenth]) expect([total, accuracy]).toEqual([1000, "atLeast"])
            return
          }
          expect([all.accuracy, all.counts, tenth.accuracy, tenth.counts]).toEqual(["estimated", [], "estimated", []])
          expect(Math.abs(Number(all.total) - 30_000)).toBeLessThan(3000)
          expect(Math.abs(Number(tenth.total) - 3000)).toBeLessThan(1000)
          const few = yield* read(dots.select.filter("id", "less", 8))
          expect([few.total, few.accuracy, few.counts.length]).toEqual([7, "exact", 1])
        })
    )

    it.effect("costs no count of the whole table unless it is exact", () =>
      Effect.gen(function* () {
        const dots = yield* SqlRepository.make(Dots, {}, { cacheBytes: 0 })
        const texts = (counting: Pagination.Counting) =>
          Effect.map(statementsOf(dots.paginate(dots.select, page({ page: 1, counting }))), ([, statements]) =>
            statements.filter((text) => text.includes("COUNT("))
          )
        expect(yield* texts("none")).toEqual([])
        const [capped = ""] = yield* texts("capped")
        expect(capped).toMatch(/FROM \(SELECT 1 FROM "dots" LIMIT (\?|\$1::bigint)\)/)
        expect(yield* texts("exact")).toHaveLength(1)
      })
    )
  })
})

const made = (options: Pagination.PageOptions) => Either.getOrThrow(Pagination.make(options))

describe("PageBounds", () => {
  it.prop(
    "has as many pages as hold the rows, 0 for none",
    [fc.nat(10_000), fc.integer({ min: 1, max: 100 })],
    ([total, limit]) => {
      const pages = pageCount(total, limit)
      expect(pages * limit).toBeGreaterThanOrEqual(total)
      expect((pages - 1) * limit).toBeLessThan(Math.max(total, 1))
      expect(pages === 0).toBe(total === 0)
    }
  )

  it("never uses an offset that the database cannot accept", () => {
    expect(offset(made({ page: Number.MAX_SAFE_INTEGER, limit: 100 }))).toBe(Number.MAX_SAFE_INTEGER)
    expect(offset(made({ page: 3, limit: 100 }))).toBe(200)
  })
})
