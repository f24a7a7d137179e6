import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as SqlSignInMethods from "../../../layers/auth/internal/SqlSignInMethods.ts"
import * as SqlUsers from "../../../layers/auth/SqlUsers.ts"
import * as Providers from "../../../src/auth/Providers.ts"
import * as AddedProviders from "../../../src/auth/internal/providers/AddedProviders.ts"
import { LastSignInMethod, SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Users } from "../../../src/auth/Users.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"
import { describeTables, query } from "./TableVariants.ts"

const secret = Redacted.make("correct horse battery")

// The program has one provider.
const idp: Providers.Provider = {
  id: "idp",
  name: "IdP",
  issuer: "https://idp.example",
  origins: Effect.succeed([]),
  authorize: () => Effect.dieMessage("asked for nothing"),
  identify: () => Effect.dieMessage("asked for nothing"),
  isAuthoritativeFor: () => false,
  countsSecondFactor: false,
  asksAgain: false,
  state: Effect.succeed("unavailable")
}

const providers = Layer.scopedDiscard(Effect.flatMap(Providers.Providers, ({ add }) => add(idp))).pipe(
  Layer.provideMerge(AddedProviders.layer)
)

let count = 0

describeTables("SignInMethods", (database, tables) => {
  const store = SqlSignInMethods.layerWith({ tables }).pipe(
    Layer.provideMerge(SqlUsers.layerWith({ tables })),
    Layer.provideMerge(providers),
    Layer.provideMerge(InsecurePassword.layer),
    Layer.provideMerge(database.layer)
  )

  const account = (hasPassword: boolean) =>
    Effect.flatMap(Users, (users) => {
      const email = `way-in-${++count}@example.com`
      return hasPassword ? users.enroll(email, secret) : users.enrollWithoutPassword(email)
    })

  const addPasskey = (user: AccountId, id: string) =>
    query(
      (sql) =>
        sql`INSERT INTO ${sql(tables.passkeys)} ${sql.insert({
          id,
          user_id: user,
          name: "Phone",
          public_key: "",
          counter: 0,
          transports: "",
          backup_eligible: 0,
          backed_up: 0,
          created_at: 0,
          last_used: null
        })}`
    )

  const addIdentity = (user: AccountId, provider = "idp", id = provider) =>
    query(
      (sql) =>
        sql`INSERT INTO ${sql(tables.linkedIdentities)} ${sql.insert({
          issuer: `https://${provider}.example`,
          subject: user,
          user_id: user,
          provider: id,
          label: "Ann",
          created_at: 0,
          last_used: null
        })}`
    )

  const unlink = (user: AccountId, provider = "idp") =>
    Effect.flatMap(SignInMethods, (methods) =>
      methods.remove(
        user,
        query(
          (sql) => sql`DELETE FROM ${sql(tables.linkedIdentities)} WHERE user_id = ${user} AND provider = ${provider}`
        )
      )
    )

  const removePasskey = (user: AccountId, id: string) =>
    Effect.flatMap(SignInMethods, (methods) =>
      methods.remove(
        user,
        query((sql) => sql`DELETE FROM ${sql(tables.passkeys)} WHERE id = ${id}`)
      )
    )

  const removePassword = (user: AccountId) =>
    Effect.flatMap(Effect.all([SignInMethods, Users]), ([methods, users]) =>
      users.removePassword(user, secret, (removal) => methods.remove(user, removal))
    )

  layer(store)((it) => {
    it.effect("counts the password and the passkeys of an account, and no one else's", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        const users = yield* Users
        const user = yield* account(true)
        yield* addPasskey(yield* account(false), `other-${user}`)
        expect(yield* methods.list(user)).toEqual({ password: "set", passkeys: 0, identities: 0, former: 0 })
        yield* addPasskey(user, `own-${user}`)
        yield* addIdentity(user)
        yield* users.lock(user)
        expect(yield* methods.list(user)).toEqual({ password: "locked", passkeys: 1, identities: 1, former: 0 })
      })
    )

    it.effect("keeps the last way in, and undoes nothing else", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        const users = yield* Users
        const user = yield* account(true)
        expect(yield* Effect.flip(removePassword(user))).toBeInstanceOf(LastSignInMethod)
        yield* addPasskey(user, `one-${user}`)
        expect(yield* removePassword(user)).toBe(true)
        expect(yield* Effect.flip(removePasskey(user, `one-${user}`))).toBeInstanceOf(LastSignInMethod)
        // A locked password is no way in.
        yield* users.lock(user)
        expect(yield* Effect.flip(removePasskey(user, `one-${user}`))).toBeInstanceOf(LastSignInMethod)
        expect(yield* methods.list(user)).toEqual({ password: "locked", passkeys: 1, identities: 0, former: 0 })
        yield* users.rotate(user, secret)
        yield* removePasskey(user, `one-${user}`)
        expect(yield* methods.list(user)).toEqual({ password: "set", passkeys: 0, identities: 0, former: 0 })
      })
    )

    it.effect(
      "counts no identity at a provider that the program no longer has, nor lets it take the place of one",
      () =>
        Effect.gen(function* () {
          const methods = yield* SignInMethods
          const user = yield* account(true)
          yield* addIdentity(user, "gone")
          expect(yield* methods.list(user)).toEqual({ password: "set", passkeys: 0, identities: 0, former: 1 })
          expect(yield* Effect.flip(removePassword(user))).toBeInstanceOf(LastSignInMethod)
          // A provider that is down is still one.
          yield* addIdentity(user)
          expect(yield* removePassword(user)).toBe(true)
          expect(yield* Effect.flip(unlink(user))).toBeInstanceOf(LastSignInMethod)
          yield* unlink(user, "gone")
          expect(yield* methods.list(user)).toEqual({ password: "none", passkeys: 0, identities: 1, former: 0 })
          // The program may get its provider back: the last identity stays although nothing signs in.
          const other = yield* account(false)
          yield* addIdentity(other, "gone")
          expect(yield* Effect.flip(unlink(other, "gone"))).toBeInstanceOf(LastSignInMethod)
        })
    )

    it.effect("counts an identity by its issuer: a provider may get another id", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        const user = yield* account(true)
        yield* addIdentity(user, "idp", "an-older-id")
        expect(yield* methods.list(user)).toMatchObject({ identities: 1 })
        expect(yield* removePassword(user)).toBe(true)
        // Nor does the id of one that is gone count, for it leads to another issuer now.
        const other = yield* account(true)
        yield* addIdentity(other, "gone", "idp")
        expect(yield* Effect.flip(removePassword(other))).toBeInstanceOf(LastSignInMethod)
      })
    )

    it.effect("keeps one of the last two ways in that are removed at once", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        for (let round = 0; round < 5; round++) {
          const user = yield* account(true)
          const id = `twice-${user}`
          yield* addPasskey(user, id)
          const outcomes = yield* Effect.all(
            [Effect.either(removePassword(user)), Effect.either(removePasskey(user, id))],
            { concurrency: "unbounded" }
          )
          expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
          const { passkeys, password } = yield* methods.list(user)
          expect(Number(password === "set") + passkeys).toBe(1)
        }
      })
    )

    it.effect("keeps an identity or a passkey that are removed at once", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        for (let round = 0; round < 5; round++) {
          const user = yield* account(false)
          const id = `linked-${user}`
          yield* Effect.zipRight(addPasskey(user, id), addIdentity(user))
          const outcomes = yield* Effect.all([Effect.either(unlink(user)), Effect.either(removePasskey(user, id))], {
            concurrency: "unbounded"
          })
          expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1)
          const { identities, passkeys } = yield* methods.list(user)
          expect(identities + passkeys).toBe(1)
        }
      })
    )

    it.effect("keeps one of many passkeys that are removed at once", () =>
      Effect.gen(function* () {
        const methods = yield* SignInMethods
        const user = yield* account(false)
        const ids = Array.from({ length: 6 }, (_, at) => `${user}-${at}`)
        yield* Effect.forEach(ids, (id) => addPasskey(user, id))
        const outcomes = yield* Effect.forEach(ids, (id) => Effect.either(removePasskey(user, id)), {
          concurrency: "unbounded"
        })
        expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(5)
        expect(yield* methods.list(user)).toEqual({ password: "none", passkeys: 1, identities: 0, former: 0 })
      })
    )
  })
})
