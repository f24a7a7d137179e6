import { SqlClient, SqlError } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, FastCheck, Layer, Redacted } from "effect"
import * as Net from "node:net"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Hints from "../../../src/errors/internal/debug/Hints.ts"
import { describeDatabases } from "../../support/Databases.ts"

const coded = (code: string, message = code) => Object.assign(new Error(message), { code })
const sql = (cause: unknown) => new SqlError.SqlError({ cause, message: "Failed to execute statement" })
const reasons = (value: unknown) => Hints.of(CauseThrowables.from(value)).map(({ reason }) => reason)

describe("Hints", () => {
  it.each([
    [sql(coded("SQLITE_ERROR", "no such table: cups")), /table cups does not exist/],
    [sql(coded("42P01", 'relation "cups" does not exist')), /table cups does not exist/],
    [sql(coded("SQLITE_ERROR", "no such column: colour")), /column colour does not exist/],
    [sql(coded("42703", 'column "colour" of relation "cups" does not exist')), /column colour does not exist/],
    [coded("EADDRINUSE", "listen EADDRINUSE: address already in use 127.0.0.1:80"), /Another program listens/],
    [sql(coded("28P01", 'password authentication failed for user "ada"')), /refuses the user or the password/],
    [sql(coded("3D000", 'database "shop" does not exist')), /no database of this name/],
    [sql(coded("ECONNREFUSED")), /The database cannot be reached/],
    [coded("ECONNREFUSED"), /The other server cannot be reached/],
    [sql(coded("SQLITE_BUSY", "database is locked")), /Another process writes/],
    [sql(coded("SQLITE_CANTOPEN", "unable to open database file")), /cannot be opened/],
    [new Error("Service not found: shop/Cups (defined at x)"), /No layer provides the service shop\/Cups/],
    [coded("ERR_MODULE_NOT_FOUND", "Cannot find package 'pg' imported from /app/x.ts"), /package or file pg is missing/]
  ])("%s", (failure, expected) => {
    expect(reasons(failure)).toEqual([expect.stringMatching(expected)])
  })

  it("has none for an error of the program, nor for what is not an error", () => {
    for (const value of [new Error("The kettle is empty"), "text", null, 7, { code: 7 }, coded("E_OTHER")]) {
      expect(reasons(value)).toEqual([])
    }
  })

  it("has at most three, each once", () => {
    const many = ["EADDRINUSE", "EACCES", "3D000", "28P01", "EADDRINUSE"].map((code) => coded(code))
    expect(reasons(new AggregateError(many))).toHaveLength(3)
  })

  it.prop("reads any message", [FastCheck.string(), FastCheck.string()], ([code, message]) => {
    expect(Hints.of(CauseThrowables.from(coded(code, message))).length).toBeLessThanOrEqual(3)
  })
})

describeDatabases("Hints for a real error", (database) => {
  it.scopedLive("knows a missing table and a missing column", () =>
    Effect.gen(function* () {
      const client = yield* SqlClient.SqlClient
      const fails = (statement: string) => Effect.map(Effect.flip(client.unsafe(statement)), reasons)
      expect(yield* fails("SELECT * FROM no_such_cups")).toEqual(["The table no_such_cups does not exist."])
      yield* client`CREATE TABLE hinted_cups (id INTEGER)`
      expect(yield* fails("SELECT colour FROM hinted_cups")).toEqual(["The column colour does not exist."])
    }).pipe(Effect.provide(database.layer))
  )
})

it.scopedLive("Hints for a server that is not there names DATABASE_URL", () =>
  Effect.gen(function* () {
    // A port that was free a moment ago.
    const port = yield* Effect.async<number>((resume) => {
      const server = Net.createServer().listen(0, "127.0.0.1", () => {
        const address = server.address()
        server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
      })
    })
    const url = Redacted.make(`postgres://ada:secret-word@127.0.0.1:${port}/shop`)
    const exit = yield* Effect.exit(Layer.build(PgClient.layer({ url })))
    const [hint] = Exit.isFailure(exit) ? Hints.of(CauseThrowables.from(exit.cause)) : []
    expect(hint).toMatchObject({ reason: "The database cannot be reached." })
    expect(hint?.remedy).toContain("DATABASE_URL")
  })
)
