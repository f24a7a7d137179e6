import { expect, layer } from "@effect/vitest"
import { Effect, Either, Option, Redacted, TestClock } from "effect"
import * as AuthenticatorApp from "../../../layers/auth/internal/AuthenticatorApp.ts"
import { maxFactors, recoveryCodes as amount, stepOf } from "../../../src/auth/internal/factors/FactorRules.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { InvalidEnrollment, TooManyFactors } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { Users } from "../../../src/auth/Users.ts"
import { enroll, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

const codeOf = (secret: Redacted.Redacted, drift = 0) =>
  Effect.map(TestClock.currentTimeMillis, (millis) =>
    Redacted.make(AuthenticatorApp.codeAt(Redacted.value(secret), stepOf(millis / 1000) + drift))
  )

// Later than any code that was used.
const later = TestClock.adjust("90 seconds")

describeTables("Factors", (database, tables) => {
  const enrolled = Effect.fnUntraced(function* (given?: Identity) {
    const factors = yield* Factors
    const identity = given ?? (yield* enroll)
    const { enrollment, secret } = yield* factors.begin(identity)
    const code = yield* codeOf(secret)
    const { factor, recoveryCodes } = yield* factors.confirm(identity.id, enrollment, code, "Phone")
    yield* later
    return { factors, identity, secret, factor, recoveryCodes, code }
  })

  layer(stores(database, {}, tables))((it) => {
    it.effect("begin with a secret, its address and its picture, and are stored once a code of it was seen", () =>
      Effect.gen(function* () {
        yield* later
        const factors = yield* Factors
        const identity = yield* enroll
        const { enrollment, picture, secret, uri } = yield* factors.begin(identity)
        const address = new URL(Redacted.value(uri))
        expect([address.protocol, address.host]).toEqual(["otpauth:", "totp"])
        expect(Object.fromEntries(address.searchParams)).toMatchObject({
          issuer: "localhost:8087",
          secret: Redacted.value(secret),
          digits: "6",
          period: "30"
        })
        expect(decodeURIComponent(address.pathname)).toContain(identity.email)
        expect(Redacted.value(picture)).toMatch(/^<svg /)
        expect(yield* factors.required(identity.id)).toEqual({ kinds: [], onEveryDevice: false, isLocked: false })
        const wrong = factors.confirm(identity.id, enrollment, Redacted.make("000000"), "Phone")
        expect(yield* Effect.flip(wrong)).toEqual(new InvalidEnrollment({ reason: "code" }))
        const { factor, recoveryCodes } = yield* factors.confirm(
          identity.id,
          enrollment,
          yield* codeOf(secret),
          "Phone"
        )
        expect(recoveryCodes).toHaveLength(amount)
        expect(yield* factors.list(identity.id)).toEqual([factor])
        expect(yield* factors.required(identity.id)).toEqual({
          kinds: ["totp", "recovery"],
          onEveryDevice: false,
          isLocked: false
        })
        const rows = JSON.stringify(yield* query((sql) => sql`SELECT * FROM ${sql(tables.factors)}`))
        expect(rows).not.toContain(Redacted.value(secret))
        expect(rows).not.toContain(Buffer.from(Redacted.value(secret)).toString("base64url"))
      })
    )

    it.effect("are enrolled by their own account alone, once, within 15 minutes", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const [identity, stranger] = [yield* enroll, yield* enroll]
        const { enrollment, secret } = yield* factors.begin(identity)
        const expired = new InvalidEnrollment({ reason: "expired" })
        const confirm = (user: Identity, given = enrollment) =>
          Effect.flatMap(codeOf(secret), (code) => Effect.either(factors.confirm(user.id, given, code, "Phone")))
        expect(yield* confirm(stranger)).toEqual(Either.left(expired))
        for (const text of ["", "1.", "1.AAAA", "\0", Redacted.value(enrollment).slice(0, -2)]) {
          expect(yield* confirm(identity, Redacted.make(text)), text).toEqual(Either.left(expired))
        }
        const twice = yield* Effect.all([confirm(identity), confirm(identity)], { concurrency: 2 })
        expect(twice.filter(Either.isRight)).toHaveLength(1)
        expect(yield* factors.list(identity.id)).toHaveLength(1)
        const late = yield* factors.begin(identity)
        yield* TestClock.adjust("15 minutes")
        expect(yield* confirm(identity, late.enrollment)).toEqual(Either.left(expired))
      })
    )

    it.effect("of two enrolments at once are both there, with recovery codes for one of them", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        const identity = yield* enroll
        const enrol = Effect.gen(function* () {
          const { enrollment, secret } = yield* factors.begin(identity)
          return yield* factors.confirm(identity.id, enrollment, yield* codeOf(secret), "Phone")
        })
        const made = yield* Effect.all([enrol, enrol, enrol], { concurrency: "unbounded" })
        expect(made.map(({ recoveryCodes }) => recoveryCodes.length).sort()).toEqual([0, 0, amount])
        expect(yield* factors.countRecoveryCodes(identity.id)).toBe(amount)
        yield* Effect.replicateEffect(enrol, maxFactors - 3)
        expect(yield* Effect.flip(enrol)).toEqual(new TooManyFactors({ limit: maxFactors }))
      })
    )

    it.effect("accept a code once, and never that of the enrollment", () =>
      Effect.gen(function* () {
        const { code, factors, identity, secret } = yield* enrolled()
        expect(yield* factors.verify(identity.id, code)).toEqual(Option.none())
        const next = yield* codeOf(secret)
        const grouped = Redacted.make(Redacted.value(next).replace(/^.../, "$& "))
        const outcomes = yield* Effect.all(
          Array.from({ length: 8 }, () => factors.verify(identity.id, next)),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Option.isSome)).toEqual([Option.some("totp")])
        expect(yield* factors.verify(identity.id, grouped)).toEqual(Option.none())
        yield* later
        const after = Redacted.value(yield* codeOf(secret)).replace(/^.../, " $& ")
        expect(yield* factors.verify(identity.id, Redacted.make(after))).toEqual(Option.some("totp"))
      })
    )

    it.effect("accept a clock that is one step ahead or behind, not two, and no step before the last one", () =>
      Effect.gen(function* () {
        const { factors, identity, secret } = yield* enrolled()
        const use = (drift: number) =>
          Effect.flatMap(codeOf(secret, drift), (code) => Effect.map(factors.verify(identity.id, code), Option.isSome))
        expect([yield* use(-2), yield* use(2)]).toEqual([false, false])
        expect([yield* use(-1), yield* use(1), yield* use(0), yield* use(-1)]).toEqual([true, true, false, false])
        yield* later
        expect(yield* use(0)).toBe(true)
      })
    )

    it.effect("know the codes of each app of the account, and of no other account", () =>
      Effect.gen(function* () {
        const one = yield* enrolled()
        const { factors } = one
        const second = yield* enrolled(one.identity)
        const stranger = yield* enrolled()
        expect(second.recoveryCodes).toEqual([])
        for (const { secret } of [one, second]) {
          expect(yield* factors.verify(one.identity.id, yield* codeOf(secret))).toEqual(Option.some("totp"))
        }
        expect(yield* factors.verify(one.identity.id, yield* codeOf(stranger.secret))).toEqual(Option.none())
        const [recovery = Redacted.make("")] = stranger.recoveryCodes
        expect(yield* factors.verify(one.identity.id, recovery)).toEqual(Option.none())
        expect(yield* factors.verify(stranger.identity.id, recovery)).toEqual(Option.some("recovery"))
        for (const text of ["", "\0", "12345", "1234567", "x".repeat(1000), "' OR 1=1 --"]) {
          expect(yield* factors.verify(one.identity.id, Redacted.make(text)), text).toEqual(Option.none())
        }
      })
    )

    it.effect("have ten recovery codes, each for one use in any spelling, and renewing replaces all", () =>
      Effect.gen(function* () {
        const { factors, identity, recoveryCodes } = yield* enrolled()
        expect(new Set(recoveryCodes.map(Redacted.value)).size).toBe(amount)
        const [first = Redacted.make(""), second = Redacted.make("")] = recoveryCodes
        const outcomes = yield* Effect.all(
          Array.from({ length: 8 }, () => factors.verify(identity.id, first)),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(Option.isSome)).toEqual([Option.some("recovery")])
        expect(yield* factors.countRecoveryCodes(identity.id)).toBe(amount - 1)
        const spelled = Redacted.make(` ${Redacted.value(second).toUpperCase().replaceAll("-", " ")} `)
        expect(yield* factors.verify(identity.id, spelled)).toEqual(Option.some("recovery"))
        const renewed = yield* factors.renewRecoveryCodes(identity.id)
        expect(yield* factors.countRecoveryCodes(identity.id)).toBe(amount)
        expect(yield* factors.verify(identity.id, recoveryCodes[2] ?? first)).toEqual(Option.none())
        expect(yield* factors.verify(identity.id, renewed[2] ?? first)).toEqual(Option.some("recovery"))
        const rows = JSON.stringify(yield* query((sql) => sql`SELECT * FROM ${sql(tables.recoveryCodes)}`))
        for (const code of renewed) expect(rows).not.toContain(Redacted.value(code))
        yield* Effect.forEach(renewed, (code) => factors.verify(identity.id, code))
        expect((yield* factors.required(identity.id)).kinds).toEqual(["totp"])
      })
    )

    it.effect(
      "are removed by their handle; recovery codes and choices go with the last one, and with the account",
      () =>
        Effect.gen(function* () {
          const { factor, factors, identity } = yield* enrolled()
          const second = yield* enrolled(identity)
          const stranger = yield* enrolled()
          yield* factors.askOnEveryDevice(identity.id, true)
          expect((yield* factors.required(identity.id)).onEveryDevice).toBe(true)
          expect(yield* factors.remove(stranger.identity.id, factor.handle)).toBe(false)
          expect(yield* factors.remove(identity.id, "\0")).toBe(false)
          expect(yield* factors.remove(identity.id, factor.handle)).toBe(true)
          expect(yield* factors.remove(identity.id, factor.handle)).toBe(false)
          expect(yield* factors.countRecoveryCodes(identity.id)).toBe(amount)
          expect(yield* factors.remove(identity.id, second.factor.handle)).toBe(true)
          expect(yield* factors.countRecoveryCodes(identity.id)).toBe(0)
          expect(yield* factors.required(identity.id)).toEqual({ kinds: [], onEveryDevice: false, isLocked: false })
          expect(yield* factors.removeAll(stranger.identity.id)).toBe(1)
          expect(yield* factors.countRecoveryCodes(stranger.identity.id)).toBe(0)
          const users = yield* Users
          const last = yield* enrolled()
          yield* users.remove(last.identity.id)
          expect([yield* factors.list(last.identity.id), yield* factors.countRecoveryCodes(last.identity.id)]).toEqual([
            [],
            0
          ])
        })
    )

    it.effect("outlive the rotation of keys, and a secret that was moved to another account opens nothing", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        const { factors, identity, secret } = yield* enrolled()
        const quiet = yield* enrolled()
        yield* keys.rotate
        yield* TestClock.adjust("400 days")
        yield* keys.sweep
        expect(yield* factors.verify(identity.id, yield* codeOf(secret))).toEqual(Option.some("totp"))
        const used = yield* query(
          (sql) => sql<{ key: number }>`SELECT key_id AS key FROM ${sql(tables.factors)} WHERE user_id = ${identity.id}`
        )
        expect(used).toEqual([{ key: 2 }])
        yield* keys.sweep
        expect(yield* factors.verify(quiet.identity.id, yield* codeOf(quiet.secret))).toEqual(Option.some("totp"))
        const victim = yield* enrolled()
        yield* query(
          (sql) => sql`UPDATE ${sql(tables.factors)} SET secret =
            (SELECT secret FROM ${sql(tables.factors)} WHERE user_id = ${identity.id})
            WHERE user_id = ${victim.identity.id}`
        )
        yield* later
        expect(yield* factors.verify(victim.identity.id, yield* codeOf(secret))).toEqual(Option.none())
      })
    )
  })
})
