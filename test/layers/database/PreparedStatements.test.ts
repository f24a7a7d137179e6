import { SqlClient, Statement } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Option } from "effect"
import {
  inserter,
  orPlain,
  PreparedStatements,
  reader,
  writer
} from "../../../layers/database/internal/PreparedStatements.ts"
import { describeDatabases } from "../../support/Databases.ts"

describeDatabases("PreparedStatements", (database) => {
  layer(database.layer)((it) => {
    it.effect("come with the database layer", () =>
      Effect.gen(function* () {
        expect(Option.getOrThrow(yield* Effect.serviceOption(PreparedStatements))).toBe(yield* orPlain)
      })
    )

    it.effect("are plain queries on a client alone", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* Effect.mapInputContext(orPlain, (context: Context.Context<SqlClient.SqlClient>) =>
          Context.make(SqlClient.SqlClient, Context.get(context, SqlClient.SqlClient))
        )
        expect(prepared.commits).toBeUndefined()
        const read = prepared.one(
          sql<{ email: string }>`SELECT email FROM users WHERE id = ${""} AND created_at > ${0}`
        )
        expect(yield* read(["alone", 0])).toEqual(Option.none())
        yield* sql`INSERT INTO users ${sql.insert({ id: "alone", email: "a@example.com", password: "", created_at: 5 })}`
        expect(yield* read(["alone", 0])).toEqual(Option.some({ email: "a@example.com" }))
        expect(yield* read(["alone", 5])).toEqual(Option.none())
      })
    )

    it.effect("give all rows in their order", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { all } = yield* orPlain
        const read = all(sql<{ id: string; created_at: number }>`SELECT id, created_at FROM users
          WHERE id LIKE ${""} AND created_at > ${0} ORDER BY id DESC`)
        expect(yield* read(["all-%", 0])).toEqual([])
        const users = [1, 2, 3].map((at) => ({
          id: `all-${at}`,
          email: `all-${at}@example.com`,
          password: "",
          created_at: at
        }))
        yield* sql`INSERT INTO users ${sql.insert(users)}`
        expect(yield* read(["all-%", 1])).toEqual([
          { id: "all-3", created_at: 3 },
          { id: "all-2", created_at: 2 }
        ])
      })
    )

    it.effect("a reader sees what its own transaction has written, and nobody else does", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const find = reader(
          yield* orPlain,
          (id: string) => sql<{ email: string }>`SELECT email FROM users WHERE id = ${id}`,
          [""]
        )
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`INSERT INTO users ${sql.insert({ id: "own", email: "own@example.com", password: "", created_at: 1 })}`
              expect(yield* find("own")).toEqual([{ email: "own@example.com" }])
              return yield* Effect.fail("rolled back")
            })
          )
          .pipe(Effect.flip)
        expect(yield* find("own")).toEqual([])
      })
    )

    it.effect("a writer is a part of its own transaction, and never of another one that is open", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const add = inserter(
          ["id", "email", "password", "created_at"],
          (row) => sql`INSERT INTO users ${sql.insert(row)}`
        )
        const move = writer(
          (at: number, id: string) =>
            sql<{ id: string }>`UPDATE users SET created_at = ${at} WHERE id = ${id} RETURNING id`,
          [0, ""]
        )
        const user = (id: string) => ({ id, email: `${id}@example.com`, password: "", created_at: 1 })
        const inside = yield* Deferred.make<void>()
        const beside = yield* Effect.fork(Effect.zipRight(Deferred.await(inside), add(user("beside"))))
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              expect(yield* add(user("within"))).toEqual([])
              expect(yield* move(7, "within")).toEqual([{ id: "within" }])
              expect(yield* sql`SELECT created_at FROM users WHERE id = ${"within"} AND created_at = 7`).toHaveLength(1)
              yield* Deferred.succeed(inside, undefined)
              yield* Effect.yieldNow()
              return yield* Effect.fail("rolled back")
            })
          )
          .pipe(Effect.flip)
        yield* Fiber.join(beside)
        const left = yield* sql`SELECT id FROM users WHERE id IN ('within', 'beside')`
        expect(left).toEqual([{ id: "beside" }])
        expect(yield* move(7, "within")).toEqual([])
      })
    )

    it.effect("a writer is seen by whoever changes the statements of a program", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const remove = writer((id: string) => sql`DELETE FROM users WHERE id = ${id}`, [""])
        const seen: Array<unknown> = []
        yield* Statement.withTransformer(remove("nobody"), (statement) =>
          Effect.sync(() => {
            seen.push(statement.compile()[1])
            return statement
          })
        )
        expect(seen).toEqual([["nobody"]])
      })
    )

    if (database.name === "SQLite") {
      it.effect("are planned once, and lists with filters for the values of each call", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE stones (id INTEGER PRIMARY KEY, colour INTEGER NOT NULL, size INTEGER NOT NULL)`
          yield* sql`INSERT INTO stones WITH RECURSIVE numbers (id) AS
            (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < 2000)
            SELECT id, id % 200 = 0, id % 200 = 1 FROM numbers`
          yield* sql`CREATE INDEX stones_colour ON stones (colour)`
          yield* sql`CREATE INDEX stones_size ON stones (size)`
          yield* sql`ANALYZE`
          const { all, values } = yield* orPlain
          if (values === undefined) return yield* Effect.dieMessage("no lists of values")
          const statement = sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT id FROM stones
            WHERE colour = ${0} AND size = ${0} LIMIT ${0}`
          // Few stones have the one colour, few others the one size.
          const given = [
            [1, 0, 10],
            [0, 1, 10]
          ]
          const plans = yield* Effect.forEach(given, all(statement))
          expect(plans[0]?.[0]?.detail).toBe("SCAN stones")
          expect(plans[1]).toEqual(plans[0])
          const [stable, other] = yield* Effect.forEach(given, values(statement, "kept"))
          expect(stable?.[0]?.at(-1)).toBe(plans[0]?.[0]?.detail)
          expect(other).toEqual(stable)
          expect((yield* Effect.forEach(given, values(statement))).map(([row]) => row?.at(-1))).toEqual([
            "SEARCH stones USING INDEX stones_colour (colour=?)",
            "SEARCH stones USING INDEX stones_size (size=?)"
          ])
        })
      )
    }
  })
})
