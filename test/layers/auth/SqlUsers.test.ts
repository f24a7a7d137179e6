import { expect, layer } from "@effect/vitest"
import argon2 from "argon2"
import bcrypt from "bcrypt"
import { Cause, Context, Deferred, Effect, Exit, Layer, Option, Redacted, Ref, TestClock } from "effect"
import * as Argon2Password from "../../../layers/auth/Argon2Password.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as SqlUsers from "../../../layers/auth/SqlUsers.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { Overloaded, Password } from "../../../src/auth/Password.ts"
import { minimumPolicy } from "../../../src/auth/internal/passwords/PasswordHash.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { Duplicate, Users } from "../../../src/auth/Users.ts"
import { describeTables, hasId, query } from "./TableVariants.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"

const hasher = Argon2Password.layer.pipe(
  Layer.provide(AuthConfig.layerWith({ argon2: minimumPolicy, hashQueue: 100 })),
  Layer.orDie
)

const secret = Redacted.make("correct horse battery")
const wrong = Redacted.make("wrong horse battery")

let count = 0
const address = () => `person-${count++}@example.com`

describeTables("Users", (database, tables) => {
  const { key, secret: column, table, verified } = tables.users
  const hashOf = (user: AccountId) =>
    Effect.map(
      query(
        (sql) =>
          sql<{ hash: string }>`SELECT ${sql(column)} AS hash FROM ${sql(table)} WHERE ${hasId(sql, tables, user)}`
      ),
      ([row]) => row?.hash
    )
  const plant = (user: AccountId, hash: string) =>
    query((sql) => sql`UPDATE ${sql(table)} SET ${sql(column)} = ${hash} WHERE ${hasId(sql, tables, user)}`)

  const store = (passwords: Layer.Layer<Password>) =>
    SqlUsers.layerWith({ tables }).pipe(Layer.provideMerge(passwords), Layer.provideMerge(database.layer))

  layer(store(InsecurePassword.layer))((it) => {
    it.effect("enrolls an account, unverified, and returns its id", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const id = yield* users.enroll(email, secret)
        expect(id).toMatch(
          key.type === "integer"
            ? /^[1-9]\d*$/
            : /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
        )
        expect(yield* users.fetch(email)).toEqual(Option.some({ id, email, verified: false }))
        expect(yield* users.findById(id)).toEqual(Option.some({ id, email, verified: false }))
      })
    )

    it.effect("refuses a second account of the same e-mail, however it is spelled", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const id = yield* users.enroll(email, secret)
        for (const spelling of [email, email.toUpperCase(), `  ${email}\t`]) {
          expect(yield* Effect.flip(users.enroll(spelling, wrong))).toBeInstanceOf(Duplicate)
          expect(Option.map(yield* users.verify(spelling, secret), (identity) => identity.id)).toEqual(Option.some(id))
        }
      })
    )

    it.effect("lets one of many registrations of the same e-mail at once win", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const outcomes = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.either(users.enroll(email, secret))),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
      })
    )

    it.effect("never maps one address onto another by way of Unicode", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const kate = `kate-${address()}`
        yield* users.enroll(kate, secret)
        for (const twin of [kate.replace("k", "\u212A"), kate.replace("a", "á"), kate.replace("t", "ţ")]) {
          expect(yield* users.fetch(twin)).toEqual(Option.none())
          expect(yield* users.verify(twin, secret)).toEqual(Option.none())
        }
        const id = yield* users.enroll(kate.replace("k", "\u212A"), wrong)
        expect(Option.map(yield* users.verify(kate, secret), (identity) => identity.email)).toEqual(Option.some(kate))
        expect(yield* users.check(id, secret)).toBe(false)
      })
    )

    it.effect("verifies e-mail and password, and does not reveal which was wrong", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const id = yield* users.enroll(email, secret)
        expect(yield* users.verify(email, secret)).toEqual(Option.some({ id, email, verified: false }))
        expect(yield* users.verify(email, wrong)).toEqual(Option.none())
        expect(yield* users.verify(address(), secret)).toEqual(Option.none())
        expect(yield* users.verify("\0", secret)).toEqual(Option.none())
        expect(yield* users.verify("\ud800@example.com", secret)).toEqual(Option.none())
      })
    )

    it.effect("checks the current password of an account", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enroll(address(), secret)
        expect(yield* Effect.forEach([secret, wrong], (given) => users.check(id, given))).toEqual([true, false])
        expect(yield* users.check(AccountId.make("nobody"), secret)).toBe(false)
      })
    )

    it.effect("rotates the hash over the current password, and over no other", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enroll(address(), secret)
        expect(yield* users.rotate(id, wrong, { current: wrong })).toBe(false)
        expect(yield* users.check(id, secret)).toBe(true)
        expect(yield* users.rotate(id, wrong, { current: secret })).toBe(true)
        expect(yield* Effect.forEach([secret, wrong], (given) => users.check(id, given))).toEqual([false, true])
        expect(yield* users.rotate(AccountId.make("nobody"), secret, { current: secret })).toBe(false)
        yield* users.lock(id)
        expect(yield* users.rotate(id, secret, { current: wrong })).toBe(false)
      })
    )

    it.effect("rotates the hash", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enroll(address(), secret)
        expect(yield* users.rotate(id, wrong)).toBe(true)
        expect(yield* Effect.forEach([secret, wrong], (given) => users.check(id, given))).toEqual([false, true])
        expect(yield* users.rotate(AccountId.make("nobody"), secret)).toBe(false)
      })
    )

    it.effect("has accounts without a password, to which none belongs until one is set", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const id = yield* users.enrollWithoutPassword(email)
        // Only the program's own column of `describeTables` that can be NULL is.
        expect(yield* hashOf(id)).toBe(table === "people" && key.column === "person" ? null : "!")
        expect(yield* users.passwordState(id)).toBe("none")
        expect(yield* users.fetch(email)).toEqual(Option.some({ id, email, verified: false }))
        expect(yield* Effect.flip(users.enrollWithoutPassword(email.toUpperCase()))).toBeInstanceOf(Duplicate)
        expect(yield* Effect.flip(users.enroll(email, secret))).toBeInstanceOf(Duplicate)
        for (const guess of [secret, Redacted.make(""), Redacted.make("!"), Redacted.make("null")]) {
          expect(yield* users.verify(email, guess)).toEqual(Option.none())
          expect(yield* users.check(id, guess)).toBe(false)
          expect(yield* users.rotate(id, secret, { current: guess })).toBe(false)
        }
        expect(yield* users.removePassword(id, secret)).toBe(false)
        expect(yield* users.rotate(id, secret, { current: "none" })).toBe(true)
        expect(yield* users.check(id, secret)).toBe(true)
      })
    )

    it.effect("sets a password without the current one only where there is none, and removes only a usable one", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enroll(address(), secret)
        expect(yield* users.rotate(id, wrong, { current: "none" })).toBe(false)
        expect(yield* users.check(id, secret)).toBe(true)
        expect(yield* users.removePassword(id, wrong)).toBe(false)
        expect(yield* users.removePassword(id, secret, () => Effect.succeed(false))).toBe(false)
        expect(yield* users.check(id, secret)).toBe(true)
        expect(yield* users.removePassword(id, secret)).toBe(true)
        expect([yield* users.passwordState(id), yield* users.check(id, secret)]).toEqual(["none", false])
        // Anyone who still has a session must not choose the password that "This was not me" has locked.
        expect(yield* users.lock(id)).toBe(true)
        expect(yield* users.passwordState(id)).toBe("locked")
        expect(yield* users.rotate(id, wrong, { current: "none" })).toBe(false)
        expect(yield* users.removePassword(id, secret)).toBe(false)
        expect(yield* users.passwordState(id)).toBe("locked")
        expect(yield* users.rotate(id, secret)).toBe(true)
        expect(yield* users.passwordState(id)).toBe("set")
        expect(yield* users.passwordState(AccountId.make("nobody"))).toBe("none")
        expect(yield* users.removePassword(AccountId.make("nobody"), secret)).toBe(false)
      })
    )

    it.effect("lets one of many passwords that are set at once win", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enrollWithoutPassword(address())
        const chosen = Array.from({ length: 8 }, (_, at) => Redacted.make(`quiet harbour ${at}`))
        const outcomes = yield* Effect.forEach(chosen, (one) => users.rotate(id, one, { current: "none" }), {
          concurrency: "unbounded"
        })
        expect(outcomes.filter(Boolean)).toHaveLength(1)
        expect(yield* Effect.forEach(chosen, (one) => users.check(id, one))).toEqual(outcomes)
      })
    )

    it.effect("finds no account of an id that the key cannot hold", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const malformed = ["", "abc", "\0", "1.5", "1e3", "0x1", " 1", "9".repeat(19), "9".repeat(40), "\ud800"]
        for (const id of [...malformed, "00000000-0000-0000-0000-000000000000"].map((text) => AccountId.make(text))) {
          expect(yield* users.findById(id)).toEqual(Option.none())
          expect(yield* users.check(id, secret)).toBe(false)
          expect(yield* users.confirm(id)).toBe(false)
          expect(yield* users.rotate(id, secret)).toBe(false)
        }
      })
    )

    it.effect("confirms once, in the type of the column, and is idempotent", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = address()
        const id = yield* users.enroll(email, secret)
        yield* TestClock.setTime(1_700_000_000_500)
        expect(yield* users.confirm(id)).toBe(true)
        yield* TestClock.adjust("1 hour")
        expect(yield* users.confirm(id)).toBe(true)
        const [row] = yield* query(
          (sql) => sql<{ at: unknown }>`SELECT ${sql(verified.column)} AS at FROM ${sql(table)}
            WHERE ${hasId(sql, tables, id)}`
        )
        expect(verified.type === "timestamp" ? row?.at : Number(row?.at)).toEqual(
          { seconds: 1_700_000_000, timestamp: new Date(1_700_000_000_500), boolean: 1 }[verified.type]
        )
        expect(Option.map(yield* users.fetch(email), ({ verified }) => verified)).toEqual(Option.some(true))
        expect(yield* users.confirm(AccountId.make("nobody"))).toBe(false)
      })
    )
  })

  // Hashing is slow and does not depend on the table.
  if (tables === Tables.defaults) {
    layer(store(hasher))((it) => {
      it.effect("stores an argon2id hash", () =>
        Effect.gen(function* () {
          const users = yield* Users
          const id = yield* users.enroll(address(), secret)
          expect(yield* hashOf(id)).toMatch(/^\$argon2id\$/)
          expect(yield* users.check(id, secret)).toBe(true)
        })
      )

      it.effect("takes the hash of another program in place of a password, and nothing that is none", () =>
        Effect.gen(function* () {
          const users = yield* Users
          const hash = yield* Effect.promise(() => bcrypt.hash(Redacted.value(secret), 4))
          const email = address()
          const id = yield* users.enroll(email, Redacted.make(hash), { hashed: true })
          expect(yield* hashOf(id)).toBe(hash)
          expect(Option.map(yield* users.verify(email, secret), (found) => found.id)).toEqual(Option.some(id))
          const other = address()
          const exit = yield* Effect.exit(users.enroll(other, secret, { hashed: true }))
          expect(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "").toContain("no hash by argon2id or bcrypt")
          expect(yield* users.fetch(other)).toEqual(Option.none())
        })
      )

      it.effect("upgrades a weaker and a bcrypt hash on a successful verify, and only then", () =>
        Effect.gen(function* () {
          const users = yield* Users
          const legacy = [
            yield* Effect.promise(() => bcrypt.hash(Redacted.value(secret), 4)),
            yield* Effect.promise(() =>
              argon2.hash(Redacted.value(secret), { memoryCost: 1024, timeCost: 2, parallelism: 1 })
            )
          ]
          for (const hash of legacy) {
            const email = address()
            const id = yield* users.enroll(email, wrong)
            yield* plant(id, hash)
            expect(yield* users.verify(email, wrong)).toEqual(Option.none())
            expect(yield* hashOf(id)).toBe(hash)
            expect(Option.isSome(yield* users.verify(email, secret))).toBe(true)
            expect(yield* hashOf(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
            expect(Option.isSome(yield* users.verify(email, secret))).toBe(true)
          }
        })
      )

      it.effect("checks a decoy for an account without a usable password, as for an unknown e-mail", () =>
        Effect.gen(function* () {
          const { verify } = yield* Password
          const compared: Array<string | undefined> = []
          const watched = Layer.succeed(Password, {
            hash: () => Effect.succeed("hash"),
            verify: (hash, password) =>
              Effect.zipRight(
                Effect.sync(() => compared.push(hash)),
                verify(hash, password)
              ),
            isStale: () => true
          })
          yield* Effect.gen(function* () {
            const users = yield* Users
            const [without, locked] = [address(), address()]
            const id = yield* users.enrollWithoutPassword(without)
            yield* users.lock(yield* users.enroll(locked, secret))
            for (const email of [without, locked, address()]) yield* users.verify(email, secret)
            yield* users.check(id, secret)
          }).pipe(Effect.provide(Layer.provide(Layer.fresh(SqlUsers.layerWith({ tables })), watched)))
          expect(compared).toEqual([undefined, undefined, undefined, undefined])
        })
      )

      it.effect("refuses every password for a malformed hash", () =>
        Effect.gen(function* () {
          const users = yield* Users
          const email = address()
          const id = yield* users.enroll(email, secret)
          for (const hash of ["", "correct horse battery", "$argon2id$broken"]) {
            yield* plant(id, hash)
            expect(yield* users.verify(email, secret)).toEqual(Option.none())
            expect(yield* users.verify(email, Redacted.make(""))).toEqual(Option.none())
          }
        })
      )
    })
  }

  // A hasher that can be stopped in the middle, to put two things in an order.
  class Gate extends Context.Tag("test/Gate")<Gate, Ref.Ref<Effect.Effect<void, Overloaded>>>() {}

  const gated = Layer.effect(
    Password,
    Effect.map(Gate, (gate) => ({
      hash: (password) =>
        Effect.zipRight(Effect.flatten(Ref.get(gate)), Effect.succeed(`new:${Redacted.value(password)}`)),
      verify: (hash, password) => Effect.succeed(hash?.split(":")[1] === Redacted.value(password)),
      isStale: (hash) => hash.startsWith("old:")
    }))
  ).pipe(Layer.provideMerge(Layer.effect(Gate, Ref.make<Effect.Effect<void, Overloaded>>(Effect.void))))

  layer(SqlUsers.layerWith({ tables }).pipe(Layer.provideMerge(gated), Layer.provideMerge(database.layer)))((it) => {
    it.effect("never writes an old password back over one that was changed during the login", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const gate = yield* Gate
        const email = address()
        const id = yield* users.enroll(email, secret)
        yield* plant(id, `old:${Redacted.value(secret)}`)
        const [started, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        yield* Ref.set(gate, Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(released)))
        const login = yield* Effect.fork(users.verify(email, secret))
        yield* Deferred.await(started)
        yield* Ref.set(gate, Effect.void)
        yield* users.rotate(id, wrong)
        yield* Deferred.succeed(released, undefined)
        expect(Option.isSome(yield* login)).toBe(true)
        expect(yield* hashOf(id)).toBe(`new:${Redacted.value(wrong)}`)
      })
    )

    it.effect("rotates an old hash over the current password", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const id = yield* users.enroll(address(), secret)
        yield* plant(id, `old:${Redacted.value(secret)}`)
        expect(yield* users.rotate(id, wrong, { current: secret })).toBe(true)
        expect(yield* hashOf(id)).toBe(`new:${Redacted.value(wrong)}`)
      })
    )

    it.effect("does not fail a login whose upgrade fails", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const gate = yield* Gate
        const email = address()
        const id = yield* users.enroll(email, secret)
        yield* plant(id, `old:${Redacted.value(secret)}`)
        for (const failure of [new Overloaded({ retryAfter: 1 }), Effect.dieMessage("out of memory")]) {
          yield* Ref.set(gate, failure)
          expect(Option.isSome(yield* users.verify(email, secret))).toBe(true)
        }
        yield* Ref.set(gate, Effect.void)
        expect(yield* hashOf(id)).toBe(`old:${Redacted.value(secret)}`)
      })
    )

    it.effect("locks an account without a turn in the queue of hashes, until it has another password", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const gate = yield* Gate
        const email = address()
        const id = yield* users.enroll(email, secret)
        yield* Ref.set(gate, new Overloaded({ retryAfter: 1 }))
        expect(yield* users.lock(id)).toBe(true)
        const first = yield* hashOf(id)
        expect(yield* users.lock(id)).toBe(true)
        expect(yield* hashOf(id)).not.toBe(first)
        yield* Ref.set(gate, Effect.void)
        expect(yield* users.check(id, secret)).toBe(false)
        expect(yield* users.rotate(id, wrong)).toBe(true)
        expect(yield* users.check(id, wrong)).toBe(true)
        for (const nobody of ["nobody", "999999999", "00000000-0000-7000-8000-000000000000"]) {
          expect(yield* users.lock(AccountId.make(nobody))).toBe(false)
        }
      })
    )

    it.effect("hashes before it looks whether an e-mail is taken", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const gate = yield* Gate
        const email = address()
        yield* users.enroll(email, secret)
        yield* Ref.set(gate, new Overloaded({ retryAfter: 1 }))
        expect(yield* Effect.flip(users.enroll(email, secret))).toBeInstanceOf(Overloaded)
        yield* Ref.set(gate, Effect.void)
        expect(yield* Effect.flip(users.enroll(email, secret))).toBeInstanceOf(Duplicate)
      })
    )
  })
})
