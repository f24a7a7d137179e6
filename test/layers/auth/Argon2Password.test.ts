import { describe, expect, it, vi } from "@effect/vitest"
import argon2 from "argon2"
import bcrypt from "bcrypt"
import { Context, Deferred, Effect, Exit, FastCheck, Fiber, FiberRef, Layer, Option, Redacted } from "effect"
import * as Argon2Password from "../../../layers/auth/Argon2Password.ts"
import { Overloaded, Password } from "../../../src/auth/Password.ts"
import * as PasswordHash from "../../../src/auth/internal/passwords/PasswordHash.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

const { minimumPolicy } = PasswordHash

const layerWith = (values: Partial<AuthConfig.Settings> = {}) =>
  Argon2Password.layer.pipe(Layer.provide(AuthConfig.layerWith({ argon2: minimumPolicy, ...values })))

const secret = Redacted.make("correct horse battery")
const wrong = Redacted.make("wrong horse battery")

describe("Argon2Password", () => {
  it.effect("hashes with argon2id and the parameters of the policy", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const hash = yield* password.hash(secret)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      expect(yield* password.hash(secret)).not.toBe(hash)
      expect([yield* password.verify(hash, secret), yield* password.verify(hash, wrong)]).toEqual([true, false])
      expect(password.isStale(hash)).toBe(false)
    }).pipe(Effect.provide(layerWith()))
  )

  it.effect("verifies weaker argon2id and bcrypt hashes and calls them stale", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const weak = yield* Effect.promise(() =>
        argon2.hash(Redacted.value(secret), { memoryCost: 1024, timeCost: 2, parallelism: 1 })
      )
      const legacy = yield* Effect.promise(() => bcrypt.hash(Redacted.value(secret), 4))
      for (const hash of [weak, legacy, legacy.replace("$2b$", "$2a$"), legacy.replace("$2b$", "$2y$")]) {
        expect([yield* password.verify(hash, secret), yield* password.verify(hash, wrong)], hash).toEqual([true, false])
        expect(password.isStale(hash)).toBe(true)
      }
    }).pipe(Effect.provide(layerWith()))
  )

  it.effect("tells passwords apart that differ in NUL alone, and refuses an unpaired surrogate", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const [nul, lost] = ["quiet\0harbour", "quiet harbour \ufffd"].map(Redacted.make)
      if (nul === undefined || lost === undefined) return yield* Effect.dieMessage("no passwords")
      const hash = yield* password.hash(nul)
      expect(yield* password.verify(hash, nul)).toBe(true)
      for (const other of ["quiet", "quiet\0Harbour", "quiet\0", "quiet\0harbour\0"]) {
        expect(yield* password.verify(hash, Redacted.make(other)), JSON.stringify(other)).toBe(false)
      }
      const replaced = yield* password.hash(lost)
      for (const half of ["\ud800", "\udfff"]) {
        const given = Redacted.make(`quiet harbour ${half}`)
        expect(yield* password.verify(replaced, given)).toBe(false)
        expect(Exit.isFailure(yield* Effect.exit(password.hash(given)))).toBe(true)
      }
    }).pipe(Effect.provide(layerWith()))
  )

  it.effect("takes a missing or malformed hash for a decoy: never right, never an error", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const broken = [
        undefined,
        "",
        "plain",
        "$argon2id$v=19$m=1,t=1,p=1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
        "$2b$99$x"
      ]
      for (const hash of broken) {
        expect(yield* password.verify(hash, secret)).toBe(false)
      }
    }).pipe(Effect.provide(layerWith()))
  )

  it.scoped("is built before its decoy is hashed, and verifies known and unknown accounts only after it", () =>
    Effect.gen(function* () {
      const known = yield* Effect.promise(() =>
        argon2.hash(Redacted.value(secret), { memoryCost: minimumPolicy.memory, timeCost: 2, parallelism: 1 })
      )
      const decoy = yield* Deferred.make<string>()
      const hash = vi.spyOn(argon2, "hash").mockImplementation(() => Effect.runPromise(decoy))
      yield* Effect.addFinalizer(() => Effect.sync(() => hash.mockRestore()))
      const password = Context.get(yield* Layer.build(layerWith({ hashConcurrency: 2 })), Password)
      const verifying = yield* Effect.forEach([known, undefined], (stored) =>
        Effect.fork(password.verify(stored, secret))
      )
      // By then a verification that did not wait would be done.
      for (let other = 0; other < 4; other++) yield* Effect.promise(() => argon2.verify(known, "another"))
      expect(yield* Effect.forEach(verifying, Fiber.poll)).toEqual([Option.none(), Option.none()])
      yield* Deferred.succeed(decoy, known.replace(/.{4}$/, "AAAA"))
      expect(yield* Effect.forEach(verifying, Fiber.join)).toEqual([true, false])
      expect(hash).toHaveBeenCalledOnce()
    })
  )

  it.scoped("leaves the settings of a request as they are, not as they were at the start", () =>
    Effect.gen(function* () {
      const place = FiberRef.unsafeMake("the request")
      const built = yield* Effect.locally(Layer.build(layerWith()), place, "the start")
      const verified = Effect.zip(Context.get(built, Password).verify(undefined, secret), FiberRef.get(place))
      // As a server starts a request: no fiber of the start is above it.
      expect(yield* Effect.promise(() => Effect.runPromise(verified))).toEqual([false, "the request"])
    })
  )

  it.effect("takes a locked password for a hash of its own, which none matches", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const { lockedBytes } = PasswordHash
      const entropy = FastCheck.uint8Array({ minLength: lockedBytes, maxLength: lockedBytes })
      for (const random of FastCheck.sample(entropy, 3)) {
        const hash = PasswordHash.locked(random)
        expect(PasswordHash.parseHash(hash)).toEqual({ _tag: "Argon2id", ...minimumPolicy })
        expect(yield* Effect.promise(() => argon2.verify(hash, ""))).toBe(false)
        expect(yield* password.verify(hash, secret)).toBe(false)
      }
    }).pipe(Effect.provide(layerWith()))
  )

  it.effect("does as many at once as it may, lets as many wait as it may, and refuses the rest", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const fibers = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.fork(Effect.either(password.hash(secret)))
      )
      const outcomes = yield* Effect.forEach(fibers, Fiber.join)
      const refused = outcomes.filter((outcome) => outcome._tag === "Left")
      expect(refused).toHaveLength(10 - 1 - 3)
      for (const { left } of refused) {
        expect(left).toBeInstanceOf(Overloaded)
        expect(left[ErrorResponse.symbol]).toMatchObject({ status: 503 })
        expect(left[ErrorResponse.symbol].retryAfter).toBeGreaterThanOrEqual(1)
      }
      expect(yield* password.verify(yield* password.hash(secret), secret)).toBe(true)
    }).pipe(Effect.provide(layerWith({ hashConcurrency: 1, hashQueue: 3 })))
  )

  it.effect("frees the place of a client that goes away while it waits", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const running = yield* Effect.fork(password.hash(secret))
      const waiting = yield* Effect.fork(password.hash(secret))
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(password.hash(secret))).toBeInstanceOf(Overloaded)
      yield* Fiber.interrupt(waiting)
      expect(yield* password.hash(secret)).toMatch(/^\$argon2id/)
      expect(yield* Fiber.join(running)).toMatch(/^\$argon2id/)
    }).pipe(Effect.provide(layerWith({ hashConcurrency: 1, hashQueue: 1 })))
  )

  it.effect("measures the passwords that are being hashed and that wait", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const queue = Effect.all([
        EffectMetrics.read("auth_password_hashes_running"),
        EffectMetrics.read("auth_password_hashes_waiting")
      ])
      expect(yield* queue).toEqual([{ "": 0 }, { "": 0 }])
      const running = yield* Effect.fork(password.hash(secret))
      const waiting = yield* Effect.fork(password.hash(secret))
      const leaving = yield* Effect.fork(password.hash(secret))
      yield* Effect.yieldNow()
      expect(yield* queue).toEqual([{ "": 1 }, { "": 2 }])
      yield* Fiber.interrupt(leaving)
      expect(yield* queue).toEqual([{ "": 1 }, { "": 1 }])
      yield* Fiber.join(running)
      yield* Fiber.join(waiting)
      expect(yield* queue).toEqual([{ "": 0 }, { "": 0 }])
    }).pipe(Effect.provide(layerWith({ hashConcurrency: 1, hashQueue: 5 })))
  )

  it.effect("keeps the permit of a running hash when its client disconnects", () =>
    Effect.gen(function* () {
      const password = yield* Password
      const abandoned = yield* Effect.fork(password.hash(secret))
      yield* Effect.yieldNow()
      const leaving = yield* Effect.fork(Fiber.interrupt(abandoned))
      yield* Effect.yieldNow()
      expect(yield* Effect.flip(password.hash(secret))).toBeInstanceOf(Overloaded)
      yield* Fiber.join(leaving)
      expect(yield* password.hash(secret)).toMatch(/^\$argon2id/)
    }).pipe(Effect.provide(layerWith({ hashConcurrency: 1, hashQueue: 0 })))
  )
})
