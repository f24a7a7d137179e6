// The queue of jobs in the tables of the database, for the program that enqueues and for the worker that runs.
import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Array, Clock, Context, Data, Duration, Effect, Layer, Option } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import * as UniqueViolation from "../../src/database/internal/UniqueViolation.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import { lease } from "../../src/jobs/internal/Defaults.ts"
import { type Count, Jobs, type NewJob } from "../../src/jobs/Jobs.ts"
import * as Handlers from "../../src/jobs/internal/Handlers.ts"
import { type Claim, JobStore, type Settled } from "../../src/jobs/internal/JobStore.ts"
import * as Ticks from "../../src/jobs/internal/Ticks.ts"
import * as Tables from "../database/Tables.ts"
import * as PreparedStatements from "../database/internal/PreparedStatements.ts"
import * as SecureDelete from "../database/internal/SecureDelete.ts"
import * as Transaction from "../database/internal/Transaction.ts"
import * as JobTable from "./internal/JobTable.ts"
import * as SealedPayload from "./internal/SealedPayload.ts"
import * as Wakeups from "./internal/Wakeups.ts"

/** The tables, when they are not those that the migrations create without options. */
export interface Options {
  readonly tables: Tables.Tables
}

/** The lease has ended, and with it the right to end the job. */
class LeaseLost extends Data.TaggedError("LeaseLost") {}

// Rows of one statement: PostgreSQL takes 65,535 parameters, and SQLite holds its writer for as long as it takes.
const batch = 1000

const doneFor = Duration.toMillis("1 day")
const othersFor = Duration.toMillis("30 days")

// By time, so that a batch is inserted at one end of the index of the key.
const newIds = (now: number, count: number): ReadonlyArray<string> => {
  const time = now.toString(16).padStart(12, "0")
  const chance = randomBytes(10 * count).toString("hex")
  return Array.makeBy(count, (at) => time + chance.slice(20 * at, 20 * at + 20))
}

const chunksOf = Array.chunksOf(batch)

