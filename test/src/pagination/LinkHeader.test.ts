import { describe, expect, it } from "@effect/vitest"
import * as LinkHeader from "../../../src/pagination/internal/LinkHeader.ts"
import * as Links from "../../../src/pagination/Links.ts"
import { firstPage as first } from "../../../layers/pagination/internal/Totals.ts"

const page = (number: number) => ({ ...first, page: number, total: 30, pages: 3 })
const at = (url: string, number: number) => LinkHeader.make(Links.parse(url), page(number))

describe("the Link header", () => {
  it("links to the neighbours that exist", () => {
    expect(at("/cups", 1)).toBe('</cups?limit=10&page=2>; rel="next"')
    expect(at("/cups", 2)).toBe('</cups?limit=10&page=3>; rel="next", </cups?limit=10&page=1>; rel="prev"')
    expect(at("/cups", 3)).toBe('</cups?limit=10&page=2>; rel="prev"')
    expect(LinkHeader.make(Links.parse("/cups"), { ...first, total: 1, pages: 1 })).toBeUndefined()
  })

  it("is omitted when it would be too long for a proxy", () => {
    expect(at(`/cups?q=${"x".repeat(LinkHeader.maxLength)}`, 1)).toBeUndefined()
  })
})
