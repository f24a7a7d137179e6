import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck as fc } from "effect"
import * as ListRoute from "../../../routes/pagination/ListRoute.ts"
import * as Links from "../../../src/pagination/Links.ts"
import { firstPage } from "../../../layers/pagination/internal/Totals.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"

const page = (page: number, pages: number, limit = 10): Pagination.Pagination => ({
  ...firstPage,
  limit,
  page,
  pages,
  total: pages * limit
})
const walk = (next: string | null): Pagination.Pagination => ({
  ...Either.getOrThrow(Pagination.make({ cursor: "" })),
  next,
  more: next !== null
})

const linkOf = (url: string, pagination: Pagination.Pagination) =>
  ListRoute.headers({ request: Links.parse(url), pagination, items: [] })["link"]

describe("Links", () => {
  it("links a page to the next and the previous one, next first", () => {
    expect(linkOf("/articles?page=2", page(2, 3))).toBe(
      '</articles?limit=10&page=3>; rel="next", </articles?limit=10&page=1>; rel="prev"'
    )
    expect(linkOf("/articles", page(1, 3))).toBe('</articles?limit=10&page=2>; rel="next"')
    expect(linkOf("/articles?page=3", page(3, 3))).toBe('</articles?limit=10&page=2>; rel="prev"')
  })

  it("links from past the end to the last page that has rows", () => {
    expect(linkOf("/articles?page=99", page(99, 3))).toBe('</articles?limit=10&page=3>; rel="prev"')
  })

  it("has no links for a single page and for an empty list", () => {
    expect(linkOf("/articles", page(1, 1))).toBeUndefined()
    expect(linkOf("/articles", page(1, 0))).toBeUndefined()
    expect(linkOf("/articles?page=5", page(5, 0))).toBeUndefined()
  })

  it("are omitted from the header when it would be too long for a proxy", () => {
    expect(linkOf(`/cups?q=${"x".repeat(4096)}`, page(1, 3))).toBeUndefined()
  })

  it("links forward from a cursor, never back", () => {
    expect(linkOf("/articles?cursor=", walk("WzEwXQ"))).toBe('</articles?limit=10&cursor=WzEwXQ>; rel="next"')
    expect(linkOf("/articles?cursor=", walk(null))).toBeUndefined()
  })

  it("keeps other parameters in their order with their encoding, before its own", () => {
    const request = Links.parse("/articles?q=caf%C3%A9+au%20lait&page=2&tag=a&limit=10&tag=b&empty=&bare&&x=%zz")
    expect(Links.page(request, 10, 3)).toBe(
      "/articles?q=caf%C3%A9+au%20lait&tag=a&tag=b&empty=&bare&x=%zz&limit=10&page=3"
    )
  })

  it("knows its own parameters in any encoding, and takes the first of each", () => {
    const request = Links.parse("/articles?%70age=2&page=3&cursor=a%2Db&li%6Dit=5")
    expect(request).toMatchObject({ page: "2", cursor: "a-b", limit: "5", otherParams: "" })
    expect(Links.parse("/articles?cursor").cursor).toBe("")
    expect(Links.parse("/articles").cursor).toBeUndefined()
  })

  it("never links to another site and never ends the header early", () => {
    expect(Links.page(Links.parse("//evil.example/x?a=1"), 10, 2)).toBe("/evil.example/x?a=1&limit=10&page=2")
    expect(Links.page(Links.parse("http://evil.example/articles?a=1"), 10, 2)).toBe("/articles?a=1&limit=10&page=2")
    expect(Links.page(Links.parse("/\\evil.example"), 10, 2)).toBe("/%5Cevil.example?limit=10&page=2")
    expect(Links.page(Links.parse('/a?b=>;rel="x"\r\n\u00e9\u20ac'), 10, 2)).toBe(
      "/a?b=%3E;rel=%22x%22%0D%0A%E9%E2%82%AC&limit=10&page=2"
    )
  })

  const url = fc.tuple(fc.webPath(), fc.webQueryParameters()).map(([path, query]) => `/${path}?${query}`)

  it.prop("keeps every other parameter as it was, whatever the query", [url], ([url]) => {
    const request = Links.parse(url)
    const given = [...new URL(`http://x${url.slice(1) === "" ? "/" : url}`).searchParams]
    const own = new Set(["page", "limit", "cursor"])
    const linked = [...new URL(`http://x${Links.page(request, 7, 3)}`).searchParams]
    expect(linked).toEqual([...given.filter(([name]) => !own.has(name)), ["limit", "7"], ["page", "3"]])
  })

  it.prop(
    "writes only characters that a header allows, whatever the URL",
    [fc.string({ unit: "binary" })],
    ([text]) => {
      expect(Links.page(Links.parse(text), 10, 2)).toMatch(/^\/(?!\/)[\x21-\x7e]*$/)
      expect(Links.page(Links.parse(`/?${text}`), 10, 2)).not.toMatch(/[<>"]/)
    }
  )
})
