// A list of an `HttpApi`, over real sockets, with the client that Effect derives from it.
import { FetchHttpClient, HttpApi, HttpApiBuilder, HttpApiClient, HttpApiGroup } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Chunk, Context, Effect, Either, FastCheck as fc, Layer, Stream } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as ListEndpoint from "../../../routes/pagination/ListEndpoint.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as ListQuery from "../../../src/pagination/ListQuery.ts"
import * as ListClient from "../../../src/pagination/ListClient.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Cup = Entity.make("cups", {
  key: "id",
  columns: { id: Column.integer, stars: Column.integer, big: Column.bigint, name: Column.text }
})
const parameters = ListQuery.make(Cup, {
  sort: ["-stars", "id"],
  filters: { min: { column: "stars", operator: "greaterOrEqual" } },
  search: { columns: ["name"] }
})
const cups = ListEndpoint.make("list", "/cups", { item: Cup.schema, parameters, bidirectional: true })
const Api = HttpApi.make("cups").add(HttpApiGroup.make("cups").add(cups.endpoint)).prefix("/api")

class Cups extends Context.Tag("test/Cups")<Cups, Repository.For<typeof Cup>>() {}

const handlers = HttpApiBuilder.group(Api, "cups", (all) =>
  all.handle("list", ({ request }) => Effect.flatMap(Cups, (list) => cups.respond(list, request)))
)

const total = 1000
const row = (id: number) => ({ id, stars: (id * 7) % 13, big: 9_007_199_254_740_993n + BigInt(id), name: `cup ${id}` })
const rows = Array.from({ length: total }, (_, index) => row(index + 1))
const byStars = rows.toSorted((one, other) => other.stars - one.stars || other.id - one.id)

