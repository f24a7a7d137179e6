import { expect, it, layer } from "@effect/vitest"
import { Duration, Effect, FastCheck as fc, Layer, TestClock } from "effect"
import * as SqlRateLimit from "../../../layers/session/internal/SqlRateLimit.ts"
import { RateLimit, type Rule } from "../../../src/session/RateLimit.ts"
import { describeNames, query } from "../auth/TableVariants.ts"
import { at } from "../auth/Stores.ts"
import { sqlite } from "../../support/Databases.ts"
import * as EffectMetrics from "../../support/EffectMetrics.ts"

let count = 0
const rule = (limit: number, window: Duration.DurationInput): Rule => ({ scope: `scope-${count++}`, limit, window })

/** The reference: every hit that passed, in a list. */
const model = ({ limit, window }: Rule) => {
  const passed: Array<number> = []
  return (now: number): boolean => {
    const inside = passed.filter((at) => at > now - Duration.toMillis(window))
    if (inside.length >= limit) return false
    passed.push(now)
    return true
  }
}

describeNames("RateLimit", (database, tables) => {
  const limits = SqlRateLimit.layerWith({ tables }).pipe(Layer.provideMerge(database.layer))
  layer(limits)((it) => {
    it.effect("lets `limit` pass in a window and refuses the next", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const login = rule(5, "60 seconds")
        const verdicts = yield* Effect.replicateEffect(hit(login, "192.0.2.1"), 6)
        expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false])
        expect(verdicts.map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0, 0])
        expect(new Set(verdicts.map(({ limit }) => limit))).toEqual(new Set([5]))
      })
    )

    it.effect("reopens on time, even under continued attempts", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const login = rule(2, "60 seconds")
        yield* hit(login, "a")
        yield* TestClock.adjust("10 seconds")
        yield* hit(login, "a")
        const refused: Array<number> = []
        const start = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        for (let second = 1; second < 50; second++) {
          const verdict = yield* at(start + second * 1000)(hit(login, "a"))
          expect(verdict.allowed).toBe(false)
          refused.push(verdict.retryAfter)
        }
        expect(refused).toEqual(Array.from({ length: 49 }, (_, index) => 49 - index))
        yield* TestClock.adjust("50 seconds")
        expect((yield* hit(login, "a")).allowed).toBe(true)
        expect((yield* hit(login, "a")).allowed).toBe(false)
        yield* TestClock.adjust("10 seconds")
        expect((yield* hit(login, "a")).allowed).toBe(true)
      })
    )

    it.effect("tells when the oldest counted hit leaves the window, as epoch seconds", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const login = rule(2, "60 seconds")
        yield* TestClock.setTime(1_700_000_000_000)
        expect((yield* hit(login, "a")).reset).toBe(1_700_000_060)
        yield* TestClock.adjust("20 seconds")
        expect((yield* hit(login, "a")).reset).toBe(1_700_000_060)
        expect(yield* hit(login, "a")).toMatchObject({ allowed: false, reset: 1_700_000_060, retryAfter: 40 })
      })
    )

    it.effect("counts keys and scopes apart", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const [login, register] = [rule(1, "60 seconds"), rule(1, "60 seconds")]
        const allowed = yield* Effect.forEach(
          [hit(login, "a"), hit(login, "b"), hit(register, "a"), hit(login, "a")],
          (verdict) => Effect.map(verdict, ({ allowed }) => allowed)
        )
        expect(allowed).toEqual([true, true, true, false])
        const joined = yield* Effect.forEach(
          [hit({ ...login, scope: "x\0y" }, "z"), hit({ ...login, scope: "x" }, "yz")],
          (verdict) => Effect.map(verdict, ({ allowed }) => allowed)
        )
        expect(joined).toEqual([true, true])
      })
    )

    it.effect("lets exactly `limit` of many simultaneous hits pass", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        for (const limit of [1, 5, 30]) {
          const login = rule(limit, "60 seconds")
          const verdicts = yield* Effect.all(
            Array.from({ length: 100 }, () => hit(login, "a")),
            { concurrency: "unbounded" }
          )
          expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(limit)
        }
      })
    )

    it.effect("agrees with a list of all hits, whatever the pauses between them", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const plans = fc.sample(
          fc.record({
            limit: fc.integer({ min: 1, max: 6 }),
            pauses: fc.array(fc.constantFrom(0, 1, 500, 999, 1000, 1001, 2500, 5000, 9999, 10_000), {
              minLength: 20,
              maxLength: 40
            })
          }),
          15
        )
        for (const { limit, pauses } of plans) {
          const tested = rule(limit, "10 seconds")
          const expected = model(tested)
          let now = 1_000_000
          for (const pause of pauses) {
            now += pause
            const { allowed } = yield* at(now)(hit(tested, "a"))
            expect(allowed, JSON.stringify({ limit, pauses })).toBe(expected(now))
          }
        }
      })
    )

    it.effect("keeps counting when the limit of a rule is changed", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        const wide = rule(5, "60 seconds")
        yield* Effect.replicateEffect(hit(wide, "a"), 5)
        expect((yield* hit({ ...wide, limit: 2 }, "a")).allowed).toBe(false)
        expect(yield* hit({ ...wide, limit: 6 }, "a")).toMatchObject({ allowed: true, remaining: 0 })
        yield* TestClock.adjust("60 seconds")
        expect(yield* hit({ ...wide, limit: 2 }, "a")).toMatchObject({ allowed: true, remaining: 1 })
      })
    )

    it.effect("stores neither the address nor the e-mail that it counts by", () =>
      Effect.gen(function* () {
        const { hit } = yield* RateLimit
        yield* hit(rule(5, "60 seconds"), "someone@example.com")
        expect(JSON.stringify(yield* query((sql) => sql`SELECT * FROM ${sql(tables.rateLimits)}`))).not.toContain(
          "someone"
        )
      })
    )

    it.effect("sweeps counters whose window has passed", () =>
      Effect.gen(function* () {
        const { hit, sweep } = yield* RateLimit
        yield* TestClock.setTime(2_000_000_000_000)
        yield* sweep
        const login = rule(1, "60 seconds")
        yield* hit(login, "a")
        yield* hit(login, "b")
        yield* TestClock.adjust("59 seconds")
        expect(yield* sweep).toBe(0)
        yield* TestClock.adjust("1 second")
        expect(yield* sweep).toBe(2)
        expect((yield* hit(login, "a")).allowed).toBe(true)
      })
    )
  })
})