const compareKeys = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const make = Effect.fnUntraced(function* ({ tables }: Options) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const transaction = Transaction.make(sql)
  const prepared = yield* PreparedStatements.orPlain
  const wakeups = yield* Wakeups.make(sql, tables.jobs)
  const statements = JobTable.make(sql, tables, wakeups.notify)
  const { open, seal } = yield* SealedPayload.make(tables)
  const [ticks, paused] = [sql(tables.jobTicks), sql(tables.pausedQueues)]
  // A payload may be erased for what it holds.
  yield* SecureDelete.on(sql)
  const isOne = Effect.map((rows: ReadonlyArray<unknown>) => rows.length > 0)

  // What every job takes is compiled once, and goes to the driver where that can write: through Effect's client it takes the
  // program twice as long. Each call plans it for the table as it is, which may have no row or a million.
  const repeated = <Row extends object>(statement: Statement.Statement<Row>) => {
    const [text] = statement.compile()
    const plain = (parameters: ReadonlyArray<PreparedStatements.Parameter>) => sql.unsafe<Row>(text, parameters)
    const run = sql.onDialectOrElse({ pg: () => prepared.all(statement, "unprepared"), orElse: () => plain })
    return (
      parameters: ReadonlyArray<PreparedStatements.Parameter>
    ): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> =>
      RequestServices.use((context: Context.Context<never>) =>
        PreparedStatements.isInTransaction(context) ? plain(parameters) : run(parameters)
      )
  }
  // The parameters stand in the order of the text.
  const hot = {
    claim: repeated(statements.claim("", 0, "", 0)),
    done: repeated(statements.done([], 0, false)),
    erased: repeated(statements.done([], 0, true))
  }
  const end = (claims: ReadonlyArray<Claim>, now: number, erase: boolean) =>
    hot[erase ? "erased" : "done"]([now, ...JobTable.proofOf(claims)])

  const insert = Effect.fnUntraced(function* (jobs: ReadonlyArray<NewJob>) {
    if (jobs.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const ids = newIds(now, jobs.length)
    const sealed = yield* seal(jobs)
    const rows = Array.zipWith(ids, Array.zip(jobs, sealed), (id, [job, stored]) => ({
      job,
      row: JobTable.inserted(id, now, job, stored)
    }))
    // By their keys: two transactions that store the same ones in another order would wait for each other.
    const unique = (onConflict: "replace" | "skip") =>
      rows
        .filter(({ job }) => job.unique?.onConflict === onConflict)
        .map(({ row }) => row)
        .toSorted((a, b) => compareKeys(a.unique_key ?? "", b.unique_key ?? ""))
    const plain = chunksOf(rows.filter(({ job }) => job.unique === undefined).map(({ row }) => row))
    const skipping = chunksOf(unique("skip"))
    // A statement cannot replace a row twice: the last one of a key counts.
    const lastOnes = [...new Map(unique("replace").map((row) => [`${row.name} ${row.unique_key}`, row])).values()]
    const replacing = chunksOf(lastOnes)
    const store = Effect.gen(function* () {
      const stored = new Set<string>()
      const replaced = new Map<string, string>()
      for (const part of plain) {
        yield* statements.insert(part)
        for (const row of part) stored.add(row.id)
      }
      for (const part of skipping) {
        for (const { id } of yield* statements.insertUnique(part)) stored.add(id)
      }
      for (const part of replacing) {
        for (const { id, unique_key } of yield* statements.replace(part)) replaced.set(unique_key, id)
      }
      return rows.map(({ row }) =>
        stored.has(row.id) ? Option.some(row.id) : Option.fromNullable(replaced.get(row.unique_key ?? ""))
      )
    })
    // All of them or none, which one statement is anyway.
    const isSingle = plain.length + skipping.length + replacing.length === 1
    const result = yield* isSingle ? store : transaction(store)
    yield* wakeups.wakeHere
    return result
  })

  const claimable = (queue: string, most: number) =>
    Effect.gen(function* () {
      const token = randomUUID()
      const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lease)
      const rows = yield* hot.claim([token, until, queue, queue, most])
      const ordered = rows.toSorted((a, b) => a.priority - b.priority || (a.id < b.id ? -1 : 1))
      return ordered.map((row) => JobTable.claimOf(token, row))
    })

  // Those who claim from a queue with a limit for the fleet come one after the other, or two would take the last place.
  const lockQueue = (queue: string): Effect.Effect<unknown, SqlError.SqlError> =>
    sql.onDialectOrElse({
      pg: () => sql`SELECT pg_advisory_xact_lock(hashtext(${`${tables.jobs} ${queue}`}))`,
      orElse: () => Effect.void
    })

  const claim = (queue: string, most: number, fleet: number | undefined) =>
    fleet === undefined
      ? claimable(queue, most)
      : transaction(
          Effect.gen(function* () {
            yield* lockQueue(queue)
            const [row] = yield* statements.running(queue)
            const free = Math.min(most, fleet - Number(row?.jobs ?? 0))
            return free > 0 ? yield* claimable(queue, free) : []
          })
        )

  // A worker looks for the same queues each time.
  const looks = new Map<string, ReturnType<typeof prepared.all<{ readonly due: unknown; readonly ready: unknown }>>>()
  const look = (queues: ReadonlyArray<string>) => {
    const key = JSON.stringify(queues)
    const read = looks.get(key) ?? prepared.all(statements.look(queues))
    looks.set(key, read)
    return Effect.map(read(queues), ([row]) => ({
      // PostgreSQL has a type for it.
      isReady: row?.ready === true || row?.ready === 1,
      due: row?.due == null ? Number.POSITIVE_INFINITY : Number(row.due)
    }))
  }

  const promote = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [waiting, running] = [yield* statements.promote("waiting", now), yield* statements.promote("running", now)]
    return waiting.length + running.length
  })

  const missing = (claims: ReadonlyArray<Claim>, kept: ReadonlyArray<{ readonly id: string }>) => {
    const ids = new Set(kept.map(({ id }) => id))
    return claims.map(({ id }) => id).filter((id) => !ids.has(id))
  }

  // A transaction that it could not see may have stored another job with its key: it sees it when that has committed.
  const givenBack = (claim: Claim, due: number, reason: string | null) =>
    Effect.retry(statements.later(claim, due, false, reason), {
      while: (error) => Option.isSome(UniqueViolation.columnsOf(error, ["unique_key"]))
    })

  const settleOne = Effect.fnUntraced(function* ({ claim, outcome }: Settled, now: number) {
    switch (outcome._tag) {
      case "Done":
        return yield* end([claim], now, false)
      case "Retried":
        return yield* statements.later(claim, outcome.due, true, outcome.reason)
      case "Snoozed":
        return yield* givenBack(claim, outcome.due, outcome.reason ?? null)
      case "Released":
        return yield* givenBack(claim, now, null)
      case "Discarded":
        return yield* statements.ended(claim, "discarded", now, outcome.reason)
      case "Failed":
        return yield* statements.ended(claim, "failed", now, outcome.reason)
    }
  })

  const settle = Effect.fnUntraced(function* (settled: ReadonlyArray<Settled>) {
    const now = yield* Clock.currentTimeMillis
    const lost: Array<string> = []
    for (const erase of [false, true]) {
      const done = settled.filter((one) => one.outcome._tag === "Done" && one.erase === erase)
      for (const part of chunksOf(done.map(({ claim }) => claim))) {
        lost.push(...missing(part, yield* end(part, now, erase)))
      }
    }
    for (const one of settled) {
      if (one.outcome._tag !== "Done") lost.push(...missing([one.claim], yield* settleOne(one, now)))
    }
    return lost
  })

  const transactional = <A, E>(claimed: Claim, erase: boolean, attempt: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    transaction(
      Effect.gen(function* () {
        const result = yield* attempt
        const now = yield* Clock.currentTimeMillis
        const kept = yield* Effect.orDie(end([claimed], now, erase))
        // A defect: what the handler wrote is rolled back, and the worker that has the job by now ends it.
        return kept.length === 0 ? yield* Effect.die(new LeaseLost()) : result
      })
    )

  const renew = Effect.fnUntraced(function* (claims: ReadonlyArray<Claim>) {
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lease)
    const parts = yield* Effect.forEach(chunksOf(claims), (part) =>
      Effect.map(statements.renew(part, until), (kept) => missing(part, kept))
    )
    return parts.flat()
  })

  const tick = (name: string, at: number, jobs: ReadonlyArray<NewJob>) =>
    transaction(
      Effect.gen(function* () {
        // => … ON CONFLICT (name) DO UPDATE … WHERE tick < ?: the row is locked until the jobs of the tick are there, too.
        const [first] = yield* sql`INSERT INTO ${ticks} ${sql.insert({ name, tick: at })}
          ON CONFLICT (name) DO UPDATE SET tick = excluded.tick WHERE ${ticks}.tick < excluded.tick RETURNING name`
        if (first === undefined) return false
        yield* insert(jobs)
        return true
      })
    )

  // In batches, so that no other statement waits long for the lock.
  const sweep = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    let total = 0
    for (;;) {
      const gone = yield* statements.sweep(at - doneFor, at - othersFor, batch)
      total += gone.length
      if (gone.length < batch) return total
    }
  })

  // One search for each queue and priority: the index has the oldest of them first, however many wait behind it.
  const oldestAge = Effect.fnUntraced(function* (queue: string | undefined) {
    const at = yield* Clock.currentTimeMillis
    const [late] = yield* statements.oldestLate(queue, at)
    let oldest = Math.min(at, Number(late?.due ?? at))
    let [row] = yield* statements.nextReady(queue)
    while (row !== undefined) {
      oldest = Math.min(oldest, Number(row.due))
      const [more] = yield* statements.nextReady(row.queue, row.priority)
      if (more === undefined && queue === undefined)
        [row] = yield* statements.nextReady(undefined, undefined, row.queue)
      else row = more
    }
    return Duration.millis(at - oldest)
  })

  const now = Clock.currentTimeMillis
  const counted = (statement: typeof statements.counts) =>
    Effect.flatMap(now, statement).pipe(
      Effect.map((rows) => rows.map((row): Count => ({ ...row, jobs: Number(row.jobs) }))),
      Effect.orDie
    )
  const jobs = Jobs.of({
    insert: (given) => Effect.orDie(insert(given)),
    cancel: (id) => Effect.orDie(isOne(Effect.flatMap(now, (at) => statements.cancel(id, at)))),
    retry: (id) =>
      Effect.orDie(Effect.zipLeft(isOne(Effect.flatMap(now, (at) => statements.retry(id, at))), wakeups.wake)),
    retryFailed: (queue) =>
      Effect.gen(function* () {
        const at = yield* now
        const ready = yield* statements.retryFailed(queue, at)
        // One by one: of two with the same key, the newer one takes it.
        const unique = yield* Effect.forEach(yield* statements.failedUnique(queue), ({ id }) =>
          statements.retry(id, at)
        )
        yield* wakeups.wake
        return ready.length + unique.flat().length
      }).pipe(Effect.orDie),
    pause: (queue) =>
      Effect.flatMap(
        now,
        (at) => sql`INSERT INTO ${paused} ${sql.insert({ name: queue, paused_at: at })} ON CONFLICT (name) DO NOTHING`
      ).pipe(Effect.asVoid, Effect.orDie),
    resume: (queue) => Effect.orDie(Effect.zipRight(sql`DELETE FROM ${paused} WHERE name = ${queue}`, wakeups.wake)),
    paused: sql<{ readonly name: string }>`SELECT name FROM ${paused} ORDER BY name`.pipe(
      Effect.map((rows) => rows.map(({ name }) => name)),
      Effect.orDie
    ),
    find: (id) =>
      Effect.orDie(Effect.map(statements.find(id), ([row]) => Option.map(Option.fromNullable(row), JobTable.infoOf))),
    list: ({ limit = 100, queue, state } = {}) =>
      Effect.orDie(Effect.map(statements.list(state, queue, limit), (rows) => rows.map(JobTable.infoOf))),
    counts: counted(statements.counts),
    depths: counted(statements.depths),
    oldestAge: (queue) => Effect.orDie(oldestAge(queue)),
    sweep: Effect.orDie(sweep)
  })

  const store = JobStore.of({
    claim: (queue, most, fleet) => Effect.orDie(claim(queue, most, fleet)),
    promote: Effect.orDie(promote),
    open,
    renew: (claims) => Effect.orDie(renew(claims)),
    settle: (settled) => Effect.orDie(settle(settled)),
    transactional,
    lastTick: (name) =>
      sql<{ readonly tick: unknown }>`SELECT tick FROM ${ticks} WHERE name = ${name}`.pipe(
        Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ tick }) => Number(tick))),
        Effect.orDie
      ),
    tick: (name, at, rows) => Effect.orDie(tick(name, at, rows)),
    look: (queues) => Effect.orDie(look(queues)),
    payloads: (name) =>
      Effect.flatMap(Effect.orDie(statements.payloads(name)), (rows) =>
        Effect.forEach(rows, ({ payload }) => open({ name, payload }))
      ),
    listen: wakeups.listen,
    changed: wakeups.wait
  })
  return Context.make(Jobs, jobs).pipe(Context.add(JobStore, store))
})

type Provided = Jobs | JobStore | Handlers.Handlers | Ticks.CronJobs

/**
 * The queue in other tables.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Database, Migrations, Tables } from "effect-framework/layers/database"
 * import { SqlJobs } from "effect-framework/layers/jobs"
 *
 * // The same value for the migrations and the queue: the jobs are in `tea_jobs`.
 * const tables = Tables.make({ prefix: "tea_" })
 *
 * export const queue = SqlJobs.layerWith({ tables }).pipe(
 *   Layer.provideMerge(Migrations.layerWith({}, { tables })),
 *   Layer.provideMerge(Database.layerConfig)
 * )
 * ```
 */
export const layerWith = ({ tables }: Options): Layer.Layer<Provided, never, SqlClient.SqlClient> =>
  Layer.mergeAll(Layer.effectContext(make({ tables })), Handlers.layer, Ticks.layer)

/** The queue in the tables that the migrations create. */
export const layer: Layer.Layer<Provided, never, SqlClient.SqlClient> = layerWith({ tables: Tables.defaults })
