import { SqlClient, Statement } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Arbitrary, Chunk, Duration, Effect, Either, FastCheck, Metric, MetricState, Stream, TestClock } from "effect"
import { Event, type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import { explain } from "../../support/Plans.ts"
import { enroll, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

const device = { address: "192.0.2.7", userAgent: "Firefox" }

const page = (cursor: string, limit: number) => Either.getOrThrow(Pagination.make({ cursor, limit }))

const counted = (event: string, outcome: string) =>
  Effect.map(Metric.snapshot, (pairs) =>
    pairs
      .filter(({ metricKey }) => metricKey.name === "auth_events_total")
      .filter(({ metricKey }) => metricKey.tags.some(({ value }) => value === event))
      .filter(({ metricKey }) => metricKey.tags.some(({ value }) => value === outcome))
      .map(({ metricState }) => (MetricState.isCounterState(metricState) ? Number(metricState.count) : Number.NaN))
      .reduce((sum, count) => sum + count, 0)
  )

describeTables("security events", (database, tables) => {
  layer(stores(database, { eventsTtl: Duration.days(400) }, tables))((it) => {
    it.effect("are listed newest first, with their account, actor, device, time and outcome", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        const other = yield* enroll
        yield* TestClock.adjust("1 minute")
        yield* events.record({ account, event: { _tag: "SignedIn", by: "password", factor: "totp" }, device })
        yield* events.record({ account: other.id, event: { _tag: "SignedOut" } })
        yield* events.record({ account, event: { _tag: "SignInFailed" }, device })
        yield* events.record({ account, event: { _tag: "AccountDeleted" }, actor: "operator" })
        const { items } = yield* events.list(account)
        expect(items.map(({ _tag, actor, outcome }) => [_tag, actor, outcome])).toEqual([
          ["AccountDeleted", "operator", "success"],
          ["SignInFailed", "person", "failure"],
          ["SignedIn", "person", "success"]
        ])
        const signedIn = items[2]
        expect(signedIn).toMatchObject({ account, device, by: "password", factor: "totp" })
        expect(signedIn?.at).toBe(Math.floor((yield* TestClock.currentTimeMillis) / 1000))
        expect(items[0]?.device).toEqual({ address: "", userAgent: "" })
        expect((yield* events.list(account, { events: ["SignedIn"] })).items).toEqual([signedIn])
      })
    )

    it.effect("are read page by page, each once, in the order in which they were recorded", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        const all = Array.from({ length: 25 }, (_, left) => left)
        // All in one millisecond of the test's clock.
        for (const left of all) yield* events.record({ account, event: { _tag: "RecoveryCodeUsed", left } })
        const read: Array<SecurityEvent> = []
        let cursor: string | null = ""
        while (cursor !== null) {
          const { items, pagination }: Effect.Effect.Success<ReturnType<typeof events.list>> = yield* events.list(
            account,
            {
              pagination: page(cursor, 10)
            }
          )
          read.push(...items)
          cursor = pagination.next
        }
        expect(read.map((one) => one._tag === "RecoveryCodeUsed" && one.left)).toEqual(all.reverse())
        expect(Chunk.toReadonlyArray(yield* Stream.runCollect(events.stream(account)))).toEqual(read)
        const forged = ["forged!", ...["\0", 7].map((value) => Either.getOrThrow(Cursor.encode([value])))]
        for (const one of forged) {
          const refusal = yield* Effect.flip(events.list(account, { pagination: page(one, 10) }))
          expect(refusal._tag, one).toBe("InvalidCursor")
        }
        const byPage = Either.getOrThrow(Pagination.make({ page: 2 }))
        expect((yield* Effect.flip(events.list(account, { pagination: byPage })))._tag).toBe("InvalidPagination")
      })
    )

    it.effect.prop(
      "come back as they were recorded, whatever they hold",
      [Arbitrary.make(Event), FastCheck.string({ unit: "binary", maxLength: 300 })],
      ([event, agent]) =>
        Effect.gen(function* () {
          const events = yield* SecurityEvents
          const { id: account } = yield* enroll
          yield* events.record({ account, event, device: { address: "::1", userAgent: agent } })
          const [stored] = (yield* events.list(account)).items
          expect(stored).toMatchObject(JSON.parse(JSON.stringify(event)))
        }),
      { fastCheck: { numRuns: 10 } }
    )

    it.effect("after a time are found in the index, without the others of a long past", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        yield* TestClock.setTime(1_000_999)
        yield* events.record({ account, event: { _tag: "Theft" } })
        yield* TestClock.setTime(1_001_000)
        yield* events.record({ account, event: { _tag: "PasswordReset" } })
        yield* events.record({ account, event: { _tag: "SignedOut" } })
        // A clock that steps back: the event is named by the later time, and stored with the earlier one.
        yield* TestClock.setTime(999_000)
        yield* events.record({ account, event: { _tag: "TakenOver", provider: "Teapot" } })
        const found = (after: number) =>
          Effect.map(events.list(account, { events: ["Theft", "PasswordReset", "TakenOver"], after }), ({ items }) =>
            items.map(({ _tag }) => _tag)
          )
        expect(yield* found(-5)).toEqual(["TakenOver", "PasswordReset", "Theft"])
        expect(yield* found(998)).toEqual(["TakenOver", "PasswordReset", "Theft"])
        expect(yield* found(999)).toEqual(["PasswordReset", "Theft"])
        expect(yield* found(999.5)).toEqual(["PasswordReset", "Theft"])
        expect(yield* found(1000)).toEqual(["PasswordReset"])
        expect(yield* found(1001)).toEqual([])
        const sent: Array<Statement.Statement<unknown>> = []
        yield* Statement.withTransformer(found(1000), (statement) =>
          Effect.sync(() => (sent.push(statement), statement))
        )
        const [statement] = sent
        if (statement === undefined) return yield* Effect.dieMessage("no statement was sent")
        const { text } = yield* explain(statement as Statement.Statement<object>)
        expect(text).toMatch(/\(user_id=\? AND id>\?\)|"Index Cond": "[^"]*user_id =[^"]*id >=/)
      })
    )

    it.effect("belong to the transaction of their caller", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const sql = yield* SqlClient.SqlClient
        const { id: account } = yield* enroll
        const change = Effect.zipRight(
          events.record({ account, event: { _tag: "PasswordChanged" } }),
          Effect.fail("no")
        )
        yield* Effect.flip(sql.withTransaction(change))
        expect((yield* events.list(account)).items).toEqual([])
      })
    )

    it.effect("cannot be changed", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        yield* events.record({ account, event: { _tag: "SignInFailed" } })
        const { cause } = yield* Effect.flip(
          query((sql) => sql`UPDATE ${sql(tables.securityEvents)} SET outcome = 'success' WHERE user_id = ${account}`)
        )
        expect(String(cause)).toContain("security_events is append-only")
        expect((yield* events.list(account)).items[0]?.outcome).toBe("failure")
      })
    )

    it.effect("of a newer version are left out", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        const row = { id: `x${account}`, user_id: account, event: "Teleported", outcome: "success", actor: "person" }
        const rest = { peer: "", user_agent: "", details: "{}", created_at: 0 }
        yield* query((sql) => sql`INSERT INTO ${sql(tables.securityEvents)} ${sql.insert({ ...row, ...rest })}`)
        yield* events.record({ account, event: { _tag: "SignedOut" } })
        expect((yield* events.list(account)).items.map(({ _tag }) => _tag)).toEqual(["SignedOut"])
      })
    )

    it.effect("are counted by name and outcome", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        const before = yield* counted("Confirmed", "failure")
        yield* events.record({ account, event: { _tag: "Confirmed", by: "password" }, outcome: "failure" })
        expect((yield* counted("Confirmed", "failure")) - before).toBe(1)
      })
    )

    it.effect("are deleted when they are older than the setting says", () =>
      Effect.gen(function* () {
        const events = yield* SecurityEvents
        const { id: account } = yield* enroll
        yield* events.record({ account, event: { _tag: "SignedUp" } })
        yield* TestClock.adjust("399 days")
        yield* events.record({ account, event: { _tag: "SignedOut" } })
        yield* events.sweep
        expect((yield* events.list(account)).items).toHaveLength(2)
        yield* TestClock.adjust("2 days")
        expect(yield* events.sweep).toBeGreaterThan(0)
        expect((yield* events.list(account)).items.map(({ _tag }) => _tag)).toEqual(["SignedOut"])
      })
    )
  })
})
