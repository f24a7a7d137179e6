import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import { erase } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import type { Nulls } from "../../../src/pagination/internal/query/SelectionParts.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { describeDatabases, type Engine } from "../../support/Databases.ts"
import * as Serving from "../../support/Serving.ts"
import * as Things from "../../layers/pagination/Things.ts"
import * as Counted from "../../fuzz/Counted.ts"
import { escaped, get } from "./ListClient.ts"

// Types that are read as text and compared as what they are.
const foreign: Readonly<Record<Engine, Readonly<Record<string, readonly [type: string, ...values: Array<string>]>>>> = {
  SQLite: {},
  PostgreSQL: {
    mood: ["mood", "sad", "glad", "happy"],
    price: ["NUMERIC", "0.10000000000000000001", "1e100", "-7"],
    day: ["DATE", "2024-02-29", "0001-01-01", "infinity"],
    moment: ["TIMESTAMP", "2024-02-29 12:00:00.000001", "-infinity", "1999-12-31 23:59:59"],
    clock: ["TIME", "00:00:00", "23:59:59.999999", "12:30:00"],
    span: ["INTERVAL", "1 mon", "-3 days", "00:00:01"],
    address: ["INET", "10.0.0.1", "::1", "192.168.0.0/16"],
    hardware: ["MACADDR", "08:00:2b:01:02:03", "08:00:2b:01:02:04", "00:00:00:00:00:00"],
    padded: ["CHAR(4)", "a", "ab", "abcd"]
  }
}

class Lists extends Context.Tag("test/Lists")<Lists, Repository.For<Entity.Entity>>() {}

const rows = fc
  .sample(Things.things("integer", 30), { numRuns: 40, seed: 7 })
  .flat()
  .slice(0, 24)
  .map((row, index) => Object.assign({}, row, { id: Things.keyOf.integer(index) }))

const entityOn = (engine: Engine) =>
  erase(
    Entity.make("forged", {
      key: "id",
      columns: {
        id: Column.integer,
        ...Things.columns,
        ...Object.fromEntries(Object.keys(foreign[engine]).map((name) => [name, Column.text]))
      }
    })
  )

const tables = (engine: Engine) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const entity = entityOn(engine)
      yield* Things.create(Entity.make("forged", { key: "id", columns: { id: Column.integer, ...Things.columns } }))
      if (engine === "PostgreSQL") yield* sql`CREATE TYPE mood AS ENUM ('sad', 'glad', 'happy')`
      for (const [name, [type, fallback]] of Object.entries(foreign[engine])) {
        yield* sql.unsafe(`ALTER TABLE forged ADD COLUMN "${name}" ${type} NOT NULL DEFAULT '${fallback}'`)
      }
      const values = (index: number) =>
        Object.fromEntries(Object.entries(foreign[engine]).map(([name, [, ...all]]) => [name, all[index % all.length]]))
      yield* Things.insert(
        entity,
        rows.map((row, index) => ({ ...row, ...values(index) }))
      )
    }).pipe(Effect.orDie)
  )

// The columns, with nulls first and last where there are nulls.
const orderedBy = (engine: Engine) => {
  const entity = entityOn(engine)
  return entity.names.flatMap((column): ReadonlyArray<readonly [path: string, column: string, nulls?: Nulls]> =>
    entity.columns[column]?.nullable === true
      ? [
          [`${column}-first`, column, "First"],
          [`${column}-last`, column, "Last"]
        ]
      : [[column, column]]
  )
}

const routesOn = (engine: Engine) =>
  orderedBy(engine).flatMap(([path, column, nulls]) =>
    (["Asc", "Desc"] as const).flatMap((direction) =>
      [false, true].map((bidirectional) =>
        HttpLayerRouter.route(
          "GET",
          `/${bidirectional ? "both" : "by"}/${path}/${direction}`,
          Effect.flatMap(Lists, (lists) =>
            ListRoute.respond(lists, lists.select.order(direction, column, nulls), {
              bidirectional,
              rowCursors: bidirectional
            })
          )
        )
      )
    )
  )

