import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import {
  Cause,
  Effect,
  Exit,
  FastCheck as fc,
  Layer,
  Logger,
  Option,
  Redacted,
  Schedule,
  Schema,
  TestClock
} from "effect"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as SqlKeyRing from "../../../layers/session/internal/SqlKeyRing.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import { enqueued } from "../../../testing/TestJobs.ts"
import { describeDatabases, type TestEngine } from "../../support/Databases.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"

const Grant = Schema.Struct({ user: Schema.String, token: Schema.Redacted(Schema.String) })

const Revoke = Job.make("revoke", { payload: Grant, retry: Schedule.stop })
const Other = Job.make("other", { payload: Grant, retry: Schedule.stop })

const grant = (token: string, user = "ann") => ({ user, token: Redacted.make(token) })

/** Handlers that remember what they were given. */
const program = (database: TestEngine, given: Array<typeof Grant.Type>, fail = false) => {
  const remember = (payload: typeof Grant.Type) =>
    Effect.zipRight(
      Effect.sync(() => void given.push(payload)),
      fail ? Effect.fail(new Error("the provider is away")) : Effect.void
    )
  return Layer.merge(Job.toLayer(Revoke, remember), Job.toLayer(Other, remember)).pipe(
    Layer.provideMerge(
      Layer.merge(SqlJobs.layer, Layer.provide(SqlKeyRing.layer(Tables.defaults), AuthConfig.layerWith({})))
    ),
    Layer.provideMerge(database.layer)
  )
}

const rows = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly payload: string; readonly key_id: number | null }>`SELECT * FROM jobs ORDER BY created_at, id`
)

const keyIds = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ readonly id: number }>`SELECT id FROM sealing_keys ORDER BY id`, (all) => all.map(({ id }) => id))
)

const opened = (given: ReadonlyArray<typeof Grant.Type>) => given.map(({ token }) => Redacted.value(token))

