import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as OtlpResource from "../../../src/observability/internal/export/OtlpResource.ts"

const plain = FastCheck.string({ unit: "binary", minLength: 1 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))

describe("OTEL_RESOURCE_ATTRIBUTES", () => {
  it.prop(
    "has every attribute that is percent-encoded in it",
    [FastCheck.dictionary(plain, plain, { minKeys: 1 })],
    ([attributes]) => {
      const text = Object.entries(attributes)
        .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
        .join(",")
      expect(new Map(Object.entries(OtlpResource.parse(text) ?? {}))).toEqual(new Map(Object.entries(attributes)))
    }
  )

  it("may have spaces around keys and values; the last of two equal keys wins", () => {
    expect(OtlpResource.parse(" a = 1 , b=x=y , a=2")).toEqual({ a: "2", b: "x=y" })
  })

  it.each(["", "a", "=1", "a=1,", "a=1;b=2", 'a="1"', "a=é", "a=%zz", "a=%0A"])("is malformed: %j", (text) => {
    expect(OtlpResource.parse(text)).toBeUndefined()
  })
})
