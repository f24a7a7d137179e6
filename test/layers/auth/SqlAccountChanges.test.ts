import { expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Deferred, Effect, FastCheck, Fiber, Option, Redacted, TestClock } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { postgres } from "../../support/Databases.ts"
import { enroll, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

const week = "7 days"

let count = 0
const fresh = () => `fresh-${count++}@example.com`

const redeem = Effect.fnUntraced(function* (user: AccountId, email: string) {
  const changes = yield* AccountChanges
  const token = yield* changes.requestEmail(user, email, "1 hour")
  return Option.getOrThrow(yield* changes.changeEmail(token.value, week))
})

/** Changes a verified address; returns the token of the undo. */
const change = Effect.fnUntraced(function* (user: AccountId, email: string) {
  yield* Effect.flatMap(Users, ({ confirm }) => confirm(user))
  return Option.getOrThrow((yield* redeem(user, email)).undo).value
})

const addressOf = (user: AccountId) =>
  Effect.flatMap(Users, ({ findById }) =>
    Effect.map(findById(user), (account) => [Option.getOrThrow(account).email, Option.getOrThrow(account).verified])
  )

layer(stores(postgres), { excludeTestServices: true })("The sweep on PostgreSQL", (it) => {
  it.effect("does not wait for a row that a transaction holds", () =>
    Effect.gen(function* () {
      const changes = yield* AccountChanges
      const sql = yield* SqlClient.SqlClient
      const [held, free] = [yield* enroll, yield* enroll]
      yield* changes.requestEmail(held.id, fresh(), "1 hour")
      yield* changes.requestEmail(free.id, fresh(), "1 hour")
      yield* sql`UPDATE account_changes SET expires = 1`
      const [first, last] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql`SELECT 1 FROM account_changes WHERE user_id = ${held.id} FOR UPDATE`.pipe(
        Effect.zipRight(Deferred.succeed(first, undefined)),
        Effect.zipRight(Deferred.await(last)),
        sql.withTransaction,
        Effect.fork
      )
      yield* Deferred.await(first)
      expect(yield* changes.sweep).toBe(1)
      yield* Deferred.succeed(last, undefined)
      yield* Fiber.join(holder)
      expect(yield* changes.sweep).toBe(1)
    })
  )
})

describeTables("AccountChanges", (database, tables) => {
  layer(stores(database, {}, tables))((it) => {
    it.effect("changes an address once, by a token that changes nothing before", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const tokens = yield* Tokens
        const { email: old, id } = yield* enroll
        const email = fresh()
        const token = yield* changes.requestEmail(id, email, "1 hour")
        const link = yield* tokens.mint(id, "recovery")
        const report = yield* tokens.mint(id, "not_me")
        expect(yield* changes.find(token.value, "email")).toEqual(Option.some({ user: id, email }))
        expect(yield* changes.find(token.value, "undo")).toEqual(Option.none())
        expect(yield* addressOf(id)).toEqual([old, false])
        const made = Option.getOrThrow(yield* changes.changeEmail(token.value, week))
        expect([made.user, made.previous]).toEqual([{ id, email, verified: true }, old])
        expect(yield* addressOf(id)).toEqual([email, true])
        // What was mailed to the old address.
        expect(yield* tokens.check(link.value, "recovery")).toBe(false)
        expect(yield* tokens.check(report.value, "not_me")).toBe(true)
        expect(yield* changes.changeEmail(token.value, week)).toEqual(Option.none())
      })
    )

    it.effect("knows the latest token alone, until it expires or is cancelled", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const first = yield* changes.requestEmail(id, fresh(), "1 hour")
        const email = fresh()
        const second = yield* changes.requestEmail(id, email, "1 hour")
        expect(yield* changes.changeEmail(first.value, week)).toEqual(Option.none())
        const waiting = Option.getOrThrow(yield* changes.pendingEmail(id))
        expect(waiting).toEqual({ email, expires: expect.any(Number) })
        expect(yield* changes.cancelEmail(id)).toBe(true)
        expect(yield* changes.pendingEmail(id)).toEqual(Option.none())
        expect(yield* changes.changeEmail(second.value, week)).toEqual(Option.none())
        expect(yield* changes.cancelEmail(id)).toBe(false)
        const third = yield* changes.requestEmail(id, fresh(), "1 hour")
        expect(Option.isSome(yield* changes.pendingEmail(id))).toBe(true)
        yield* TestClock.adjust("1 hour")
        expect(yield* changes.pendingEmail(id)).toEqual(Option.none())
        expect(yield* changes.changeEmail(third.value, week)).toEqual(Option.none())
        const text = Redacted.value(third.value)
        const wrong = `${text.slice(0, 17)}${"0".repeat(64)}`
        for (const given of ["", "x", wrong, `${text}0`, "\0"]) {
          expect(yield* changes.find(Redacted.make(given), "email")).toEqual(Option.none())
          expect(yield* changes.undoEmail(Redacted.make(given))).toEqual(Option.none())
        }
      })
    )

    it.effect("lets one of two accounts have an address that both were promised", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const email = fresh()
        const requests = Effect.gen(function* () {
          const { id } = yield* enroll
          return yield* changes.requestEmail(id, email, "1 hour")
        })
        const tokens = yield* Effect.replicateEffect(requests, 4)
        const outcomes = yield* Effect.forEach(
          tokens,
          ({ value }) =>
            changes.changeEmail(value, week).pipe(
              Effect.map(Option.isSome),
              Effect.catchTag("Duplicate", () => Effect.succeed("Duplicate" as const))
            ),
          { concurrency: "unbounded" }
        )
        expect(outcomes.sort()).toEqual(["Duplicate", "Duplicate", "Duplicate", true])
      })
    )

    it.effect("takes no address of an account, also of one that signs up at the same time", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const users = yield* Users
        const { email: taken } = yield* enroll
        const { email: old, id } = yield* enroll
        const token = yield* changes.requestEmail(id, taken, "1 hour")
        expect(yield* Effect.flip(changes.changeEmail(token.value, week))).toMatchObject({ _tag: "Duplicate" })
        expect(yield* addressOf(id)).toEqual([old, false])
        const email = fresh()
        const late = yield* changes.requestEmail(id, email, "1 hour")
        const [changed, enrolled] = yield* Effect.all(
          [
            Effect.either(changes.changeEmail(late.value, week)),
            Effect.either(users.enroll(email, Redacted.make("correct horse")))
          ],
          { concurrency: 2 }
        )
        expect([changed._tag, enrolled._tag].sort()).toEqual(["Left", "Right"])
      })
    )

    it.effect("restores the old address for seven days, and keeps it from others until then", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const users = yield* Users
        const { email: old, id } = yield* enroll
        const undo = yield* change(id, fresh())
        const password = Redacted.make("correct horse")
        expect(yield* Effect.flip(users.enroll(old, password))).toMatchObject({ _tag: "Duplicate" })
        const other = yield* enroll
        const wanted = yield* changes.requestEmail(other.id, old, "1 hour")
        expect(yield* Effect.flip(changes.changeEmail(wanted.value, week))).toMatchObject({ _tag: "Duplicate" })
        const restored = yield* changes.undoEmail(undo)
        expect(Option.map(restored, ({ user: account }) => account)).toEqual(
          Option.some({ id, email: old, verified: true })
        )
        expect(yield* addressOf(id)).toEqual([old, true])
        expect(yield* changes.undoEmail(undo)).toEqual(Option.none())
        const late = yield* change(id, fresh())
        yield* TestClock.adjust(week)
        expect(yield* changes.undoEmail(late)).toEqual(Option.none())
        yield* users.enroll(old, password)
      })
    )

    it.effect("lets the owner undo whatever followed, and ends the undo of whoever took over", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { email: owner, id } = yield* enroll
        const first = yield* change(id, fresh())
        const second = yield* change(id, fresh())
        const third = yield* change(id, fresh())
        const pending = yield* changes.requestEmail(id, fresh(), "1 hour")
        yield* changes.requestDeletion(id, "1 second")
        expect(Option.isSome(yield* changes.undoEmail(second))).toBe(true)
        expect(Option.isSome(yield* changes.undoEmail(first))).toBe(true)
        for (const token of [first, second, third]) expect(yield* changes.undoEmail(token)).toEqual(Option.none())
        expect(yield* changes.changeEmail(pending.value, week)).toEqual(Option.none())
        expect(yield* changes.deletion(id)).toEqual(Option.none())
        expect(yield* addressOf(id)).toEqual([owner, true])
      })
    )

    it.effect("ends with the earliest address, in whatever order the undos are used", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const orders = FastCheck.sample(FastCheck.shuffledSubarray([0, 1, 2], { minLength: 1 }), 6)
        for (const order of orders) {
          const { email: first, id } = yield* enroll
          const addresses = [first, fresh(), fresh(), fresh()]
          const undos: Array<Redacted.Redacted> = []
          for (const email of addresses.slice(1)) undos.push(yield* change(id, email))
          yield* Effect.forEach(order, (index) => changes.undoEmail(undos[index] ?? Redacted.make("")), {
            concurrency: "unbounded"
          })
          expect((yield* addressOf(id))[0], order.join()).toBe(addresses[Math.min(...order)])
        }
      })
    )

    it.effect("restores the address while whoever took over redeems another one", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const race = Effect.gen(function* () {
          const { email, id } = yield* enroll
          const undo = yield* change(id, fresh())
          const next = yield* changes.requestEmail(id, fresh(), "1 hour")
          const both = [changes.changeEmail(next.value, week), changes.undoEmail(undo)]
          yield* Effect.all(both, { concurrency: "unbounded", discard: true })
          expect(yield* addressOf(id)).toEqual([email, true])
        })
        yield* Effect.all(Effect.replicate(race, 20), { concurrency: 4, discard: true })
      })
    )

    it.effect("marks an account as to be deleted, and lets one worker have it when it is due", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const due = yield* changes.requestDeletion(id, "14 days")
        expect(yield* changes.deletion(id)).toEqual(Option.some(due))
        expect(yield* changes.claim(id)).toBe(false)
        expect(yield* changes.cancelDeletion(id)).toBe(true)
        expect(yield* changes.deletion(id)).toEqual(Option.none())
        yield* changes.requestDeletion(id, "14 days", { language: "de-AT" })
        yield* TestClock.adjust("14 days")
        expect(yield* changes.due).toContainEqual({ user: id, language: "de-AT" })
        yield* changes.sweep
        const claims = yield* Effect.all([changes.claim(id), changes.claim(id), changes.claim(id)], {
          concurrency: "unbounded"
        })
        expect(claims.filter(Boolean)).toHaveLength(1)
        expect((yield* changes.due).map(({ user }) => user)).not.toContain(id)
      })
    )

    it.effect("deletes no account before its address can no longer be restored", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const now = yield* changes.requestDeletion(id, 0)
        yield* change(id, fresh())
        expect((yield* changes.requestDeletion(id, "1 second")) - now).toBe(7 * 86_400)
      })
    )

    it.effect("postpones a deletion that was asked for before the address was changed, and never advances one", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const now = yield* changes.requestDeletion(id, 0)
        yield* change(id, fresh())
        expect(yield* changes.deletion(id)).toEqual(Option.some(now + 7 * 86_400))
        expect(yield* changes.claim(id)).toBe(false)
        const later = yield* enroll
        const due = yield* changes.requestDeletion(later.id, "14 days")
        yield* change(later.id, fresh())
        expect(yield* changes.deletion(later.id)).toEqual(Option.some(due))
      })
    )

    // Neither transaction of PostgreSQL sees what the other is about to commit, so neither moves the date.
    it.effect("deletes no account with an address that can be restored, although its deletion is due", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const date = yield* changes.requestDeletion(id, 0)
        yield* change(id, fresh())
        yield* query((sql) => {
          const deletion = sql`user_id = ${id} AND kind = 'deletion'`
          return sql`UPDATE ${sql(tables.accountChanges)} SET expires = ${date} WHERE ${deletion}`
        })
        const isDue = Effect.map(changes.due, (due) => due.some(({ user }) => user === id))
        expect([yield* isDue, yield* changes.claim(id)]).toEqual([false, false])
        yield* TestClock.adjust(week)
        expect([yield* isDue, yield* changes.claim(id)]).toEqual([true, true])
      })
    )

    it.effect("keeps no address that was never verified, and restores none", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const users = yield* Users
        const { email: mistyped, id } = yield* enroll
        const due = yield* changes.requestDeletion(id, "1 hour")
        const [proved, next] = [fresh(), fresh()]
        const made = yield* redeem(id, proved)
        expect([made.previous, made.undo]).toEqual([mistyped, Option.none()])
        expect(yield* changes.deletion(id)).toEqual(Option.some(due))
        yield* users.enroll(mistyped, Redacted.make("correct horse"))
        // The address that was proved is kept as ever.
        const { undo } = yield* redeem(id, next)
        expect(Option.isSome(yield* changes.undoEmail(Option.getOrThrow(undo).value))).toBe(true)
        expect(yield* addressOf(id)).toEqual([proved, true])
      })
    )

    it.effect("refuses both of two accounts that take each other's address at once", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        for (let round = 0; round < 3; round++) {
          const [one, other] = [yield* enroll, yield* enroll]
          const tokens = [
            yield* changes.requestEmail(one.id, other.email, "1 hour"),
            yield* changes.requestEmail(other.id, one.email, "1 hour")
          ]
          // On PostgreSQL each waits for the row of the other, and the server ends one of them.
          const outcomes = yield* Effect.forEach(tokens, ({ value }) => Effect.flip(changes.changeEmail(value, week)), {
            concurrency: "unbounded"
          })
          expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Duplicate", "Duplicate"])
          expect(yield* addressOf(one.id)).toEqual([one.email, false])
        }
      })
    )

    it.effect("moves two accounts in turns while the rows that they wait for are swept", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        for (let round = 0; round < 3; round++) {
          const [one, other] = [yield* enroll, yield* enroll]
          yield* change(one.id, fresh())
          yield* change(other.id, fresh())
          yield* TestClock.adjust(week)
          // The address of each is free for the other now.
          const tokens = [
            yield* changes.requestEmail(one.id, other.email, "1 hour"),
            yield* changes.requestEmail(other.id, one.email, "1 hour")
          ]
          yield* Effect.all(
            [...tokens.map(({ value }) => changes.changeEmail(value, week)), changes.sweep, changes.sweep],
            { concurrency: "unbounded" }
          )
          expect([yield* addressOf(one.id), yield* addressOf(other.id)]).toEqual([
            [other.email, true],
            [one.email, true]
          ])
        }
      })
    )

    it.effect("sweeps what has expired, and stores no secret", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        const { id } = yield* enroll
        const undo = yield* change(id, fresh())
        const token = yield* changes.requestEmail(id, fresh(), "1 hour")
        const rows = query((sql) => sql`SELECT * FROM ${sql(tables.accountChanges)} WHERE user_id = ${id}`)
        const stored = JSON.stringify(yield* rows)
        for (const secret of [undo, token.value]) expect(stored).not.toContain(Redacted.value(secret).slice(17))
        yield* TestClock.adjust(week)
        expect(yield* changes.sweep).toBeGreaterThanOrEqual(2)
        expect(yield* rows).toEqual([])
        yield* changes.requestEmail(id, fresh(), "1 hour")
        yield* Effect.flatMap(Users, ({ remove }) => remove(id))
        expect(yield* rows).toEqual([])
      })
    )
  })
})
