// Random sequences of operations on the stores of tokens and trusted devices, compared with a small model.
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, FastCheck as fc, Option, Redacted } from "effect"
import { AccountId } from "../../../src/session/Identity.ts"
import { type Purpose, Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import type { Tables } from "../../../layers/database/Tables.ts"
import { describeNames, query } from "./TableVariants.ts"
import { at, stores } from "./Stores.ts"

const seed = 20_240_607
const pauses = fc.constantFrom(0, 1, 4, 5, 6, 10)

const clear = (tables: Tables) =>
  query((sql) => Effect.zipRight(sql`DELETE FROM ${sql(tables.tokens)}`, sql`DELETE FROM ${sql(tables.trusts)}`))

const tamper = (value: string) => value.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))

const user = fc.constantFrom("ann", "bob").map((name) => AccountId.make(name))
const purpose = fc.constantFrom<Purpose>("recovery", "verification", "not_me")
const pick = fc.nat({ max: 7 })

const tokenOperation = fc.record({
  pause: pauses,
  verb: fc.constantFrom("mint", "mint", "redeem", "redeem", "check", "tampered", "revoke", "revokeAll", "sweep"),
  user,
  purpose,
  pick
} as const)

const trustOperation = fc.record({
  pause: pauses,
  verb: fc.constantFrom("issue", "issue", "rotate", "rotate", "replay", "forget", "tampered", "revoke", "sweep"),
  user,
  pick
} as const)

const sequences = <A>(operation: fc.Arbitrary<A>) =>
  fc.sample(fc.array(operation, { minLength: 10, maxLength: 40 }), { numRuns: 12, seed })

describeNames("Tokens against a model", (database, tables) => {
  layer(stores(database, {}, tables))((it) => {
    it.effect("agree on every outcome of every sequence", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        for (const operations of sequences(tokenOperation)) {
          yield* clear(tables)
          let now = 1000
          const minted: Array<{ value: string; user: AccountId; purpose: Purpose; expires: number }> = []
          let live: typeof minted = []
          const contact = (value: string) => {
            const row = live.find((token) => token.value === value)
            if (row !== undefined && row.expires <= now) live = live.filter((token) => token !== row)
            return row !== undefined && row.expires > now ? row : undefined
          }
          for (const { pause, pick, purpose, user, verb } of operations) {
            now += pause
            const clock = at(now * 1000)
            const label = JSON.stringify({ verb, now, user, purpose, pick })
            const given = minted[pick % Math.max(1, minted.length)]?.value ?? "none"
            const token = Redacted.make(given)
            if (verb === "mint") {
              const { value } = yield* clock(tokens.mint(user, purpose, "5 seconds"))
              const fresh = { value: Redacted.value(value), user, purpose, expires: now + 5 }
              minted.push(fresh)
              const isKept = (token: typeof fresh) =>
                token.user !== user || token.purpose !== purpose || purpose === "not_me"
              live = [...live.filter(isKept), fresh]
            } else if (verb === "redeem") {
              const row = contact(given)
              const fits = row !== undefined && row.purpose === purpose
              if (fits) live = live.filter((token) => token !== row)
              const expected = fits ? Option.some(row.user) : Option.none()
              expect(yield* clock(tokens.redeem(token, purpose)), label).toEqual(expected)
            } else if (verb === "check") {
              const row = contact(given)
              expect(yield* clock(tokens.check(token, purpose)), label).toBe(row?.purpose === purpose)
            } else if (verb === "tampered") {
              contact(given)
              const broken = Redacted.make(tamper(given))
              expect(yield* clock(tokens.redeem(broken, purpose)), label).toEqual(Option.none())
            } else if (verb === "sweep") {
              const dead = live.filter((token) => token.expires <= now)
              live = live.filter((token) => token.expires > now)
              expect(yield* clock(tokens.sweep), label).toBe(dead.length)
            } else {
              const mine = live.filter(
                (token) => token.user === user && (verb === "revokeAll" || token.purpose === purpose)
              )
              live = live.filter((token) => !mine.includes(token))
              const revoked = verb === "revokeAll" ? tokens.revoke(user) : tokens.revoke(user, purpose)
              expect(yield* clock(revoked), label).toBe(mine.length)
            }
          }
        }
      })
    )
  })
})

describeNames("Trust against a model", (database, tables) => {
  for (const grace of [0, 5]) {
    layer(stores(database, { rememberGrace: Duration.seconds(grace) }, tables))((it) => {
      it.effect(`agree on every outcome of every sequence with a grace of ${grace} s`, () =>
        Effect.gen(function* () {
          const trust = yield* Trust
          for (const operations of sequences(trustOperation)) {
            yield* clear(tables)
            let now = 1000
            interface Series {
              readonly user: AccountId
              current: string
              previous: string | undefined
              rotated: number
              expires: number
            }
            let live: Array<Series> = []
            const issued: Array<string> = []
            const seriesOf = (value: string) => live.find(({ current }) => current.slice(0, 16) === value.slice(0, 16))
            const rotate = (value: string): "none" | "theft" | Series => {
              const series = seriesOf(value)
              if (series === undefined) return "none"
              if (series.expires <= now) {
                live = live.filter((other) => other !== series)
                return "none"
              }
              if (series.current === value) return series
              if (series.previous === value && now - series.rotated < grace) return "none"
              live = live.filter(({ user }) => user !== series.user)
              return "theft"
            }
            for (const { pause, pick, user, verb } of operations) {
              now += pause
              const clock = at(now * 1000)
              const label = JSON.stringify({ verb, now, user, pick })
              const old = issued[pick % Math.max(1, issued.length)] ?? "none"
              const given =
                verb === "replay" ? old : verb === "tampered" ? tamper(old) : (seriesOf(old)?.current ?? old)
              const token = Redacted.make(given)
              if (verb === "issue") {
                const { value } = yield* clock(trust.issue(user, "10 seconds"))
                const current = Redacted.value(value)
                issued.push(current)
                live.push({ user, current, previous: undefined, rotated: 0, expires: now + 10 })
              } else if (verb === "rotate" || verb === "replay" || verb === "tampered") {
                const expected = rotate(given)
                const outcome = yield* Effect.either(clock(trust.rotate(token, "10 seconds")))
                if (expected === "theft") expect(outcome._tag, label).toBe("Left")
                else if (expected === "none") expect(outcome, label).toMatchObject({ right: Option.none() })
                else {
                  const next = Option.getOrThrow(outcome._tag === "Right" ? outcome.right : Option.none())
                  expected.previous = given
                  expected.current = Redacted.value(next.value)
                  expected.rotated = now
                  expected.expires = now + 10
                  issued.push(expected.current)
                }
              } else if (verb === "forget") {
                const series = seriesOf(given)
                const dead = series !== undefined && series.expires <= now
                const matches = series?.current === given
                if (dead || matches) live = live.filter((other) => other !== series)
                expect(yield* clock(trust.forget(token)), label).toBe(matches && !dead)
              } else if (verb === "revoke") {
                const mine = live.filter((series) => series.user === user)
                live = live.filter((series) => series.user !== user)
                expect(yield* clock(trust.revoke(user)), label).toBe(mine.length)
              } else {
                const dead = live.filter(({ expires }) => expires <= now)
                live = live.filter(({ expires }) => expires > now)
                expect(yield* clock(trust.sweep), label).toBe(dead.length)
              }
            }
          }
        })
      )
    })
  }
})
