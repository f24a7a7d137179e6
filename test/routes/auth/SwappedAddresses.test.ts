// Two accounts that take each other's address at the same moment, over real sockets. On PostgreSQL each waits for the other, and
// the database ends one of the transactions.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"

const rounds = 10

describeDatabases("Two accounts that swap addresses at once", (database) => {
  layer(server(database), { excludeTestServices: true })((it) => {
    it.effect("are both answered, never with a 500, and keep one address each", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        if (database.name === "PostgreSQL") {
          // Both arrive at their `UPDATE` before either runs: the test holds the lock until then.
          yield* sql`CREATE FUNCTION meet() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END $$`
          yield* sql`CREATE TRIGGER meet BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION meet()`
        }
        const { requestEmail } = yield* AccountChanges
        const { findById } = yield* Users
        const statuses = new Set<number>()
        for (let round = 0; round < rounds; round++) {
          const [ann, bob] = [yield* TestApp.bearerUser(), yield* TestApp.bearerUser()]
          const move = Effect.fnUntraced(function* (from: TestApp.SignedInClient, to: TestApp.SignedInClient) {
            const { value } = yield* requestEmail(from.user.id, to.user.email, "1 hour")
            return from.json("POST", "/api/email/redeem", { token: Redacted.value(value).replace(".", "/") })
          })
          const both = Effect.all([yield* move(ann, bob), yield* move(bob, ann)], { concurrency: "unbounded" })
          const responses = yield* database.name === "PostgreSQL" ? together(both) : both
          for (const { status } of responses) statuses.add(status)
          const after = yield* Effect.forEach([ann, bob], ({ user }) => Effect.flatten(findById(user.id)))
          expect(after.map(({ email }) => email).sort()).toEqual([ann.user.email, bob.user.email].sort())
        }
        expect([...statuses].filter((status) => ![200, 409].includes(status))).toEqual([])
      })
    )
  })
})

/** Lets the requests go on only when both wait. */
const together = <A, E, R>(requests: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const waiting = sql<{ count: number }>`SELECT COUNT(*)::int AS count FROM pg_locks
      WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database
        WHERE datname = current_database())`
    return yield* Effect.scoped(
      Effect.gen(function* () {
        const connection = yield* sql.reserve
        yield* connection.executeUnprepared("SELECT pg_advisory_lock(1)", [], undefined)
        const fiber = yield* Effect.fork(requests)
        yield* eventually(waiting, ([row]) => Number(row?.count) === 2)
        yield* connection.executeUnprepared("SELECT pg_advisory_unlock(1)", [], undefined)
        return yield* fiber
      })
    )
  })
