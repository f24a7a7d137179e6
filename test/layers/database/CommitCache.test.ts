import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as CommitCache from "../../../layers/database/internal/CommitCache.ts"
import { describeDatabases, sqlite, TestDatabase } from "../../support/Databases.ts"

/** A value that says how often it was read. */
const counting = <A>(value: A) => {
  const read = { times: 0, now: () => Effect.sync(() => (read.times++, value)) }
  return read
}

// Only what is not kept is read.
const holds = <A>({ of }: Effect.Effect.Success<ReturnType<typeof CommitCache.make<A>>>, key: string) =>
  Effect.isSuccess(of(key, () => Effect.fail("read")))

layer(sqlite.layerEmpty)("What was read recently", (it) => {
  it.effect("is read once until anyone commits, here or elsewhere", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE cups (id INTEGER)`
      const recent = yield* CommitCache.make<string>({ sizeOf: () => 8 })
      const tea = counting("tea")
      const ask = recent.of("cup", tea.now)
      expect([yield* ask, yield* ask, tea.times]).toEqual(["tea", "tea", 1])
      yield* sql`INSERT INTO cups VALUES (1)`
      expect([yield* ask, yield* ask, tea.times]).toEqual(["tea", "tea", 2])
      const { url } = yield* TestDatabase
      const elsewhere = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO cups VALUES (2)`)
      yield* Effect.provide(elsewhere, sqlite.layerAt(url))
      expect([yield* ask, yield* ask, tea.times]).toEqual(["tea", "tea", 3])
    })
  )

  it.effect("is not used when something was committed between the count and the read", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE pots (id INTEGER)`
      const recent = yield* CommitCache.make<string>({ sizeOf: () => 8 })
      yield* recent.of("known", () => Effect.succeed("the count is taken here"))
      const tea = counting("tea")
      const slow = Effect.zipLeft(tea.now(), sql`INSERT INTO pots VALUES (1)`)
      expect(yield* Effect.orDie(recent.of("pot", () => slow))).toBe("tea")
      yield* recent.of("pot", tea.now)
      expect(tea.times).toBe(2)
    })
  )

  it.effect("does not keep misses, so that made-up keys evict nothing", () =>
    Effect.gen(function* () {
      const recent = yield* CommitCache.make<string | undefined>({ sizeOf: () => 8 })
      const nothing = counting(undefined)
      yield* recent.of("made up", nothing.now)
      yield* recent.of("made up", nothing.now)
      expect(nothing.times).toBe(2)
    })
  )

  it.effect("evicts the oldest entries first when it is full", () =>
    Effect.gen(function* () {
      const recent = yield* CommitCache.make<number>({ most: 3, sizeOf: () => 8 })
      yield* Effect.forEach([0, 1, 2, 3], (index) => recent.of(`key ${index}`, () => Effect.succeed(index)))
      const kept = yield* Effect.forEach([0, 1, 2, 3], (index) => holds(recent, `key ${index}`))
      expect(kept).toEqual([false, true, true, true])
    })
  )

  it.effect("is bounded by bytes, not only by the number of entries", () =>
    Effect.gen(function* () {
      const bytes = 100_000
      const recent = yield* CommitCache.make<string>({ bytes, sizeOf: (text) => 2 * text.length })
      const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`)
      // Each takes a fifth of what may be kept: at most five of them fit at any time.
      for (const key of keys) {
        yield* recent.of(key, () => Effect.succeed("x".repeat(bytes / 10)))
        expect((yield* Effect.filter(keys, (one) => holds(recent, one))).length).toBeLessThanOrEqual(5)
        expect(yield* holds(recent, key)).toBe(true)
      }
      yield* recent.of("small", () => Effect.succeed("x"))
      yield* recent.of("huge", () => Effect.succeed("x".repeat(bytes)))
      expect([yield* holds(recent, "huge"), yield* holds(recent, "small")]).toEqual([false, true])
      // A key counts, too: a client chooses how long it is.
      yield* recent.of("k".repeat(bytes), () => Effect.succeed("x"))
      expect(yield* holds(recent, "k".repeat(bytes))).toBe(false)
    })
  )

  it.effect("never holds a failure", () =>
    Effect.gen(function* () {
      const recent = yield* CommitCache.make<number>({ sizeOf: () => 8 })
      expect(yield* Effect.flip(recent.of("key", () => Effect.fail("broken")))).toBe("broken")
      expect(yield* holds(recent, "key")).toBe(false)
    })
  )
})

describeDatabases("What is asked for again", (database) => {
  layer(database.layerEmpty)((it) => {
    it.effect("is never older than the last commit", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE mugs (id INTEGER)`
        const recent = yield* CommitCache.make<number>({ sizeOf: () => 8 })
        const count = recent.of("count", () =>
          Effect.map(sql<{ count: number }>`SELECT COUNT(*) AS count FROM mugs`, ([row]) => Number(row?.count))
        )
        for (const expected of [0, 1, 2]) {
          expect([yield* count, yield* count]).toEqual([expected, expected])
          yield* sql`INSERT INTO mugs VALUES (1)`
        }
      })
    )
  })
})
