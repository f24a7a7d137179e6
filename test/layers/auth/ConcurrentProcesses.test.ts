import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Redacted } from "effect"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { describeDatabases, postgres, TestDatabase } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "./Stores.ts"
import { twoProcesses } from "../../support/ConcurrentProcesses.ts"

/** Milliseconds that a test with processes may take on a busy machine. */
const deadline = 240_000

// The processes have the clock of the machine, so the tests do too.
const live = { excludeTestServices: true } as const

/** Until so many statements like this one wait for a lock of another transaction. SQLite has one writer: no one waits there. */
const untilBlocked = (count: number, statement: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.onDialectOrElse({
      pg: () =>
        Effect.repeat(
          sql<{ count: number }>`SELECT COUNT(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE ${statement}`,
          { until: ([row]) => row?.count === count }
        ),
      orElse: () => Effect.yieldNow()
    })
  )

const rounds = Array.from({ length: 3 }, (_, round) => round)

describeDatabases("Two processes at once", (database) => {
  layer(
    stores(database),
    live
  )((it) => {
    it.effect(
      "let one of 50 redeems, of 50 registrations and 5 of 50 limited attempts win, and one of 50 rotates at most",
      () =>
        Effect.gen(function* () {
          const { url } = yield* TestDatabase
          const tokens = yield* Tokens
          const trust = yield* Trust
          const { run } = yield* twoProcesses(url)
          for (const round of rounds) {
            const { id } = yield* enroll
            const token = yield* tokens.mint(id, "recovery")
            const redeemed = yield* run("redeem", Redacted.value(token.value), 25)
            expect(redeemed.filter((outcome) => outcome !== "none")).toEqual([id])

            const enrolled = yield* run("enroll", `concurrent-${round}@example.com`, 25)
            expect(enrolled.filter((outcome) => outcome !== "Duplicate")).toHaveLength(1)

            const hits = yield* run("hit", `peer-${round}`, 25)
            expect(hits.filter((outcome) => outcome === "allowed")).toHaveLength(5)

            // A rotate that reads after another process has won cannot tell a race from a replay: then it is theft.
            const device = yield* trust.issue(id)
            const rotated = yield* run("rotate", Redacted.value(device.value), 25)
            const winners = rotated.filter((outcome) => outcome.includes("."))
            expect(winners).toHaveLength(1)
            const stolen = rotated.includes("Theft")
            expect(yield* trust.list(id)).toHaveLength(stolen ? 0 : 1)
            expect(Option.isSome(yield* trust.rotate(Redacted.make(winners[0] ?? "")))).toBe(!stolen)
          }
        }).pipe(Effect.scoped),
      deadline
    )
  })
})

/** Runs the first part of a transaction; the effect that is returned runs the rest, commits, and has the result of the rest. */
const openTransaction = <A>(first: Effect.Effect<unknown>, rest: Effect.Effect<A | void> = Effect.void) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [begun, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const whole = first.pipe(
      Effect.zipRight(Deferred.succeed(begun, undefined)),
      Effect.zipRight(Deferred.await(release)),
      Effect.zipRight(rest)
    )
    const running = yield* Effect.fork(sql.withTransaction(whole))
    yield* Deferred.await(begun)
    return Effect.zipRight(Deferred.succeed(release, undefined), Fiber.join(running))
  })

describeDatabases("A revocation in an open transaction", (database) => {
  layer(
    stores(database),
    live
  )((it) => {
    it.effect("undoes a sign-in that is written before it commits", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const sessions = yield* Sessions
        const identity = yield* enroll
        const thief = new Browser()
        const { finish, session } = yield* thief.begin({ method: "POST" })
        yield* session.trackRevocations
        yield* session[signIn](identity)
        const commit = yield* openTransaction(sessions.revoke(identity.id))
        const signing = yield* Effect.fork(finish)
        yield* untilBlocked(1, 'INSERT INTO "revocations"%')
        yield* commit
        expect(yield* Fiber.join(signing)).toEqual([])
        expect(yield* sql`SELECT key FROM sessions WHERE user_id = ${identity.id}`).toEqual([])
      })
    )
  })
})

layer(stores(postgres), live)("Revocations in transactions that are open at once", (it) => {
  it.effect("undo a sign-in that has seen the number of another account's", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* Sessions
      const identity = yield* enroll
      const { id: stranger } = yield* enroll
      const commit = yield* openTransaction(sessions.revoke(identity.id))
      // It either takes its number now, or waits for the open transaction.
      const other = yield* Effect.fork(sessions.revoke(stranger))
      yield* Effect.raceFirst(Fiber.join(other), untilBlocked(1, 'INSERT INTO "revocations"%'))
      const thief = new Browser()
      const { finish, session } = yield* thief.begin({ method: "POST" })
      yield* session.trackRevocations
      yield* session[signIn](identity)
      const signing = yield* Effect.fork(finish)
      yield* Effect.repeat(sql`SELECT key FROM sessions WHERE user_id = ${identity.id}`, {
        until: ({ length }) => length === 1
      })
      yield* commit
      yield* Fiber.join(other)
      expect(yield* Fiber.join(signing)).toEqual([])
      expect(yield* sql`SELECT key FROM sessions WHERE user_id = ${identity.id}`).toEqual([])
    })
  )
})

layer(stores(postgres), live)("Revocations of several accounts in one transaction", (it) => {
  it.effect("wait for no one who waits for them", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const [one, other] = [yield* enroll, yield* enroll]
      yield* Effect.forEach([one, other], (identity) => signedIn(identity))
      const commit = yield* openTransaction(sessions.revoke(one.id), sessions.revoke(other.id))
      const alone = yield* Effect.fork(sessions.revoke(other.id))
      yield* untilBlocked(1, 'INSERT INTO "revocations"%')
      expect([yield* commit, yield* Fiber.join(alone)]).toEqual([1, 0])
    })
  )
})

layer(stores(postgres), live)("Rotates of two processes behind a barrier", (it) => {
  it.effect(
    "have one winner and no thief when all had read before one wrote",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* TestDatabase
        const trust = yield* Trust
        const { id } = yield* enroll
        const device = yield* trust.issue(id)
        const { run } = yield* twoProcesses(url)
        const [held, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const barrier = sql.withTransaction(
          sql`SELECT selector FROM trusts WHERE user_id = ${id} FOR UPDATE`.pipe(
            Effect.zipRight(Deferred.succeed(held, undefined)),
            Effect.zipRight(Deferred.await(release))
          )
        )
        const holding = yield* Effect.fork(barrier)
        yield* Deferred.await(held)
        const racing = yield* Effect.fork(run("rotate", Redacted.value(device.value), 4))
        // One of each process: the others of a process wait for their own.
        yield* untilBlocked(2, "UPDATE%trusts%")
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(holding)
        const outcomes = yield* Fiber.join(racing)
        expect(outcomes.filter((outcome) => outcome === "none")).toHaveLength(7)
        expect(yield* trust.list(id)).toHaveLength(1)
      }).pipe(Effect.scoped),
    deadline
  )
})