describeDatabases("A payload with secrets", (database) => {
  it.scoped("is stored sealed, and opened for its handler alone", () => {
    const given: Array<typeof Grant.Type> = []
    return Effect.gen(function* () {
      const payloads = fc.sample(
        fc.record({ user: fc.string(), token: fc.string({ unit: "grapheme", minLength: 8 }).map(Redacted.make) }),
        20
      )
      yield* Jobs.enqueueAll(Revoke, payloads)
      const stored = yield* rows
      const text = stored.map(({ payload }) => payload).join("\n")
      expect(text).toMatch(/^(sealed\.1\.[\w-]+\n?){20}$/)
      for (const { token } of payloads) expect(text).not.toContain(Redacted.value(token))
      // The same text is never sealed the same way twice.
      expect(new Set(stored.map(({ payload }) => payload)).size).toBe(20)
      const byToken = (all: ReadonlyArray<typeof Grant.Type>) =>
        all.map(({ token, user }) => `${Redacted.value(token)} ${user}`).toSorted()
      expect(byToken(yield* enqueued(Revoke))).toEqual(byToken(payloads))
      yield* JobWorker.untilIdle()
      expect(byToken(given)).toEqual(byToken(payloads))
    }).pipe(Effect.provide(program(database, given)))
  })

  it.scoped("is in no log line, span, list or view of a job that failed", () => {
    const given: Array<typeof Grant.Type> = []
    const lines: Array<string> = []
    const logger = Logger.make((options) => void lines.push(Logger.jsonLogger.log(options)))
    return Effect.gen(function* () {
      const jobs = yield* Jobs.Jobs
      const id = Option.getOrThrow(yield* Jobs.enqueue(Revoke, grant("swordfish", "herring")))
      yield* JobWorker.untilIdle()
      expect(opened(given)).toEqual(["swordfish"])
      const spans = yield* RecordedSpans.RecordedSpans
      expect(spans.map(({ name }) => name)).toContain("job revoke")
      expect(lines.join()).toContain("the provider is away")
      const shown = [
        ...lines,
        yield* jobs.find(id),
        yield* jobs.list(),
        spans.map(({ attributes, name, status }) => [name, [...attributes], String(status._tag), status])
      ]
      const text = shown
        .map((one) => JSON.stringify(one, (_, value) => (typeof value === "bigint" ? "" : value)))
        .join()
      expect(text).not.toMatch(/swordfish|herring/)
    }).pipe(
      Effect.provide(program(database, given, true)),
      Effect.provide(Layer.merge(RecordedSpans.layer, Logger.replace(Logger.defaultLogger, logger)))
    )
  })

  it.scoped("outlives a rotation of the keys, and keeps its key until the job is gone", () => {
    const given: Array<typeof Grant.Type> = []
    return Effect.gen(function* () {
      const keys = yield* KeyRing
      const { sweep } = yield* Jobs.Jobs
      yield* Jobs.enqueue(Revoke, grant("before"), { delay: "3 hours" })
      yield* keys.rotate
      // Other processes have read the new key after a minute.
      yield* TestClock.adjust("61 seconds")
      yield* Jobs.enqueue(Revoke, grant("after"), { delay: "3 hours" })
      expect((yield* rows).map(({ key_id }) => key_id)).toEqual([1, 2])
      yield* TestClock.adjust("2 hours")
      yield* keys.sweep
      expect(yield* keyIds).toEqual([1, 2])
      yield* TestClock.adjust("1 hour")
      yield* JobWorker.untilIdle()
      expect(opened(given).toSorted()).toEqual(["after", "before"])
      yield* TestClock.adjust("25 hours")
      yield* sweep
      yield* keys.sweep
      expect(yield* keyIds).toEqual([2])
    }).pipe(Effect.provide(program(database, given)))
  })

  it.scoped("that was changed, or put into another job, is kept and not run", () => {
    const given: Array<typeof Grant.Type> = []
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { find } = yield* Jobs.Jobs
      const changed = Option.getOrThrow(yield* Jobs.enqueue(Revoke, grant("one")))
      const moved = Option.getOrThrow(yield* Jobs.enqueue(Other, grant("two")))
      const found = yield* sql<{ readonly payload: string }>`SELECT payload FROM jobs WHERE id = ${changed}`
      const [text = ""] = found.map(({ payload }) => payload)
      yield* sql`UPDATE jobs SET payload = ${text} WHERE id = ${moved}`
      yield* sql`UPDATE jobs SET payload = ${text.slice(0, -4)} WHERE id = ${changed}`
      yield* JobWorker.untilIdle()
      expect(given).toEqual([])
      for (const id of [changed, moved]) {
        const reason = "This version of the program cannot read the payload"
        expect(Option.getOrThrow(yield* find(id))).toMatchObject({ state: "failed", reason })
      }
    }).pipe(Effect.provide(program(database, given)))
  })

  it.scoped("is not sealed with a key that was rolled back with the transaction that made it", () => {
    const given: Array<typeof Grant.Type> = []
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const twice = Effect.zipRight(Jobs.enqueue(Revoke, grant("lost")), Jobs.enqueue(Revoke, grant("lost, too")))
      yield* Effect.exit(sql.withTransaction(Effect.zipRight(twice, Effect.fail("rolled back"))))
      expect(yield* keyIds).toEqual([])
      // Another process makes the first key.
      yield* Effect.flatMap(KeyRing, (keys) => keys.seal("text", "row"))
      yield* sql.withTransaction(Jobs.enqueue(Revoke, grant("kept")))
      expect(yield* keyIds).toEqual([1])
      yield* JobWorker.untilIdle()
      expect(opened(given)).toEqual(["kept"])
    }).pipe(Effect.provide(program(database, given)))
  })

  it.scoped("is read although it was stored when its schema had no secrets", () => {
    const given: Array<typeof Grant.Type> = []
    return Effect.gen(function* () {
      const Before = Job.make("revoke", { payload: Schema.Struct({ user: Schema.String, token: Schema.String }) })
      yield* Jobs.enqueue(Before, { user: "ann", token: "plain" })
      expect((yield* rows).map(({ key_id }) => key_id)).toEqual([null])
      yield* JobWorker.untilIdle()
      expect(opened(given)).toEqual(["plain"])
    }).pipe(Effect.provide(program(database, given)))
  })

  it.scoped("that does not fit its schema is refused without telling it", () => {
    const Short = Job.make("short", { payload: Schema.Redacted(Schema.String.pipe(Schema.maxLength(3))) })
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(Jobs.enqueue(Short, Redacted.make("swordfish")))
      const text = Exit.isFailure(exit) ? Cause.pretty(exit.cause) : ""
      expect(text).toContain("The payload of the job short does not fit its schema")
      expect(text).not.toContain("swordfish")
    }).pipe(Effect.provide(Layer.merge(program(database, []), Job.layerElsewhere(Short))))
  })
})
