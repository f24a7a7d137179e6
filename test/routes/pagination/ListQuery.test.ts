import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer } from "effect"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import type { Operator } from "../../../src/pagination/internal/parameters/ParameterFilter.ts"
import * as Relation from "../../../src/pagination/Relation.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as Serving from "../../support/Serving.ts"
import * as Things from "../../layers/pagination/Things.ts"

const entity = erase(Things.entities.integer)
const rows = fc
  .sample(Things.things("integer", 30), { numRuns: 40, seed: 11 })
  .flat()
  .slice(0, 24)
  .map((row, index) => Object.assign({}, row, { id: Things.keyOf.integer(index) }))

const operators: ReadonlyArray<Operator> = ["equal", "unequal", "less", "greaterOrEqual", "in", "between", "isNull"]
const filters = Object.fromEntries([
  ...entity.names.flatMap((column) => operators.map((operator) => [`${column}_${operator}`, { column, operator }])),
  ...["word", "note"].flatMap((column) => [
    [`${column}_contains`, { column, operator: "contains" }],
    [`${column}_startsWith`, { column, operator: "startsWith" }]
  ])
])
const parameters = ListQuery.make(entity, {
  sort: ["id", ...entity.names.slice(1), ["-rank", "word"], ["size", "-cost", "due"], ["-parent", "word"]],
  related: { parent: { relation: Relation.one(entity, "rank"), column: "wide" } },
  filters,
  search: { columns: ["word", "note"] }
})
const names = parameters.openApi.map(({ name }) => name)

class List extends Context.Tag("test/List")<List, Repository.For<typeof entity>>() {}

const route = HttpLayerRouter.route(
  "GET",
  "/things",
  Effect.flatMap(List, (list) => ListRoute.respond(list, list.select, { parameters, bidirectional: true }))
)

interface Answer {
  readonly status: number
  readonly body: string
  readonly link: string
}

const get = (url: string): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetch(url)
    return { status: response.status, body: await response.text(), link: response.headers.get("link") ?? "" }
  })

interface Body {
  readonly items: ReadonlyArray<{ readonly id: number; readonly size: number; readonly rank: number | null }>
  readonly next?: string | null
}

const text = fc.oneof(
  fc.constantFrom(
    "",
    "0",
    "-1",
    "1e999",
    "NaN",
    "Infinity",
    "-infinity",
    "null",
    "true",
    "false",
    "%",
    "%zz",
    "%00",
    "%C0%80"
  ),
  fc.constantFrom(
    "2024-02-29",
    "2024-02-30",
    "0000-01-01",
    "9999-12-31T23:59:59.999999-14:00",
    "24:00:00",
    "A",
    "[]",
    "a,b"
  ),
  fc.constantFrom(
    "0x10",
    "1,2",
    "1,2,3",
    ",",
    "true,false",
    "99999999999999999999",
    "9".repeat(3000),
    "a".repeat(3000)
  ),
  fc.constantFrom(...rows.flatMap((row) => Object.values(row))).map(String),
  fc.constantFrom(...parameters.sorts),
  fc.string({ unit: "binary" }).map((value) => value.replace(/\p{Surrogate}/gu, "")),
  fc.double().map(String),
  fc.bigInt().map(String)
)
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        { arbitrary: fc.constantFrom(...names), weight: 8 },
        {
          arbitrary: fc.constantFrom("cursor", "before", "page", "limit", "__proto__", "constructor", "sort[]", ""),
          weight: 1
        }
      ),
      text,
      fc.boolean()
    ),
    { minLength: 1, maxLength: 4 }
  )
  .map((all) =>
    all
      .map(
        ([name, value, raw]) => `${name}=${raw ? encodeURI(value).replaceAll("#", "%23") : encodeURIComponent(value)}`
      )
      .join("&")
  )

describeDatabases("A list with parameters over HTTP", (database) => {
  const ready = Layer.effectDiscard(Things.fresh(entity, rows))
  const served = Serving.layer([route]).pipe(
    Layer.provideMerge(Layer.effect(List, SqlRepository.make(entity))),
    Layer.provideMerge(ready),
    Layer.provideMerge(database.layerEmpty)
  )
  layer(served, { excludeTestServices: true })((it) => {
    it.effect("responds to hostile query strings with 200 or 400", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const counts: Record<number, number> = {}
        const ask = Effect.fnUntraced(function* (asked: string) {
          const { body, status } = yield* get(`${url}/things?${asked}`)
          counts[status] = (counts[status] ?? 0) + 1
          if (status !== 200 && status !== 400) expect([asked, status, body]).toEqual([asked, 400, "a refusal"])
        })
        yield* Effect.forEach(fc.sample(query, { numRuns: 800 }), ask, {
          concurrency: 8,
          discard: true
        })
        expect(Object.keys(counts)).toEqual(["200", "400"])
        // One in twenty at least is a list, or the queries would be refused for one and the same reason.
        expect(counts[200]).toBeGreaterThan(40)
      })
    )

    it.effect("walks every sort through its links, forward and backward, with the same filters", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const expected = rows.filter(({ rank, size }) => Number(size) >= 0 && rank !== null).map(({ id }) => id)
        for (const sort of parameters.sorts) {
          const seen: Array<number> = []
          let path: string | undefined = `/things?size_greaterOrEqual=0&rank_isNull=false&sort=${sort}&limit=3&cursor=`
          let previous = ""
          while (path !== undefined) {
            const { body, link, status }: Answer = yield* get(`${url}${path}`)
            expect([sort, status]).toEqual([sort, 200])
            seen.push(...(JSON.parse(body) as Body).items.map(({ id }) => id))
            previous = /<([^>]+)>; rel="prev"/.exec(link)?.[1] ?? previous
            path = /<([^>]+)>; rel="next"/.exec(link)?.[1]
          }
          expect([sort, [...seen].sort((a, b) => a - b)]).toEqual([sort, expected])
          const reverse = (JSON.parse((yield* get(`${url}${previous}`)).body) as Body).items.map(({ id }) => id)
          const at = seen.indexOf(reverse[0] ?? NaN)
          expect([sort, reverse]).toEqual([sort, seen.slice(at, at + reverse.length)])
        }
      })
    )

    it.effect("keeps the parameters in the links of pages", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const { link } = yield* get(`${url}/things?sort=-word&size_greaterOrEqual=-1&page=2&limit=2`)
        expect(link).toContain("</things?sort=-word&size_greaterOrEqual=-1&limit=2&page=3>")
        expect(link).toContain("</things?sort=-word&size_greaterOrEqual=-1&limit=2&page=1>")
      })
    )

    it.effect("names the parameter that it refuses", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const refused = yield* get(`${url}/things?size_equal=many`)
        expect([refused.status, JSON.parse(refused.body)]).toEqual([
          400,
          { error: 'The parameter "size_equal" must be a whole number.', fields: { size_equal: "a whole number" } }
        ])
      })
    )

    it.effect("prints the index that each sort needs, one for both of its directions", () =>
      Effect.gen(function* () {
        const missing = yield* IndexCheck.run(...parameters.lists())
        expect(missing).toHaveLength(parameters.sorts.length / 2 - 1)
      })
    )
  })
})
