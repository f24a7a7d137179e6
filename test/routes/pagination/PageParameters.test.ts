import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import * as Links from "../../../src/pagination/Links.ts"
import { takeParameter } from "../../../routes/pagination/internal/PageParameters.ts"

const take = (url: string) => {
  const [value, request] = takeParameter(Links.parse(url), "before")
  return [value, request.otherParams]
}

describe("An optional parameter", () => {
  it("is taken out of the other parameters, its first value", () => {
    expect(take("/a?x=1&before=abc&limit=3&y=2&before=def")).toEqual(["abc", "x=1&y=2"])
    expect(take("/a?before")).toEqual(["", ""])
    expect(take("/a?%62efore=a%2Bb")).toEqual(["a+b", ""])
  })

  it("is absent where no parameter has its name", () => {
    expect(take("/a?x=before&Before=1")).toEqual([undefined, "x=before&Before=1"])
    expect(take("/a")).toEqual([undefined, ""])
  })

  it.prop(
    "keeps all others as they were written",
    [fc.array(fc.webQueryParameters()), fc.string()],
    ([parts, value]) => {
      const others = Links.parse(`/a?${parts.join("&")}`)
      const [kept, request] = takeParameter(
        Links.parse(`/a?before=${encodeURIComponent(value.replace(/\p{Surrogate}/gu, ""))}&${parts.join("&")}`),
        "before"
      )
      expect(kept).toBe(value.replace(/\p{Surrogate}/gu, ""))
      expect(request.otherParams).toBe(takeParameter(others, "before")[1].otherParams)
    }
  )
})
