import { expect, it } from "@effect/vitest"
import { NewerSchema } from "../../../src/database/NewerSchema.ts"

it("names the unknown migrations and the variable that allows them", () => {
  const { message } = new NewerSchema({ migrations: ["framework 0009_audit", "program 0002_cups"] })
  expect(message).toContain("it has framework 0009_audit, program 0002_cups, which this one does not know")
  expect(message).toContain("set DATABASE_ALLOW_NEWER=1")
})
