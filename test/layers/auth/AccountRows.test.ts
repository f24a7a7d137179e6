import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import * as AccountRows from "../../../layers/auth/internal/AccountRows.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { uuid7 } from "../../../layers/auth/internal/AccountRows.ts"

describeDatabases("The rows of an account", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("are deleted and counted, all of them or some, and no others", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE kept (user_id TEXT NOT NULL, purpose TEXT NOT NULL)`
        yield* sql`INSERT INTO kept VALUES ('a', 'x'), ('a', 'y'), ('a', 'y'), ('b', 'y')`
        const remove = (user: string, purpose?: string) =>
          AccountRows.remove(
            sql,
            "kept",
            AccountId.make(user),
            purpose === undefined ? undefined : sql`purpose = ${purpose}`
          )
        expect(yield* remove("a", "y")).toBe(2)
        expect(yield* remove("a")).toBe(1)
        expect(yield* remove("a")).toBe(0)
        expect(yield* sql`SELECT * FROM kept`).toEqual([{ user_id: "b", purpose: "y" }])
      })
    )
  })
})

const random = fc.uint8Array({ minLength: 10, maxLength: 10 })
const millis = fc.integer({ min: 0, max: 2 ** 48 - 1 })

describe("uuid7", () => {
  it("is a UUID of version 7 that sorts by time", () => {
    fc.assert(
      fc.property(millis, millis, random, random, (one, other, a, b) => {
        const [first, second] = [uuid7(one, a), uuid7(other, b)]
        expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        if (one < other) expect(first < second).toBe(true)
      })
    )
  })
})
