import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, FastCheck as fc, Layer, Schema } from "effect"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as PageParameters from "../../../routes/pagination/internal/PageParameters.ts"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import * as ListBody from "../../../src/pagination/ListBody.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import * as Links from "../../../src/pagination/Links.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import { sqlite } from "../../support/Databases.ts"
import { spied, type Spy, statementsOf } from "../../layers/pagination/Spy.ts"
import * as Things from "../../layers/pagination/Things.ts"

const Coin = Entity.make("coins", {
  key: "id",
  columns: { id: Column.integer, name: Column.text, worth: Column.bigint }
})
class Coins extends Context.Tag("test/Coins")<Coins, Repository.For<typeof Coin>>() {}

const rows = Array.from({ length: 25 }, (_, index) => ({
  id: index + 1,
  name: `<coin> & ${index + 1}`,
  worth: 2n ** 60n
}))

const tables = Layer.effectDiscard(Effect.zipRight(Things.create(Coin), Things.insert(Coin, rows)))
const database = SqlRepository.layer(Coins, Coin).pipe(
  Layer.provideMerge(tables),
  Layer.provideMerge(spied(sqlite.layerEmpty))
)

const routes = HttpLayerRouter.addAll([
  HttpLayerRouter.route(
    "GET",
    "/coins",
    Effect.flatMap(Coins, (coins) => ListRoute.respond(coins))
  ),
  HttpLayerRouter.route(
    "GET",
    "/few",
    Effect.flatMap(Coins, (coins) =>
      ListRoute.respond(coins, coins.select.order("Desc", "id"), {
        limit: 2,
        maxLimit: 3,
        scope: (all) => all.filter("id", "less", 5)
      })
    )
  ),
  ...(["capped", "estimated", "none"] as const).map((counting) =>
    HttpLayerRouter.route(
      "GET",
      `/${counting}`,
      Effect.flatMap(Coins, (coins) => ListRoute.respond(coins, coins.select, { counting, totalCap: 20 }))
    )
  ),
  HttpLayerRouter.route(
    "GET",
    "/both",
    Effect.flatMap(Coins, (coins) =>
      ListRoute.respond(coins, coins.select.order("Desc", "id"), { bidirectional: true, rowCursors: true })
    )
  )
])

type Get = (url: string, init?: RequestInit) => Effect.Effect<Response>

/** The routes behind the stock router, without a socket. */
const served = <A, E>(use: (get: Get) => Effect.Effect<A, E, Spy>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Coins>()
    const { dispose, handler } = HttpLayerRouter.toWebHandler(routes, { disableLogger: true })
    const get: Get = (url, init) => Effect.promise(() => handler(new Request(`http://localhost${url}`, init), context))
    return yield* Effect.ensuring(use(get), Effect.promise(dispose))
  }).pipe(Effect.provide(database))

const json = (response: Response) =>
  Effect.promise(() => response.json().then((body) => body as Readonly<Record<string, unknown>>))
const text = (response: Response) => Effect.promise(() => response.text())

const Item = Coin.schema
const decodePage = Schema.decodeUnknown(ListBody.Page(Item))
const decodeBoth = Schema.decodeUnknown(ListBody.BidirectionalPage(Item))
const decodeWalk = Schema.decodeUnknown(ListBody.CursorPage(Item))

