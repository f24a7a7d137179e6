import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit } from "effect"
import { isUnavailable } from "../../../src/errors/internal/DatabaseFailure.ts"
import * as Transaction from "../../../layers/database/internal/Transaction.ts"
import { describeDatabases, postgres } from "../../support/Databases.ts"

const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Transaction.make(sql)(effect))

const add = (name: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO teas VALUES (${name})`)

const teas = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ name: string }>`SELECT name FROM teas ORDER BY name`)

describeDatabases("a transaction", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("keeps what succeeds, and nothing of what fails, whose error stays typed", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE teas (name TEXT PRIMARY KEY)`
        expect(yield* run(Effect.as(add("green"), 1))).toBe(1)
        expect(yield* Effect.flip(run(Effect.zipRight(add("black"), Effect.fail("cold"))))).toBe("cold")
        const defect = yield* Effect.exit(run(Effect.zipRight(add("white"), Effect.die("broken"))))
        expect(Exit.isFailure(defect) && Cause.isDie(defect.cause)).toBe(true)
        // Inside another one it is a savepoint.
        yield* run(Effect.zipRight(add("red"), Effect.ignore(run(Effect.zipRight(add("blue"), Effect.fail("cold"))))))
        expect(yield* teas).toEqual([{ name: "green" }, { name: "red" }])
      })
    )
  })
})

layer(postgres.layerEmpty, { excludeTestServices: true })(
  "a transaction that PostgreSQL ends for another one",
  (it) => {
    const prepare = Effect.fnUntraced(function* (table: string) {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE ${sql(table)} (name TEXT PRIMARY KEY, amount INTEGER NOT NULL)`
      yield* sql`INSERT INTO ${sql(table)} VALUES ('left', 0), ('right', 0)`
      const raise = (name: string) => sql`UPDATE ${sql(table)} SET amount = amount + 1 WHERE name = ${name}`
      return { sql, raise }
    })

    it.effect("runs again after a deadlock, as a whole", () =>
      Effect.gen(function* () {
        const { raise, sql } = yield* prepare("pairs")
        const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        let runs = 0
        const both = (mine: string, other: string, arrived: Deferred.Deferred<void>, wait: Deferred.Deferred<void>) =>
          run(
            Effect.gen(function* () {
              runs++
              yield* Effect.orDie(raise(mine))
              yield* Deferred.succeed(arrived, undefined)
              yield* Deferred.await(wait)
              // A store inside of it has a savepoint, which must not be tried again alone: the locks are still held.
              yield* run(Effect.orDie(raise(other)))
            })
          )
        yield* Effect.all([both("left", "right", first, second), both("right", "left", second, first)], {
          concurrency: "unbounded"
        })
        expect(runs).toBe(3)
        expect(yield* sql`SELECT amount FROM pairs`).toEqual([{ amount: 2 }, { amount: 2 }])
      })
    )

    it.effect.each(["40P01", "40001"])("gives up after three retries of %s, which is a 503", (code) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        let runs = 0
        const refused = Effect.suspend(() => {
          runs++
          return sql.unsafe(`DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '${code}'; END $$`)
        })
        const defect = yield* Effect.sandbox(run(Effect.orDie(refused))).pipe(Effect.flip, Effect.map(Cause.squash))
        expect([runs, isUnavailable(defect)]).toEqual([4, true])
        expect(isUnavailable(yield* Effect.flip(run(refused)))).toBe(true)
        expect(runs).toBe(8)
        yield* Effect.flip(run(sql`SELECT 1 / 0`))
      })
    )

    it.effect("runs once when its own failure ends it", () =>
      Effect.gen(function* () {
        let runs = 0
        expect(yield* Effect.flip(run(Effect.suspend(() => Effect.fail(++runs))))).toBe(1)
        expect(runs).toBe(1)
      })
    )
  }
)
