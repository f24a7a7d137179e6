import { describe, expect, it } from "@effect/vitest"
import * as Request from "./Request.ts"

describe("npm run scale", () => {
  it("checks without arguments, and soaks for half an hour", () => {
    expect(Request.read([])).toEqual({ command: "check", minutes: 30 })
    expect(Request.read(["soak"])).toEqual({ command: "soak", minutes: 30 })
    expect(Request.read(["soak", "--minutes", "8"])).toEqual({ command: "soak", minutes: 8 })
  })

  it("explains itself", () => {
    expect(Request.read(["--help"])).toBe("")
  })

  it.each([["nothing"], ["soak", "check"], ["--minutes", "0"], ["--minutes", "x"], ["--hours", "1"]])(
    "refuses %s",
    (...words) => {
      expect(Request.read(words)).toBeTypeOf("string")
      expect(Request.read(words)).not.toBe("")
    }
  )
})
