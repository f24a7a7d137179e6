import { SqlError } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { isUnavailable, toResponse } from "../../../src/errors/internal/DatabaseFailure.ts"
import { DatabaseUnavailable } from "../../../src/database/internal/DatabaseUnavailable.ts"
import { MigrationFailed } from "../../../src/database/internal/MigrationFailed.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Throwables from "../../support/Throwables.ts"

const sqlError = (cause: unknown) => new SqlError.SqlError({ cause, message: "Failed to execute statement" })
const coded = (code: string) => Object.assign(new Error("no matter"), { code })

describe("isUnavailable", () => {
  it.each([
    "SQLITE_BUSY",
    "SQLITE_BUSY_SNAPSHOT",
    "SQLITE_CANTOPEN",
    "SQLITE_IOERR_WRITE",
    "SQLITE_FULL",
    "08006",
    "08P01",
    "53300",
    "57P01",
    "57P03",
    "55P03",
    "57014",
    "40P01",
    "40001",
    "ECONNREFUSED",
    "ECONNRESET",
    "ETIMEDOUT",
    "ENOTFOUND"
  ])("counts %s as an unavailable database", (code) => {
    expect(isUnavailable(sqlError(coded(code)))).toBe(true)
  })

  it.each([
    "timeout exceeded when trying to connect",
    "Connection terminated unexpectedly",
    "Connection terminated due to connection timeout",
    "Client has encountered a connection error and is not queryable"
  ])("recognises the driver's message %j", (message) => {
    expect(isUnavailable(sqlError(new Error(message)))).toBe(true)
  })

  it.each(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_CORRUPT", "23505", "42P01", "40002"])(
    "leaves %s to be a failure of the statement",
    (code) => {
      expect(isUnavailable(sqlError(coded(code)))).toBe(false)
    }
  )

  it("looks through the errors that wrap a statement's failure", () => {
    const wrapped = new Error("queue", { cause: sqlError(coded("ECONNREFUSED")) })
    expect(isUnavailable(wrapped)).toBe(true)
    expect(isUnavailable(new MigrationFailed({ reason: "x", cause: sqlError(coded("SQLITE_BUSY")) }))).toBe(true)
    expect(isUnavailable(sqlError(new Error("outer", { cause: coded("57P01") })))).toBe(true)
    expect(isUnavailable(new DatabaseUnavailable({ database: "file", reason: "gone" }))).toBe(true)
  })

  it("does not count the refusal of another server as the database's", () => {
    expect(isUnavailable(coded("ECONNREFUSED"))).toBe(false)
    expect(isUnavailable(new Error("mail", { cause: coded("ETIMEDOUT") }))).toBe(false)
  })

  it("gives a result for any thrown value", () => {
    const ring: { _tag: string; cause?: unknown } = { _tag: "SqlError" }
    ring.cause = ring
    const hostile = {
      get cause(): unknown {
        throw new Error("no")
      }
    }
    for (const thrown of [
      undefined,
      null,
      0,
      "ECONNREFUSED",
      ring,
      hostile,
      sqlError(undefined),
      sqlError("text"),
      () => {}
    ]) {
      expect(isUnavailable(thrown)).toBe(false)
    }
  })
})

describe("toResponse", () => {
  it("gives 503 with Retry-After for a database out of reach", () => {
    const lost = new DatabaseUnavailable({ database: "x", reason: "y" })
    expect(toResponse(lost)).toEqual({ status: 503, retryAfter: ErrorResponse.retryAfter })
  })

  it("gives the response that a failure declares", () => {
    expect(toResponse({ [ErrorResponse.symbol]: ErrorResponse.of(418) })).toEqual({ status: 418 })
  })

  it.each(Throwables.all())("gives none for %s", (_, value) => {
    expect(toResponse(value)).toBeUndefined()
  })
})