describe("ListRoute", () => {
  it.effect("sends the total only where it is exact, and links by what follows where it is not", () =>
    served((get) =>
      Effect.gen(function* () {
        for (const counting of ["capped", "estimated"]) {
          const response = yield* get(`/${counting}?limit=10&page=2`)
          const page = yield* decodePage(yield* json(response))
          expect(page).toMatchObject({ total: 20, pages: 2, accuracy: "atLeast" })
          expect(response.headers.get("x-total-count")).toBeNull()
          expect(response.headers.get("link")).toBe(
            `</${counting}?limit=10&page=3>; rel="next", </${counting}?limit=10&page=1>; rel="prev"`
          )
        }
        const none = yield* get("/none?limit=10&page=3")
        const page = yield* Schema.decodeUnknown(ListBody.UncountedPage(Item))(yield* json(none))
        expect([page.items.length, page.more]).toEqual([5, false])
        expect(none.headers.get("link")).toBe('</none?limit=10&page=2>; rel="prev"')
        expect(none.headers.get("x-total-count")).toBeNull()
      })
    )
  )

  it.effect("leads back and forth through a list that is read in both directions", () =>
    served((get) =>
      Effect.gen(function* () {
        const second = yield* get("/both?tag=a%20b&limit=10&cursor=WzE2XQ")
        const page = yield* json(second)
        expect(Object.keys(page)).toEqual(["items", "limit", "next", "previous", "cursors"])
        expect(page).toMatchObject({ next: "WzZd", previous: "WzE1XQ", limit: 10 })
        expect(page["cursors"]).toHaveLength(10)
        expect(second.headers.get("link")).toBe(
          '</both?tag=a%20b&limit=10&cursor=WzZd>; rel="next", </both?tag=a%20b&limit=10&before=WzE1XQ>; rel="prev"'
        )
        const back = yield* get("/both?limit=10&tag=a%20b&before=WzE1XQ")
        const first = yield* decodeBoth(yield* json(back))
        expect(first.items.map((coin) => coin.id)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16])
        expect([first.previous, first.next]).toEqual([null, "WzE2XQ"])
        expect(back.headers.get("link")).toBe('</both?tag=a%20b&limit=10&cursor=WzE2XQ>; rel="next"')
        const last = yield* decodeBoth(yield* json(yield* get("/both?limit=2&before=")))
        expect(last.items.map((coin) => coin.id)).toEqual([2, 1])
        expect([last.previous, last.next]).toEqual(["WzJd", null])
      })
    )
  )

  it.effect("refuses both directions at once and a malformed cursor in either, and takes `before` over a page", () =>
    served((get) =>
      Effect.gen(function* () {
        for (const query of ["cursor=&before=", "before=oops", "before=WzE2XQ&cursor=WzE2XQ", "before=W251bGxd"]) {
          const response = yield* get(`/both?${query}`)
          expect([query, response.status]).toEqual([query, 400])
          expect(Object.keys(yield* json(response))).toEqual(["error"])
        }
        const page = yield* json(yield* get("/both?page=2&before="))
        expect(page).toMatchObject({ previous: "WzEwXQ", next: null })
        expect(Object.keys(yield* json(yield* get("/both?page=2")))).toEqual([
          "items",
          "page",
          "pages",
          "limit",
          "total"
        ])
      })
    )
  )

  it.effect("treats `before` like any other parameter where a list is read in one direction", () =>
    served((get) =>
      Effect.gen(function* () {
        const response = yield* get("/coins?before=2024&limit=10&cursor=WzJd")
        expect(Object.keys(yield* json(response))).toEqual(["items", "limit", "next"])
        expect(response.headers.get("link")).toBe('</coins?before=2024&limit=10&cursor=WzEyXQ>; rel="next"')
      })
    )
  )

  it.effect("responds with a page, its total and links to its neighbours", () =>
    served((get) =>
      Effect.gen(function* () {
        const response = yield* get("/coins?limit=10&page=2&tag=a%20b")
        expect(response.status).toBe(200)
        expect(response.headers.get("content-type")).toBe("application/json")
        expect(response.headers.get("x-total-count")).toBe("25")
        expect(response.headers.get("vary")).toBe("Accept")
        expect(response.headers.get("link")).toBe(
          '</coins?tag=a%20b&limit=10&page=3>; rel="next", </coins?tag=a%20b&limit=10&page=1>; rel="prev"'
        )
        const body = yield* json(response)
        expect(Object.keys(body)).toEqual(["items", "page", "pages", "limit", "total"])
        expect(body).toMatchObject({ page: 2, pages: 3, limit: 10, total: 25 })
        const page = yield* decodePage(body)
        expect(page.items).toEqual(rows.slice(10, 20))
      })
    )
  )

  it.effect("has no total and no link back in cursor mode", () =>
    served((get) =>
      Effect.gen(function* () {
        const first = yield* get("/coins?cursor=&limit=20")
        expect(first.headers.get("x-total-count")).toBeNull()
        const body = yield* json(first)
        expect(Object.keys(body)).toEqual(["items", "limit", "next"])
        const start = yield* decodeWalk(body)
        expect(start.next).toBe("WzIwXQ")
        expect(first.headers.get("link")).toBe('</coins?limit=20&cursor=WzIwXQ>; rel="next"')
        const last = yield* get(`/coins?limit=20&cursor=${start.next}`)
        expect(last.headers.get("link")).toBeNull()
        const end = yield* decodeWalk(yield* json(last))
        expect(end).toMatchObject({ limit: 20, next: null })
        expect([...start.items, ...end.items]).toEqual(rows)
      })
    )
  )

  it.effect("lets a cursor win over a page", () =>
    served((get) =>
      Effect.gen(function* () {
        const body = yield* json(yield* get("/coins?page=2&cursor="))
        expect(body).toMatchObject({ limit: 10, next: "WzEwXQ" })
        expect(body).not.toHaveProperty("page")
      })
    )
  )

  it.effect("gives no items past the end, and links back to the last page that has rows", () =>
    served((get) =>
      Effect.gen(function* () {
        for (const page of ["99", "9007199254740991", "99999999999999999999999"]) {
          const response = yield* get(`/coins?page=${page}`)
          expect(response.headers.get("link")).toBe('</coins?limit=10&page=3>; rel="prev"')
          expect(yield* json(response)).toMatchObject({ items: [], pages: 3, total: 25 })
        }
      })
    )
  )

  it.effect("refuses an invalid cursor with 400 and a message, before any query", () =>
    served((get) =>
      Effect.gen(function* () {
        for (const cursor of ["%F0%28", "WzIwXQ=", "WyJhIl0", "W251bGxd", "WzEsMl0", "%00", "+"]) {
          const [response, statements] = yield* statementsOf(get(`/coins?cursor=${cursor}`))
          expect(response.status).toBe(400)
          expect(response.headers.get("content-type")).toBe("application/json")
          const body = yield* json(response)
          expect(Object.keys(body)).toEqual(["error"])
          expect(body["error"]).toMatch(/^The cursor is not valid: /)
          expect(statements).toEqual([])
        }
      })
    )
  )

  it.effect.prop(
    "responds to any query with 200 or 400",
    { query: fc.webQueryParameters(), cursor: fc.string({ unit: "binary" }) },
    ({ cursor, query }) =>
      served((get) =>
        Effect.gen(function* () {
          for (const url of [
            `/coins?${query}`,
            `/coins?cursor=${encodeURIComponent(cursor.replace(/\p{Surrogate}/gu, ""))}`
          ]) {
            expect([200, 400]).toContain((yield* get(url)).status)
          }
        })
      ),
    { fastCheck: { numRuns: 25 } }
  )

  it.effect("responds with XML when the client prefers it, also to an invalid request", () =>
    served((get) =>
      Effect.gen(function* () {
        const response = yield* get("/coins?limit=1", { headers: { accept: "application/xml" } })
        expect(response.headers.get("content-type")).toBe("application/xml; charset=utf-8")
        expect(response.headers.get("x-total-count")).toBe("25")
        expect(yield* text(response)).toBe(
          '<?xml version="1.0" encoding="UTF-8"?>\n<response><items><item><id>1</id><name>&lt;coin&gt; &amp; 1</name>' +
            "<worth>1152921504606846976</worth></item></items><page>1</page><pages>25</pages><limit>1</limit><total>25</total></response>\n"
        )
        const walk = yield* get("/few?cursor=&limit=3", { headers: { accept: "text/xml" } })
        expect(yield* text(walk)).toContain("<limit>3</limit><next>WzJd</next>")
        const end = yield* get("/few?cursor=WzJd&limit=3", { headers: { accept: "text/xml" } })
        expect(yield* text(end)).toContain('<next nil="true"/>')
        const refused = yield* get("/coins?cursor=!", { headers: { accept: "text/xml" } })
        expect(refused.status).toBe(400)
        expect(yield* text(refused)).toContain("<error>The cursor is not valid: ")
      })
    )
  )

  it.effect("responds with 406 before any query when the client accepts no format", () =>
    served((get) =>
      Effect.gen(function* () {
        const [response, statements] = yield* statementsOf(get("/coins", { headers: { accept: "image/png" } }))
        expect(response.status).toBe(406)
        expect(response.headers.get("vary")).toBe("Accept")
        expect(yield* json(response)).toEqual({
          error: "This list is available as application/json, application/xml, text/xml."
        })
        expect(statements).toEqual([])
      })
    )
  )

  it.effect("responds to HEAD with the headers of GET", () =>
    served((get) =>
      Effect.gen(function* () {
        const response = yield* get("/coins?page=2", { method: "HEAD" })
        expect(response.status).toBe(200)
        expect(response.headers.get("x-total-count")).toBe("25")
        expect(response.headers.get("link")).toContain('rel="prev"')
        expect(yield* text(response)).toBe("")
      })
    )
  )

  it.effect("takes a route's own selection, sizes and scope", () =>
    served((get) =>
      Effect.gen(function* () {
        const ids = (url: string) =>
          Effect.map(Effect.flatMap(get(url), json), (body) =>
            (body["items"] as ReadonlyArray<{ id: number }>).map(({ id }) => id)
          )
        expect(yield* ids("/few")).toEqual([4, 3])
        expect(yield* ids("/few?limit=50")).toEqual([4, 3, 2])
        expect(yield* json(yield* get("/few"))).toMatchObject({ total: 4 })
      })
    )
  )

  it.each([
    ["", { limit: 10, page: 1 }],
    ["limit=5&page=3", { limit: 5, page: 3 }],
    ["limit=1", { limit: 1, page: 1 }],
    ["limit=100", { limit: 100, page: 1 }],
    ["limit=101", { limit: 100, page: 1 }],
    ["limit=99999999999999999999999999", { limit: 100, page: 1 }],
    ["limit=0&page=0", { limit: 10, page: 1 }],
    ["limit=-5&page=-1", { limit: 10, page: 1 }],
    ["limit=2.5&page=1.5", { limit: 10, page: 1 }],
    ["limit=1e2&page=0x2", { limit: 10, page: 1 }],
    ["limit=abc&page=abc", { limit: 10, page: 1 }],
    ["limit=&page=", { limit: 10, page: 1 }],
    ["limit=+7&page=%20", { limit: 10, page: 1 }],
    ["limit=7&limit=8", { limit: 7, page: 1 }],
    ["cursor", { limit: 10, page: null, cursor: "" }],
    ["cursor=WzFd&page=abc&limit=3", { limit: 3, page: null, cursor: "WzFd" }]
  ])("reads %j", (query, expected) => {
    expect(Effect.runSync(PageParameters.decode(Links.parse(`/coins?${query}`)))).toMatchObject(expected)
  })

  it("keeps a token free of signs that a URL would change", () => {
    const token = Effect.runSync(Cursor.encode(["~ÿ?>", 1]))
    expect(encodeURIComponent(token)).toBe(token)
  })
})