const table = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE cups (id INTEGER PRIMARY KEY, stars INTEGER NOT NULL, big BIGINT NOT NULL, name TEXT NOT NULL)`
    yield* sql`CREATE INDEX cups_stars ON cups (stars, id)`
    const inserted = rows.map((one) => ({ ...one, big: one.big.toString() }))
    for (const part of [inserted.slice(0, 500), inserted.slice(500)]) yield* sql`INSERT INTO cups ${sql.insert(part)}`
  })
)

const client = Effect.flatMap(ServerAddress, ({ url }) => HttpApiClient.make(Api, { baseUrl: url })).pipe(
  Effect.provide(FetchHttpClient.layer)
)

const all = <A, E>(stream: Stream.Stream<A, E>) => Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

describeDatabases("A list of an API", (database) => {
  const services = ApiHandlers.layer(Api).pipe(
    Layer.provide(handlers),
    Layer.provide(SqlRepository.layer(Cups, Cup)),
    Layer.provide(table)
  )
  const server = TestApp.layerOf(Pipeline.app(Pipeline.api(Api)), {
    environment: "production",
    database: database.layer,
    services
  })

  layer(server)((it) => {
    it.effect("is walked by the derived client, forward and backward, every row once and in order", () =>
      Effect.gen(function* () {
        const api = yield* client
        const read = (urlParams: ListEndpoint.Query<"min" | "q">) => api.cups.list({ urlParams })
        expect(yield* all(ListClient.stream(read))).toEqual(byStars)
        expect(yield* all(ListClient.stream(read, { backward: true }))).toEqual(byStars.toReversed())
        const chosen = ListClient.stream((position) => read({ ...position, sort: "id", min: "11" }), { limit: 7 })
        expect(yield* all(chosen)).toEqual(rows.filter(({ stars }) => stars >= 11))
      })
    )

    it.effect.prop(
      "goes on where a walk has stopped, in either direction",
      {
        limit: fc.integer({ min: 5, max: 100 }),
        parts: fc.integer({ min: 1, max: 6 }),
        sort: fc.constantFrom(...parameters.sorts),
        backward: fc.boolean()
      },
      ({ backward, limit, parts, sort }) =>
        Effect.gen(function* () {
          const api = yield* client
          const read = (position: ListEndpoint.Query<never>) => api.cups.list({ urlParams: { ...position, sort } })
          const done = yield* all(Stream.take(ListClient.pages(read, { limit, backward }), parts))
          const kept = done.at(-1)?.next
          const rest = typeof kept === "string" ? yield* all(ListClient.stream(read, { cursor: kept, backward })) : []
          const ids = [...done.flatMap(({ items }) => items), ...rest].map(({ id }) => id)
          const key = (one: (typeof rows)[number]) => (sort.includes("stars") ? one.stars : 0)
          const forward = rows.toSorted((one, other) => key(one) - key(other) || one.id - other.id)
          const ordered = sort.startsWith("-") ? forward.toReversed() : forward
          expect(ids).toEqual((backward ? ordered.toReversed() : ordered).map(({ id }) => id))
        }),
      { fastCheck: { numRuns: 6 } }
    )

    it.effect("has pages with a total, links that keep the parameters, and no Vary by a format it does not have", () =>
      Effect.gen(function* () {
        const api = yield* client
        const [page, response] = yield* api.cups.list({
          urlParams: { page: 2, limit: 3, min: "12", sort: "id" },
          withResponse: true
        })
        const found = rows.filter(({ stars }) => stars >= 12)
        expect(page).toEqual({
          items: found.slice(3, 6),
          page: 2,
          pages: Math.ceil(found.length / 3),
          limit: 3,
          total: found.length
        })
        expect(response.headers["x-total-count"]).toBe(String(found.length))
        expect(response.headers["link"]).toMatch(
          /^<\/api\/cups\?(?:min=12&sort=id|sort=id&min=12)&limit=3&page=3>; rel="next", <.*page=1>; rel="prev"$/
        )
        expect(response.headers["content-type"]).toContain("application/json")
        expect(response.headers["vary"] ?? "").not.toContain("Accept,")
        expect((yield* api.cups.list({ urlParams: { limit: 1_000_000 } })).items).toHaveLength(100)
      })
    )

    it.effect("refuses forged cursors and other parameters with failures that the client knows", () =>
      Effect.gen(function* () {
        const api = yield* client
        const refused = (urlParams: ListEndpoint.Query<"min" | "q">) =>
          Effect.map(Effect.either(api.cups.list({ urlParams })), (outcome) =>
            Either.isLeft(outcome) ? outcome.left._tag : "accepted"
          )
        const { next = "" } = { ...(yield* api.cups.list({ urlParams: { cursor: "", limit: 2 } })) } as {
          readonly next?: string
        }
        const values = (...given: ReadonlyArray<unknown>) => Buffer.from(JSON.stringify(given)).toString("base64url")
        const forged = [
          "!",
          "WzFd",
          values("x", 1),
          values(1.5, 2),
          values({}, 1),
          `${next}=`,
          next.slice(1),
          "\0",
          "é"
        ]
        for (const cursor of forged) {
          expect([cursor, yield* refused({ cursor })]).toEqual([cursor, "InvalidCursor"])
          expect([cursor, yield* refused({ before: cursor })]).toEqual([cursor, "InvalidCursor"])
        }
        expect(yield* refused({ cursor: next, sort: "id" })).toBe("InvalidCursor")
        expect(yield* refused({ cursor: "", before: "" })).toBe("InvalidPagination")
        expect(yield* refused({ sort: "name" })).toBe("InvalidParameter")
        expect(yield* refused({ min: "many" })).toBe("InvalidParameter")
        expect(yield* refused({ q: "x".repeat(101) })).toBe("InvalidParameter")
        const failure = yield* Effect.flip(api.cups.list({ urlParams: { min: "many" } }))
        expect(failure).toMatchObject({ parameter: "min", problem: "value", expected: "a whole number" })
      })
    )

    it.effect("takes a parameter once, and what is no number of rows for none", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.request("/api/cups?limit=1&limit=2")).status).toBe(400)
        for (const query of ["limit=-1", "limit=1e3", "page=0", "page=x", "limit=", "limit=9".padEnd(400, "9")]) {
          expect((yield* guest.request(`/api/cups?${query}`)).status).toBe(200)
        }
      })
    )
  })
})
