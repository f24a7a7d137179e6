import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Either, Layer, Schema } from "effect"
import * as Articles from "../../demo/articles/Articles.ts"
import * as Listing from "../../demo/articles/Listing.ts"
import * as Migration from "../../demo/articles/Migration.ts"
import * as Prose from "../../demo/articles/Prose.ts"
import * as Routes from "../../demo/articles/Routes.ts"
import * as Seed from "../../demo/articles/Seed.ts"
import * as IndexCheck from "../../layers/pagination/IndexCheck.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as Respondable from "../../routes/errors/internal/Respondable.ts"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import type { Layout } from "../../src/http/Layout.ts"
import * as DefaultLayout from "../../src/http/DefaultLayout.ts"
import * as Links from "../../src/pagination/Links.ts"
import * as ListBody from "../../src/pagination/ListBody.ts"
import * as Selection from "../../src/pagination/Selection.ts"
import { describeDatabases, TestDatabase } from "../support/Databases.ts"

const migrated = Migrations.layerWith(Migration.migrations)

const catching = Routes.make().map((route) => {
  const handler = Effect.catchAll(route.handler, (failure) =>
    Effect.gen(function* () {
      const response = Respondable.isRespondable(failure)
        ? Respondable.toErrorResponse(yield* Respondable.toResponse(failure))
        : ErrorResponse.from(failure)
      return HttpServerResponse.unsafeJson({ page: response?.message }, { status: response?.status ?? 500 })
    })
  )
  return Object.assign(Object.create(route), { handler }) as Omit<typeof route, "handler"> & { handler: typeof handler }
})

const decode = (body: unknown) =>
  Effect.flatMap(Articles.Articles, ({ schema }) =>
    Schema.decodeUnknown(Schema.Union(ListBody.Page(schema), ListBody.CursorPage(schema)))(body)
  )

