// Errors of both databases carry the statement without its values, and the place in this file that wrote it.
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, FastCheck, Layer } from "effect"
import { orPlain, writer } from "../../../layers/database/internal/PreparedStatements.ts"
import * as FailedStatement from "../../../src/errors/internal/FailedStatement.ts"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as DebugPage from "../../../src/errors/internal/debug/DebugPage.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
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
      const write = writer((token: string) => sql`SELECT name FROM missing WHERE token = ${token}`, [""])
      const ways = [
        Effect.asVoid(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`),
        Effect.asVoid(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`.values),
        Effect.asVoid(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`.raw),
        Effect.asVoid(sql.unsafe("SELECT name FROM missing WHERE token = 'hunter2'")),
        Effect.asVoid(sql.withTransaction(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`)),
        Effect.asVoid(Effect.orDie(sql`SELECT name FROM missing WHERE token = ${"hunter2"}`)),
        Effect.asVoid(read(["hunter2"])),
        Effect.asVoid(write("hunter2")),
        Effect.asVoid(sql.withTransaction(write("hunter2")))
      ]
      for (const way of ways) {
        const throwable = yield* failure(way)
        expect(throwable.class).toBe("SqlError")
        expect(throwable.statement).toMatch(/^SELECT name FROM missing WHERE token = (?:\?|\$1|'…')$/)
        const details = ErrorBody.details(throwable, sources)
        expect(details.file).toMatch(/StatementSites\.test\.ts$/)
        const line = RecordLine.maker(sources).make(throwable, {}, 0)
        expect([line.file, line.statement]).toEqual([details.file, details.statement])
        const shown = [
          JSON.stringify(details),
          RecordLine.encode(line),
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

  it.effect("is not changed where the program has made the client", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* SqliteClient.make({ filename: ":memory:" })
      const { statement } = yield* failure(own`SELECT name FROM missing`)
      expect(statement).toBeUndefined()
      expect(Object.getPrototypeOf(sql`SELECT 1`)).not.toBe(Object.getPrototypeOf(own`SELECT 1`))
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(layerEmpty, Reactivity.layer)))
  )

  it.effect("leaves a statement a fragment, an effect and a text", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const inner = sql`SELECT 1 AS one`
      const outer = sql<{ readonly one: number }>`SELECT one FROM (${inner}) AS inner_rows`
      expect(outer.compile()[0]).toBe("SELECT one FROM (SELECT 1 AS one) AS inner_rows")
      expect(yield* outer).toEqual([{ one: 1 }])
      expect(yield* outer.values).toEqual([[1]])
      expect(yield* outer.withoutTransform).toEqual([{ one: 1 }])
      expect(yield* outer.unprepared).toEqual([{ one: 1 }])
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
