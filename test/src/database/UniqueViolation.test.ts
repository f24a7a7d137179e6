import { describe, expect, it } from "@effect/vitest"
import { SqlError } from "@effect/sql/SqlError"
import { Option } from "effect"
import * as UniqueViolation from "../../../src/database/internal/UniqueViolation.ts"

const names = ["shop", "handle", "name"]

const columnsOf = (cause: unknown) =>
  Option.getOrElse(UniqueViolation.columnsOf(new SqlError({ cause }), names), (): ReadonlyArray<string> => [])

const sqlite = (message: string) => ({ code: "SQLITE_CONSTRAINT_UNIQUE", message })
const postgres = (detail: string | undefined) => ({ code: "23505", detail })

describe("A violated unique index", () => {
  it.each([
    [sqlite("UNIQUE constraint failed: customers.handle"), ["handle"]],
    [sqlite("UNIQUE constraint failed: customers.shop, customers.handle"), ["shop", "handle"]],
    [sqlite("UNIQUE constraint failed: name.handle"), ["handle"]],
    [sqlite("UNIQUE constraint failed: index 'customers_handle'"), []],
    [sqlite("UNIQUE constraint failed: customers.email"), []],
    [{ code: "SQLITE_CONSTRAINT_CHECK", message: "CHECK constraint failed: handle" }, []],
    [postgres("Key (handle)=(Ann) already exists."), ["handle"]],
    [postgres("Schlüssel »(shop, lower(handle))=(7, name)« existiert bereits."), ["shop", "handle"]],
    [postgres("Key (email)=(handle)=(name) already exists."), []],
    [postgres(undefined), []],
    [{ code: "23503", detail: "Key (handle)=(7) is not present in table." }, []],
    [undefined, []],
    [null, []],
    ["handle", []]
  ])("%j is over these columns", (cause, expected) => {
    expect(columnsOf(cause)).toEqual(expected)
  })

  it("is no value that was thrown", () => {
    for (const error of [undefined, null, "handle", 7, {}, new Error("handle")]) {
      expect(Option.isNone(UniqueViolation.columnsOf(error, names))).toBe(true)
    }
  })
})