// Values as they could stand in the JSON of a cursor, well-formed or not.
const literals = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "false",
    "0",
    "-0",
    "-1",
    "1.5",
    "1e400",
    "-1e400",
    "5e-324",
    "1e-400",
    "1E5",
    "01",
    "+1",
    "NaN",
    "2147483648",
    "-2147483649",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "1".repeat(400),
    "Infinity",
    "[]",
    "{}",
    '{"a":1}',
    "undefined",
    "[".repeat(2000) + "]".repeat(2000),
    '"',
    "'",
    "",
    " 1",
    "1 "
  ),
  fc
    .constantFrom(
      "",
      "\0",
      "a\0b",
      "\ud800",
      "\udfff",
      "\ufffd",
      "\u{10ffff}",
      "\r\n",
      "' OR 1=1 --",
      '");DROP TABLE forged;--',
      "infinity",
      "-infinity",
      "Infinity",
      "-Infinity",
      "NaN",
      "now",
      "today",
      "epoch",
      "allballs",
      "tomorrow",
      "2024-02-30T00:00:00Z",
      "9999-12-31T23:59:59.999999-14:00",
      "0001-01-01T00:00:00+14:00",
      "0000-01-01T00:00:00Z",
      "2024-02-29",
      "294277-01-01",
      "4714-01-01 BC",
      "2024-13-01",
      "5874898-01-01",
      "24:00:00",
      "25:00:00",
      "99:99",
      "12:00:00.0000001",
      "00:00:60",
      "1e999999",
      "1e131072",
      "-1e131073",
      "0x10",
      "1_000",
      "1.",
      ".5",
      "--1",
      "300.0.0.1",
      "10.0.0.1/33",
      "::1/129",
      "10.0.0.1/8",
      "fe80::1%eth0",
      "g0:00:00:00:00:00",
      "08:00:2b:01:02:03:04",
      "happy",
      "furious",
      "sad ",
      "018f3c2e-7b1a-7c3d-9e4f-00000000000G",
      "018F3C2E-7B1A-7C3D-9E4F-000000000001",
      "178000000 years",
      "-178000001 years",
      "1 fortnight",
      "P1Y",
      "x".repeat(5000),
      "9".repeat(2000)
    )
    .map((text) => JSON.stringify(text)),
  fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
  fc.double().map(String),
  fc.bigInt().map(String)
)

const valid = fc
  .constantFrom(...rows.flatMap((row) => Object.values(row)))
  .map((value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value)))

const spelled = fc
  .array(fc.oneof({ arbitrary: literals, weight: 3 }, { arbitrary: valid, weight: 1 }), { maxLength: 3 })
  .map((values) => `[${values.join(",")}]`)

const encoded = (text: string) => Buffer.from(text, "utf8").toString("base64url")

