import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, TestClock } from "effect"
import * as SqlKeyRing from "../../../layers/session/internal/SqlKeyRing.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import { type Key, KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Browser, stores } from "../auth/Stores.ts"
import { activationDelay, fromKeys, maxCacheAge } from "../../../layers/session/internal/SqlKeyRing.ts"

const signingKey = (browser: Browser) => browser.jar.get("session")?.split(".")[1]

const guest = Effect.gen(function* () {
  const browser = new Browser()
  yield* browser.visit((session) => session.set("flash", "Hello"))
  return browser
})

const remembers = (browser: Browser) =>
  Effect.map(
    browser.visit((session) => session.get("flash")),
    ({ value }) => Option.isSome(value)
  )

describeDatabases("Keys", (database) => {
  layer(stores(database))((it) => {
    it.effect("are made once and shared by all workers", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rings = yield* Effect.all(
          Array.from({ length: 5 }, () =>
            Effect.flatMap(KeyRing, (keys) => keys.ring).pipe(
              Effect.provide(Layer.fresh(SqlKeyRing.layer(Tables.defaults)))
            )
          ),
          { concurrency: "unbounded" }
        )
        const [row] = yield* sql<{ secret: string }>`SELECT secret FROM keys`
        for (const { signing } of rings) expect(Buffer.from(signing.secret).toString("hex")).toBe(row?.secret)
        expect(row?.secret).toMatch(/^[0-9a-f]{64}$/)
      })
    )

    it.effect("rotate: a new key signs when every worker has read it, the old one is accepted until it expires", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        const before = yield* guest
        yield* keys.rotate
        const during = yield* guest
        yield* TestClock.adjust("120 seconds")
        const after = yield* guest
        expect([before, during, after].map(signingKey)).toEqual(["1", "1", "2"])
        for (const browser of [before, during, after]) expect(yield* remembers(browser)).toBe(true)
        expect(yield* keys.sweep).toBe(0)
        yield* TestClock.adjust("30 days")
        expect(yield* keys.sweep).toBe(1)
        const late = yield* guest
        expect(signingKey(late)).toBe("2")
        expect(yield* remembers(late)).toBe(true)
      })
    )

    it.effect("reach a worker that did not make them within a minute", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        yield* Effect.gen(function* () {
          const other = yield* KeyRing
          yield* other.rotate
        }).pipe(Effect.provide(Layer.fresh(SqlKeyRing.layer(Tables.defaults))))
        const newest = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ id: number }>`SELECT MAX(id) AS id FROM keys`)
        const id = (yield* newest)[0]?.id ?? 0
        yield* TestClock.adjust("60 seconds")
        expect((yield* keys.ring).find(id)?.id).toBe(id)
        expect((yield* keys.ring).signing.id).not.toBe(id)
        yield* TestClock.adjust("60 seconds")
        expect((yield* keys.ring).signing.id).toBe(id)
      })
    )

    it.effect("stay as they are while the database is away", () =>
      Effect.gen(function* () {
        const keys = yield* KeyRing
        const sql = yield* SqlClient.SqlClient
        const before = yield* keys.ring
        yield* sql`ALTER TABLE keys RENAME TO away`
        yield* TestClock.adjust("2 minutes")
        expect(yield* keys.ring).toBe(before)
        yield* sql`ALTER TABLE away RENAME TO keys`
      })
    )
  })
})

const key = (id: number, created: number): Key => ({ id, created, secret: new Uint8Array(32) })
const settle = Duration.toSeconds(activationDelay)

describe("fromKeys", () => {
  it("signs with a first key at once", () => {
    expect(fromKeys([key(1, 100)], 100).signing.id).toBe(1)
  })

  it("signs with a new key only when it has settled", () => {
    const keys = [key(2, 1000), key(1, 100)] as const
    expect(fromKeys(keys, 1000 + settle - 1).signing.id).toBe(1)
    expect(fromKeys(keys, 1000 + settle).signing.id).toBe(2)
  })

  it("knows new and old keys alike", () => {
    const { find } = fromKeys([key(2, 1000), key(1, 100)], 1000)
    expect([find(1)?.id, find(2)?.id, find(3)]).toEqual([1, 2, undefined])
  })

  it("is read again before a key that it does not know begins to sign", () => {
    expect(Duration.toSeconds(maxCacheAge)).toBeLessThan(settle)
  })
})
