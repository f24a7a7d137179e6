import { describe, expect, it } from "@effect/vitest"
import * as Request from "./Request.ts"

describe("npm run scale", () => {
  it("checks without arguments, and soaks for half an hour", () => {
    expect(Request.read([])).toEqual({ command: "check", minutes: 30, only: "" })
    expect(Request.read(["soak"])).toEqual({ command: "soak", minutes: 30, only: "" })
    expect(Request.read(["soak", "--minutes", "8"])).toEqual({ command: "soak", minutes: 8, only: "" })
  })

  it("takes the checks whose name contains the words", () => {
    expect(Request.read(["check", "rolling", "restart"])).toEqual({
      command: "check",
      minutes: 30,
      only: "rolling restart"
    })
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