describeDatabases("The articles", (database) => {
  const ready = Listing.layer.pipe(
    Layer.merge(DefaultLayout.layer({ name: "Demo" })),
    Layer.provideMerge(Seed.layer),
    Layer.provideMerge(migrated),
    Layer.provideMerge(database.layerEmpty)
  )

  layer(ready)((it) => {
    const get = (url: string, headers: Record<string, string> = {}, method = "GET") =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Articles.Articles | Layout>()
        const { dispose, handler } = HttpLayerRouter.toWebHandler(HttpLayerRouter.addAll(catching), {
          disableLogger: true
        })
        return yield* Effect.ensuring(
          Effect.promise(() => handler(new Request(`http://localhost${url}`, { headers, method }), context)),
          Effect.promise(dispose)
        )
      })
    const body = (response: Response) => Effect.promise((): Promise<unknown> => response.json())
    const text = (response: Response) => Effect.promise(() => response.text())
    const html = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }
    const list = (url: string) => Effect.flatMap(Effect.flatMap(get(url), body), decode)

    it.effect("are 1,000, however often and by however many processes they are seeded", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* TestDatabase
        yield* sql`DELETE FROM articles`
        yield* Effect.all(
          [1, 2, 3].map(() => Effect.provide(Seed.run, database.layerAt(url))),
          { concurrency: 3 }
        )
        yield* Seed.run
        const [row] = yield* sql<{ total: number }>`SELECT COUNT(*) AS total FROM articles`
        expect(row?.total).toBe(1000)
      })
    )

    it.effect("are not seeded again after some were deleted", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const gone = sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`DELETE FROM articles WHERE id > 900`
            yield* Seed.run
            const [row] = yield* sql<{ total: number }>`SELECT COUNT(*) AS total FROM articles`
            return yield* Effect.fail(row?.total)
          })
        )
        expect(yield* Effect.flip(gone)).toBe(900)
      })
    )

    it.effect("are listed newest first, each with its author", () =>
      Effect.gen(function* () {
        const response = yield* get("/articles")
        expect(response.headers.get("x-total-count")).toBe("1000")
        expect(response.headers.get("link")).toBe('</articles?limit=10&page=2>; rel="next"')
        const { items } = yield* decode(yield* body(response))
        expect(items.map(({ id }) => id)).toEqual([1000, 999, 998, 997, 996, 995, 994, 993, 992, 991])
        expect(items[0]).toEqual({
          ...Prose.article(999),
          author: Prose.authors.find(({ id }) => id === Prose.article(999).author_id)
        })
      })
    )

    for (const sort of Listing.parameters.sorts) {
      it.effect(`have the same order in both modes by ${sort}`, () =>
        Effect.gen(function* () {
          const walked: Array<number> = []
          let cursor: string | null = ""
          while (cursor !== null) {
            const body: { readonly items: ReadonlyArray<{ readonly id: number }>; readonly next?: string | null } =
              yield* list(`/articles?sort=${sort}&limit=100&cursor=${cursor}`)
            walked.push(...body.items.map(({ id }) => id))
            cursor = body.next ?? null
          }
          const paged = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (page) =>
            Effect.map(list(`/articles?sort=${sort}&limit=100&page=${page}`), ({ items }) => items.map(({ id }) => id))
          )
          expect(walked).toEqual(paged.flat())
          expect(new Set(walked).size).toBe(1000)
        })
      )
    }

    it.effect("are filtered by author and by words in the title, the filters kept in the links", () =>
      Effect.gen(function* () {
        const response = yield* get("/articles?author=3&q=WORD%20on&sort=title&limit=1")
        const { items } = yield* decode(yield* body(response))
        const expected = Array.from({ length: 1000 }, (_, index) => Prose.article(index)).filter(
          ({ author_id, title }) => author_id === 3 && /\bon\b.*\bword\b|\bword\b.*\bon\b/i.test(title)
        )
        expect(response.headers.get("x-total-count")).toBe(String(expected.length))
        expect(expected.map(({ id }) => id)).toContain(items[0]?.id)
        expect(expected.length).toBeGreaterThan(0)
        const none = yield* list("/articles?q=unheard&author=3")
        expect(none).toMatchObject({ items: [], total: 0, pages: 0 })
        const walk = yield* get("/articles?q=slow+trains&cursor=&limit=2")
        expect(walk.headers.get("link")).toMatch(/^<\/articles\?q=slow\+trains&limit=2&cursor=[\w-]+>; rel="next"$/)
      })
    )

    it.effect.each([
      ["sort=words", "sort", `one of ${Listing.parameters.sorts.join(", ")}`],
      ["sort=constructor", "sort", `one of ${Listing.parameters.sorts.join(", ")}`],
      ["sort=author", "sort", "one of -published_at, published_at, title, -title, author,title, -author,-title"],
      ["author=me", "author", "a whole number"],
      ["author=9999999999999999999", "author", "a whole number"],
      ["author=3&author=4", "author", "sent once"],
      ["q=%00", "q", "a text without control characters"],
      [`q=${"x".repeat(101)}`, "q", "at most 100 characters long"]
    ])("are not listed by %s", ([query, parameter = "", expected = ""]) =>
      Effect.gen(function* () {
        const message = `The parameter "${parameter}" must be ${expected}.`
        const response = yield* get(`/articles?${query}`)
        expect(response.status).toBe(400)
        expect(yield* body(response)).toEqual({ error: message, fields: { [parameter]: expected } })
        const page = yield* get(`/articles?${query}`, html)
        expect(page.status).toBe(400)
        expect(yield* body(page)).toEqual({ page: message })
      })
    )

    it.effect("are ordered by the names of their authors", () =>
      Effect.gen(function* () {
        const { items } = yield* decode(yield* body(yield* get("/articles?sort=-author,-title&limit=100&cursor=")))
        const [last] = Prose.authors.map(({ name }) => name).toSorted((one, other) => (one < other ? 1 : -1))
        expect(items[0]?.author?.name).toBe(last)
        const titles = items.filter(({ author }) => author?.name === last).map(({ title }) => title)
        expect(titles.length).toBeGreaterThan(10)
      })
    )

    it.effect("have an index for every order but that of another table", () =>
      Effect.gen(function* () {
        const [, , byName, ...others] = Listing.parameters.lists()
        expect(others).toEqual([])
        expect(yield* IndexCheck.run(...(byName === undefined ? [] : [byName]))).toEqual([
          '-- No index holds "articles" in the order of "authors"."name": each part sorts every row that the filters find.'
        ])
        const everyone = Listing.parameters.lists().slice(0, 2)
        const byAuthor = Selection.from(Articles.Article).filter("author_id", "equal", 1)
        const { selection: found } = yield* Listing.parameters.decodeValues({ q: "trains" })
        expect(yield* IndexCheck.run(found, ...everyone, ...Listing.parameters.lists(byAuthor).slice(0, 1))).toEqual([])
      })
    )

    it.effect("refuse an invalid cursor with JSON and with a page", () =>
      Effect.gen(function* () {
        const response = yield* get("/articles?cursor=!!!")
        expect(response.status).toBe(400)
        expect(yield* body(response)).toEqual({ error: expect.stringContaining("The cursor is not valid: ") })
        const page = yield* get("/articles?cursor=!!!", html)
        expect(page.status).toBe(400)
        expect(yield* body(page)).toEqual({ page: expect.stringContaining("The cursor is not valid: ") })
        const other = yield* get("/articles?sort=title&cursor=WzFd")
        expect(other.status).toBe(400)
      })
    )

    it.effect("are XML on request and 406 for another media type", () =>
      Effect.gen(function* () {
        const xml = yield* get("/articles?limit=1", { accept: "application/xml" })
        expect(yield* text(xml)).toContain("<author><id>")
        expect((yield* get("/articles", { accept: "image/png" })).status).toBe(406)
        expect((yield* get("/articles", { accept: "*/*" })).headers.get("content-type")).toBe("application/json")
      })
    )

    it.effect("are a page with links to the next and the previous one", () =>
      Effect.gen(function* () {
        const response = yield* get("/articles?page=2&q=%22%3Cplanes", html)
        expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
        const empty = yield* text(response)
        expect(empty).toContain('value="&quot;&lt;planes"')
        expect(empty).toContain("Nothing here.")
        const page = yield* text(yield* get("/articles?page=2&sort=title", html))
        expect(page).toContain("1000 articles, page 2 of 100")
        expect(page).toContain('rel="prev" href="/articles?sort=title&amp;limit=10&amp;page=1"')
        expect(page).toContain('rel="next" href="/articles?sort=title&amp;limit=10&amp;page=3"')
        expect(page.match(/<li id="article-/g)).toHaveLength(10)
      })
    )

    it.effect("are read in cursor mode by a plain link", () =>
      Effect.gen(function* () {
        const seen = new Set<string>()
        let url: string | undefined = "/articles?cursor=&limit=100&author=3"
        let turns = 0
        while (url !== undefined) {
          const page: string = yield* text(yield* get(url, html))
          for (const [, id = ""] of page.matchAll(/<li id="article-(\d+)"/g)) seen.add(id)
          url = /rel="next" href="([^"]+)">Load more</.exec(page)?.[1]?.replaceAll("&amp;", "&")
          turns++
        }
        const total = Array.from({ length: 1000 }, (_, index) => Prose.article(index)).filter(
          ({ author_id }) => author_id === 3
        )
        expect(seen.size).toBe(total.length)
        expect(turns).toBe(Math.ceil(total.length / 100))
      })
    )

    it.effect("respond to HEAD", () =>
      Effect.gen(function* () {
        const response = yield* get("/articles", {}, "HEAD")
        expect(response.status).toBe(200)
        expect(response.headers.get("x-total-count")).toBe("1000")
      })
    )
  })
})

describe("The prose", () => {
  it("gives 1,000 articles with titles that no two share, three at a moment", () => {
    const articles = Array.from({ length: Prose.articleCount }, (_, index) => Prose.article(index))
    expect(articles).toHaveLength(1000)
    expect(new Set(articles.map(({ title }) => title)).size).toBe(1000)
    expect(new Set(articles.map(({ published_at }) => published_at)).size).toBe(334)
    expect(new Set(articles.map(({ author_id }) => author_id)).size).toBe(Prose.authors.length)
    for (const { published_at, summary, title } of articles) {
      expect(`${title} ${summary}`).not.toContain("{}")
      expect(published_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    }
  })

  it("lists by default without building a selection", () => {
    const read = () => Either.getOrThrow(Listing.parameters.decode(Links.parse("/articles"))).selection
    expect(read()).toBe(read())
  })
})
