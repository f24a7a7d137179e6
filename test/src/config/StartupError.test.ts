import { describe, expect, it } from "@effect/vitest"
import { ConfigError } from "effect"
import { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import { MissingPackage } from "../../../src/config/internal/OptionalPackage.ts"
import * as StartupError from "../../../src/config/StartupError.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"

describe("the line of a failed start", () => {
  it.each([
    [new StartupError.StartupError({ reason: "The port is in use." }), "The port is in use."],
    [new StartupError.StartupError({ reason: "" }), ""],
    [
      ConfigError.InvalidData(["PORT"], "PORT is wrong"),
      "PORT is wrong (see effect-framework/docs/troubleshooting.md#a-setting)"
    ],
    [
      new MissingPackage({ feature: "E-mail", install: "nodemailer" }),
      "E-mail needs a package that is not installed. Run: npm install nodemailer (see effect-framework/docs/troubleshooting.md#a-package)"
    ]
  ])("%s", (error, line) => {
    expect(StartupLine.line(error)).toBe(line)
  })

  it("is the message of an unavailable database", () => {
    const error = new DatabaseUnavailable({ database: "a.sqlite", reason: "the disk is full" })
    expect(StartupLine.line(error)).toBe(`${error.message} (see effect-framework/docs/troubleshooting.md#the-database)`)
  })

  it.each([new TypeError("x is undefined"), { message: "a text" }, "a text", undefined, null])(
    "is undefined for a mistake in the program: %s",
    (thrown) => {
      expect(StartupLine.line(thrown)).toBeUndefined()
    }
  )
})
