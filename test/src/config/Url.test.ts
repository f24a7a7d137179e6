import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Url from "../../../src/config/internal/Url.ts"

describe("Url.parse", () => {
  it.prop("reads back any URL", [FastCheck.webUrl({ withQueryParameters: true })], ([text]) => {
    expect(Url.parse(text)?.href).toBe(new URL(text).href)
  })

  it.each(["", "/path", "http://", "http://[::1", "https://a b", "http://x:99999"])("is undefined for %j", (text) => {
    expect(Url.parse(text)).toBeUndefined()
  })

  it.prop("throws for no text", [FastCheck.string({ unit: "binary" })], ([text]) => {
    expect(() => Url.parse(text)).not.toThrow()
  })
})
