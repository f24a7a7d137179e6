import { expect, it } from "@effect/vitest"
import { MigrationFailed } from "../../../src/database/MigrationFailed.ts"

it("names the migration where one was reached, and the reason", () => {
  expect(new MigrationFailed({ migration: "0003_trusts", reason: "no such table" }).message).toBe(
    "The migration 0003_trusts failed, the schema is as it was: no such table"
  )
  expect(new MigrationFailed({ reason: "locked" }).message).toBe(
    "The migrations failed, the schema is as it was: locked"
  )
})
