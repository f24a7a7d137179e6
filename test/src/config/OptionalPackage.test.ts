import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { load, MissingPackage } from "../../../src/config/internal/OptionalPackage.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"

const failing = (message: string) =>
  load("PostgreSQL", "@effect/sql-pg pg", () => Promise.reject(new Error(message))).pipe(Effect.exit)

describe("an optional package", () => {
  it.effect("is what was loaded", () =>
    Effect.map(
      load("E-mail by SMTP", "nodemailer", () => Promise.resolve(1)),
      (loaded) => expect(loaded).toBe(1)
    )
  )

  it.effect("is named with its command when it is missing", () =>
    Effect.map(failing("Cannot find package 'pg' imported from /app/index.js"), (exit) => {
      const error = new MissingPackage({ feature: "PostgreSQL", install: "@effect/sql-pg pg" })
      expect(exit).toEqual(Exit.fail(error))
      expect(StartupLine.line(error)).toBe(
        "PostgreSQL needs a package that is not installed. Run: npm install @effect/sql-pg pg (see effect-framework/docs/troubleshooting.md#a-package)"
      )
    })
  )

  it.effect("leaves another package that is missing as a defect", () => {
    const message = "Cannot find package 'split2' imported from /app/pg.js"
    return Effect.map(failing(message), (exit) => expect(exit).toEqual(Exit.die(new Error(message))))
  })

  it.effect("leaves a package that fails to load as a defect", () =>
    Effect.map(failing("invalid ELF header"), (exit) => expect(exit).toEqual(Exit.die(new Error("invalid ELF header"))))
  )
})
