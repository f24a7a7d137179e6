import { describe, expect, it } from "@effect/vitest"
import * as Request from "./Request.ts"

describe("npm run scale", () => {
  it("checks without arguments, and soaks for half an hour", () => {
    expect(Request.read([])).toEqual({ command: "check", minutes: 30, pause: 200, only: "" })
    expect(Request.read(["soak"])).toEqual({ command: "soak", minutes: 30, pause: 200, only: "" })
    const short = ["soak", "--minutes", "8", "--pause", "0"]
    expect(Request.read(short)).toEqual({ command: "soak", minutes: 8, pause: 0, only: "" })
  })

  it("takes the checks whose name contains the words", () => {
    expect(Request.read(["check", "rolling", "restart"])).toEqual({
      command: "check",
      minutes: 30,
      pause: 200,
      only: "rolling restart"
    })
  })

  it("explains itself", () => {
    expect(Request.read(["--help"])).toBe("")
  })

  it.each([
    ["nothing"],
    ["soak", "check"],
    ["--minutes", "0"],
    ["--minutes", "x"],
    ["--pause", "-1"],
    ["--pause", "x"],
    ["--hours", "1"]
  ])("refuses %s", (...words) => {
    expect(Request.read(words)).toBeTypeOf("string")
    expect(Request.read(words)).not.toBe("")
  })
})