const forged = fc.oneof(
  { arbitrary: spelled.map(encoded), weight: 12 },
  // With a key that fits, so that the first value alone decides.
  { arbitrary: fc.tuple(literals, fc.integer()).map(([value, id]) => encoded(`[${value},${id}]`)), weight: 12 },
  { arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64url")), weight: 2 },
  { arbitrary: fc.string({ unit: "binary" }), weight: 1 },
  {
    arbitrary: fc
      .tuple(spelled, fc.nat(), fc.constantFrom("A", "_", "-", "=", "", "%", "AA"))
      .map(([text, at, change]) => {
        const token = encoded(text)
        return token.slice(0, at % (token.length + 1)) + change + token.slice((at % (token.length + 1)) + 1)
      }),
    weight: 3
  }
)

describeDatabases("A list over HTTP", (database) => {
  const entity = entityOn(database.name)
  const served = Serving.layer(routesOn(database.name)).pipe(
    Layer.provideMerge(Layer.effect(Lists, SqlRepository.make(entity, {}))),
    Layer.provideMerge(tables(database.name)),
    Layer.provideMerge(database.layerEmpty)
  )
  layer(served, { excludeTestServices: true })((it) => {
    it.effect("is read in full by every column in both directions, from one cursor to the next", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        for (const [column] of orderedBy(database.name)) {
          for (const direction of ["Asc", "Desc"]) {
            const seen = new Set<unknown>()
            let next: string | null = ""
            while (next !== null) {
              const { body, status } = yield* get(`${url}/by/${column}/${direction}?limit=5&cursor=${escaped(next)}`)
              expect([column, direction, status]).toEqual([column, direction, 200])
              const page = JSON.parse(body) as { items: ReadonlyArray<{ id: number }>; next: string | null }
              for (const { id } of page.items) seen.add(id)
              next = page.next
            }
            expect([column, direction, seen.size]).toEqual([column, direction, rows.length])
          }
        }
      })
    )

    it.effect("is read in full from its end, from one cursor to the one before", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        for (const [column] of orderedBy(database.name)) {
          const forth = yield* get(`${url}/both/${column}/Asc?limit=100&cursor=`)
          const seen: Array<unknown> = []
          let previous: string | null = ""
          while (previous !== null) {
            const { body, status } = yield* get(`${url}/both/${column}/Asc?limit=7&before=${escaped(previous)}`)
            expect([column, status]).toEqual([column, 200])
            const page = JSON.parse(body) as { items: ReadonlyArray<unknown>; previous: string | null }
            seen.unshift(...page.items)
            previous = page.previous
          }
          expect([column, seen]).toEqual([column, (JSON.parse(forth.body) as { items: unknown }).items])
        }
      })
    )

    it.effect(
      "responds to thousands of forged cursors with 200 or 400, by a column of any type",
      () =>
        Effect.gen(function* () {
          const { url } = yield* ServerAddress
          const columns = orderedBy(database.name).map(([path]) => path)
          const counts: Record<number, number> = {}
          const cursors = fc.sample(forged, { numRuns: 2500 })
          const ask = Effect.fnUntraced(function* (cursor: string, index: number) {
            const column = columns[index % columns.length]
            const direction = Math.floor(index / columns.length) % 2 === 0 ? "Asc" : "Desc"
            const path = ["by/", "both/"][index % 2]
            const name = index % 4 === 3 ? "before" : "cursor"
            const { body, status } = yield* get(`${url}/${path}${column}/${direction}?${name}=${escaped(cursor)}`)
            counts[status] = (counts[status] ?? 0) + 1
            const isRight = status === 200 || (status === 400 && body.startsWith('{"error":"The cursor is not valid: '))
            if (!isRight) expect([column, cursor, status, body]).toEqual([column, cursor, 400, "an invalid cursor"])
          })
          yield* Effect.forEach(cursors, ask, { concurrency: 8, discard: true })
          Counted.add("forged cursors", cursors.length)
          expect(Object.keys(counts)).toEqual(["200", "400"])
          expect(counts[200]).toBeGreaterThan(50)
        }),
      300_000
    )
  })
})

const Essay = Entity.make("essays", { key: "id", columns: { id: Column.integer, title: Column.text } })
class Essays extends Context.Tag("test/Essays")<Essays, Repository.For<typeof Essay>>() {}

describeDatabases("A list with long values", (database) => {
  const titles = ["a".repeat(10), "b".repeat(2500), "c".repeat(9000), "d".repeat(100_000), "e"]
  const ready = Layer.effectDiscard(
    Effect.zipRight(
      Things.create(Essay),
      Things.insert(
        Essay,
        titles.map((title, id) => ({ id, title }))
      )
    )
  )
  const essays = HttpLayerRouter.route(
    "GET",
    "/essays",
    Effect.flatMap(Essays, (list) => ListRoute.respond(list, list.select.order("Asc", "title")))
  )
  const served = Serving.layer([essays]).pipe(
    Layer.provideMerge(SqlRepository.layer(Essays, Essay)),
    Layer.provideMerge(ready),
    Layer.provideMerge(database.layerEmpty)
  )
  layer(served, { excludeTestServices: true })((it) => {
    it.effect("sends no Link header that a client would refuse; the body keeps the cursor", () =>
      Effect.gen(function* () {
        const { url } = yield* ServerAddress
        for (const limit of [1, 2, 3, 4]) {
          const { body, link, status } = yield* get(`${url}/essays?limit=${limit}&cursor=`)
          const { next } = JSON.parse(body) as { next: string }
          expect(status).toBe(200)
          expect(next.length).toBeGreaterThan((titles[limit - 1] ?? "").length)
          expect(link === undefined).toBe(limit > 2)
          expect(link?.length ?? 0).toBeLessThanOrEqual(4096)
        }
        const long = yield* get(`${url}/essays?limit=1&page=2&tag=${"x".repeat(3000)}`)
        expect([long.status, long.link]).toEqual([200, undefined])
        const short = yield* get(`${url}/essays?limit=1&page=2&tag=${"x".repeat(100)}`)
        expect(short.link).toContain('rel="next"')
      })
    )
  })
})