const name = "rate_limit_refusals_total"

it.effect("refusals are counted by the name of the limit", () =>
  Effect.gen(function* () {
    const count = SqlRateLimit.countRefusals()
    const work = Effect.all([count("login", 1), count("forgot", 1), count("login", 1)])
    expect(yield* EffectMetrics.growth(name, work)).toEqual({ "limit=login": 2, "limit=forgot": 1 })
  })
)

it.effect("refusals are counted from 0 on, from the first hit of a limit at the latest", () =>
  Effect.gen(function* () {
    const rules = { known: { scope: "known at the start", limit: 1, window: "1 minute" } } as const
    const hit = Effect.flatMap(RateLimit, (limits) => limits.hit({ ...rules.known, scope: "known by a hit" }, "a"))
    const layer = Layer.provide(SqlRateLimit.layerWith({ rules }), sqlite.layer)
    yield* Effect.provide(hit, layer)
    expect(yield* EffectMetrics.read(name)).toMatchObject({ "limit=known at the start": 0, "limit=known by a hit": 0 })
  })
)

it.effect("names that a program makes from input do not fill the memory", () =>
  Effect.gen(function* () {
    const count = SqlRateLimit.countRefusals()
    const work = Effect.forEach(Array.from({ length: 1_000 }), (_, index) => count(`tenant ${index}`, 1))
    const grown = yield* EffectMetrics.growth(name, work)
    expect(Object.keys(grown)).toHaveLength(201)
    expect(grown["limit=other"]).toBe(800)
  })
)
