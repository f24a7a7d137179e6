import { expect, it } from "@effect/vitest"
import { MigrationFailed, NewerSchema } from "../../../src/database/internal/MigrationFailed.ts"

it("names the migration where one was reached, and the reason", () => {
  expect(new MigrationFailed({ migration: "0003_trusts", reason: "no such table" }).message).toBe(
    "The migration 0003_trusts failed, the schema is as it was: no such table"
  )
  expect(new MigrationFailed({ reason: "locked" }).message).toBe(
    "The migrations failed, the schema is as it was: locked"
  )
})

it("names the unknown migrations and the variable that allows them", () => {
  const { message } = new NewerSchema({ migrations: ["framework 0009_audit", "program 0002_cups"] })
  expect(message).toContain("it has framework 0009_audit, program 0002_cups, which this one does not know")
  expect(message).toContain("set DATABASE_ALLOW_NEWER=1")
})
