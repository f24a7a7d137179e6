import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as RequestOrigin from "../../../src/session/internal/RequestOrigin.ts"

describe("RequestOrigin.isOwnOrigin", () => {
  const appUrl = "https://app.example.com/base"
  const host = "127.0.0.1:8087"
  it.each([
    ["neither header: the token decides", undefined, undefined, true],
    ["same-origin", undefined, "same-origin", true],
    ["none: the person typed it", undefined, "none", true],
    ["cross-site", undefined, "cross-site", false],
    ["cross-site with our origin", "https://app.example.com", "cross-site", false],
    ["Cross-Site in any case", undefined, "Cross-Site", false],
    ["the origin of APP_URL", "https://app.example.com", "same-origin", true],
    ["the origin of APP_URL with its port", "https://app.example.com:443", undefined, true],
    ["another scheme of APP_URL's host", "http://app.example.com", undefined, false],
    ["the request's own host", "http://127.0.0.1:8087", undefined, true],
    ["the request's own host behind TLS", "https://127.0.0.1:8087", undefined, true],
    ["another port of it", "http://127.0.0.1:8088", undefined, false],
    ["a neighbouring host", "https://evil.example.com", "same-site", false],
    ["a host that ends like ours", "https://notapp.example.com", undefined, false],
    ["null", "null", undefined, false],
    ["an empty text", "", undefined, false],
    ["two of them", "https://app.example.com https://evil.example", undefined, false],
    ["a name before ours", "https://app.example.com@evil.example", undefined, false],
    ["ours with more after it", "https://app.example.com/", undefined, false],
    ["ours with a name before it", "https://ann@app.example.com", undefined, false],
    ["ours with a query", "https://app.example.com?", undefined, false],
    ["no address", "app.example.com", undefined, false]
  ])("%s", (_, origin, secFetchSite, expected) => {
    expect(RequestOrigin.isOwnOrigin({ origin, secFetchSite, host }, appUrl)).toBe(expected)
  })

  it("refuses an origin in Latin-1 that is no address, however often it comes", () => {
    // Node compiles `URL.canParse` after some thousand calls, and from then on it is wrong about such a text.
    const source = { origin: "http://x-\u00dc\u008c", secFetchSite: undefined, host }
    let own = 0
    for (let count = 0; count < 20_000; count++) if (RequestOrigin.isOwnOrigin(source, appUrl)) own++
    expect(own).toBe(0)
  })

  it("takes a default port for none", () => {
    const source = { origin: "https://shop.example.com", secFetchSite: undefined, host: "shop.example.com:443" }
    expect(RequestOrigin.isOwnOrigin(source, appUrl)).toBe(true)
  })

  it("never takes a foreign origin for ours", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const origin = new URL(url).origin
        fc.pre(origin !== "https://app.example.com")
        expect(RequestOrigin.isOwnOrigin({ origin, secFetchSite: undefined, host }, appUrl)).toBe(false)
      })
    )
  })
})
