import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Accept from "../../../src/http/Accept.ts"

describe("Accept", () => {
  it.each([
    [undefined, "text/html"],
    ["", "text/html"],
    ["*/*", "text/html"],
    ["application/json", "application/json"],
    ["APPLICATION/JSON", "application/json"],
    ["application/json, text/plain, */*", "application/json"],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
    ["text/html;q=0.5, application/json;q=0.6", "application/json"],
    ["text/*;q=0.9, application/json;q=0.8", "text/html"],
    ["application/*", "application/json"],
    ["text/html;q=0, application/json;q=0.1", "application/json"],
    ["application/json;q=0, */*", "text/html"],
    ["image/png", undefined],
    ["text/html;q=0, */*;q=0", undefined],
    ["nonsense, application/json", "application/json"],
    ["application/json;q=abc, text/html;q=0.5", "application/json"]
  ])("of %s prefers %s", (header, expected) => {
    expect(Accept.preferred(header, ["text/html", "application/json"])).toBe(expected)
  })

  it("gives the text exposition to what Prometheus sends", () => {
    const header =
      "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4," +
      "text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
    expect(Accept.preferred(header, ["text/plain", "application/json"])).toBe("text/plain")
  })

  it("never prefers JSON over a page for a client that does not name it", () => {
    expect(Accept.prefersJson(undefined)).toBe(false)
    expect(Accept.prefersJson("*/*")).toBe(false)
    expect(Accept.prefersJson("image/png")).toBe(false)
    expect(Accept.prefersJson("application/json")).toBe(true)
  })

  it("reads any text without failing, and returns an offer or `undefined`", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ maxLength: 300 }), (header) => {
        const found = Accept.preferred(header, ["text/html", "application/json"])
        expect([undefined, "text/html", "application/json"]).toContain(found)
      })
    )
  })
})
