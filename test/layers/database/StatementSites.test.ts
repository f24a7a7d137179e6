// Errors of both databases carry the statement without its values, and the place in this file that wrote it.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, FastCheck } from "effect"
import { orPlain } from "../../../layers/database/PreparedStatements.ts"
import * as FailedStatement from "../../../src/database/FailedStatement.ts"
import * as ConsoleReport from "../../../src/errors/ConsoleReport.ts"
import * as DebugPage from "../../../src/errors/DebugPage.ts"
import * as LogLine from "../../../src/errors/LogLine.ts"
import * as ErrorBody from "../../../src/errors/ErrorBody.ts"
import * as CauseThrowables from "../../../src/errors/CauseThrowables.ts"
import { describeDatabases } from "../../support/Databases.ts"

const sources = { root: "", locate: <A>(place: A) => place, read: () => undefined }

const failure = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.map(Effect.flip(Effect.sandbox(effect)), (cause) => CauseThrowables.from(cause))

describeDatabases("An error of the database", ({ layerEmpty }) => {
  it.effect("carries the statement without its values, and the place that wrote it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { one } = yield* orPlain
      const read = one(sql`SELECT name FROM missing WHERE token = ${""}`)
      const ways = [
        Effect.asVoid(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`),
        Effect.asVoid(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`.values),
        Effect.asVoid(sql.unsafe("SELECT name FROM missing WHERE token = 'hunter2'")),
        Effect.asVoid(sql.withTransaction(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`)),
        Effect.asVoid(Effect.orDie(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`)),
        Effect.asVoid(read(["hunter2"]))
      ]
      for (const way of ways) {
        const throwable = yield* failure(way)
        expect(throwable.class).toBe("SqlError")
        expect(throwable.statement).toMatch(/^SELECT name FROM missing WHERE token = (?:\?|\$1|'…')$/)
        const details = ErrorBody.details(throwable, sources)
        expect(details.file).toMatch(/StatementSites\.test\.ts$/)
        const line = LogLine.of(throwable, {}, 0, sources)
        expect([line.file, line.statement]).toEqual([details.file, details.statement])
        const shown = [
          JSON.stringify(details),
          LogLine.encode(line),
          ConsoleReport.render(throwable, { sources }),
          DebugPage.render({ throwable }, { sources, nonce: "n" })
        ]
        for (const text of shown) {
          expect(text).toContain("SELECT name FROM missing WHERE")
          expect(text).toContain("StatementSites.test.ts")
          expect(text).not.toContain("hunter2")
        }
      }
    }).pipe(Effect.provide(layerEmpty))
  )
})

it("a statement that holds literals is shown without them", () => {
  expect(FailedStatement.withoutLiterals("SELECT 'it''s' , 'x', $1, \"name\" FROM t WHERE a = 'open")).toBe(
    "SELECT '…''…' , '…', $1, \"name\" FROM t WHERE a = '…'"
  )
  expect(FailedStatement.withoutLiterals("SELECT $1, $tag$hunter2$tag$")).toBe("SELECT …")
  expect(FailedStatement.withoutLiterals("SELECT a, E'it\\'s hunter2'")).toBe("SELECT a, E…")
  const literal = FastCheck.string({ unit: FastCheck.constantFrom("a", "'", "\\", "$", " ", "\n") })
  FastCheck.assert(
    FastCheck.property(literal, literal, (one, two) => {
      const quoted = (text: string) => `'${text.replaceAll("'", "''")}canary${text.replaceAll("'", "''")}'`
      const text = `SELECT ${quoted(one)}, ${quoted(two)} FROM t`
      expect(FailedStatement.withoutLiterals(text)).not.toContain("canary")
    })
  )
})

it("a cause behind another error keeps its statement", () => {
  const error = new Error("driver")
  FailedStatement.note(error, { text: "SELECT 1", site: new Error("written here") })
  const [outer] = CauseThrowables.all(Cause.die(new Error("outer", { cause: error })))
  expect(outer?.statement).toBeUndefined()
  expect(outer?.chain[0]?.statement).toBe("SELECT 1")
})
