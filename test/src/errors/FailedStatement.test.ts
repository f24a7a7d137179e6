import { describe, expect, it } from "@effect/vitest"
import * as FailedStatement from "../../../src/errors/internal/FailedStatement.ts"

const statement = (text: string) => ({ text, site: new Error("here") })

describe("the statement of a failure", () => {
  it("is the first that was noted", () => {
    const error = new Error("failed")
    expect(FailedStatement.of(error)).toBeUndefined()
    FailedStatement.note(error, statement("SELECT 1"))
    FailedStatement.note(error, statement("SELECT 2"))
    expect(FailedStatement.of(error)?.text).toBe("SELECT 1")
  })

  it("is absent on a frozen error, on another value and where getters throw", () => {
    const frozen = Object.freeze(new Error("failed"))
    FailedStatement.note(frozen, statement("SELECT 1"))
    expect(FailedStatement.of(frozen)).toBeUndefined()
    expect(FailedStatement.of("failed")).toBeUndefined()
    const hostile = new Proxy(
      {},
      {
        has: () => true,
        get: () => {
          throw new Error("no")
        }
      }
    )
    expect(FailedStatement.of(hostile)).toBeUndefined()
  })
})

describe("the text of a statement", () => {
  it.each([
    ["SELECT a FROM t WHERE b = ?", "SELECT a FROM t WHERE b = ?"],
    ["SELECT 'secret', 'it''s'", "SELECT '…', '…''…'"],
    ["SELECT 'open", "SELECT '…'"],
    ["SELECT E'a\\'b'", "SELECT E…"],
    ["SELECT $tag$secret$tag$", "SELECT …"]
  ])("of %s is shown as %s", (text, shown) => {
    expect(FailedStatement.withoutLiterals(text)).toBe(shown)
  })
})
