// The life of a job against a model, with a fault before or after any statement: none is lost, transactional ones end exactly
// once, and a key has one job.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Clock, Effect, Exit, FastCheck as fc, Layer, Option, Runtime, Schema } from "effect"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import type { Outcome } from "../../../src/jobs/internal/JobRules.ts"
import { type Claim, JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { broken, type Fault, unprepared } from "../../support/BrokenStatements.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { type Held, JobModel, type Kind, kinds } from "./JobModel.ts"

const Item = Schema.Struct({ number: Schema.Number, key: Schema.Number })
const key = ({ key }: typeof Item.Type) => String(key)

const declared = {
  plain: Job.make("plain", { payload: Item }),
  exact: Job.make("exact", { payload: Item, transactional: true }),
  once: Job.make("once", { payload: Item, unique: { key } }),
  latest: Job.make("latest", { payload: Item, unique: { key, until: "started", onConflict: "replace" } })
}

const fault = fc.option(fc.record({ at: fc.nat(2), when: fc.constantFrom("before" as const, "after" as const) }), {
  nil: undefined,
  freq: 2
})
const worker = fc.nat(2)
const which = fc.nat(1000)
const outcomes = ["Done", "Retried", "Snoozed", "Released", "Discarded", "Failed"] as const

const command = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Enqueue" as const),
      kind: fc.constantFrom(...kinds),
      key: fc.nat(2),
      delay: fc.constantFrom(0, 0, 30_000),
      transaction: fc.constantFrom("none", "commit", "rollback"),
      fault
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Claim" as const),
      worker,
      most: fc.integer({ min: 1, max: 3 }),
      fleet: fc.constantFrom(undefined, undefined, 2),
      fault
    })
  },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Promote" as const), fault }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Renew" as const), worker, fault }) },
  {
    weight: 4,
    arbitrary: fc.record({
      _tag: fc.constant("Settle" as const),
      which,
      outcome: fc.constantFrom(...outcomes),
      erase: fc.boolean(),
      fault
    })
  },
  { weight: 3, arbitrary: fc.record({ _tag: fc.constant("Perform" as const), which, fault }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Kill" as const), worker }) },
  { weight: 1, arbitrary: fc.record({ _tag: fc.constant("Cancel" as const), which, fault }) },
  { weight: 2, arbitrary: fc.record({ _tag: fc.constant("Retry" as const), which, fault }) },
  {
    weight: 3,
    arbitrary: fc.record({ _tag: fc.constant("Pass" as const), millis: fc.constantFrom(1, 20_000, 61_000) })
  }
)
type Command = typeof command extends fc.Arbitrary<infer A> ? A : never

interface StoredRow {
  readonly id: string
  readonly name: Kind
  readonly payload: string
  readonly state: string
  readonly attempts: unknown
  readonly due: unknown
  readonly unique_key: string | null
}

const outcomeOf = (tag: (typeof outcomes)[number], now: number): Outcome => {
  if (tag === "Retried") return { _tag: tag, due: now + 10_000, reason: "no water" }
  if (tag === "Snoozed") return { _tag: tag, due: now + 10_000 }
  return tag === "Discarded" || tag === "Failed" ? { _tag: tag, reason: "no water" } : { _tag: tag }
}

/** One life of a queue: the commands on the store and on the model, compared after each of them. */
const life = (commands: ReadonlyArray<Command>) => {
  let now = Date.parse("2026-11-20T12:00:00Z")
  const clock = Object.assign(Object.create(Clock.make()) as Clock.Clock, {
    currentTimeMillis: Effect.sync(() => now),
    unsafeCurrentTimeMillis: () => now
  })
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* JobStore
    const jobs = yield* Jobs.Jobs
    yield* sql`DELETE FROM jobs`
    yield* sql`DELETE FROM written`
    const model = new JobModel()
    let [number, claims] = [0, 0]
    // The rows by their place in the model, and what each worker remembers.
    const ids: Array<string> = []
    const workers: Array<Array<Held & { readonly real: Claim }>> = [[], [], []]

    const compare = Effect.gen(function* () {
      const rows = yield* sql<StoredRow>`SELECT * FROM jobs`
      for (const { id, payload } of rows) {
        if (ids.includes(id)) continue
        ids[model.rows.findIndex((row) => row.number === JSON.parse(payload).number)] = id
      }
      const stored = rows
        .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
        .map((row) => ({
          kind: row.name,
          number: row.payload === "" ? undefined : JSON.parse(row.payload).number,
          state: row.state,
          attempts: Number(row.attempts),
          due: Number(row.due),
          isKeyTaken: row.unique_key !== null
        }))
      expect(stored).toEqual(
        model.rows.map(({ attempts, due, isErased, isKeyTaken, kind, number, state }) => ({
          kind,
          number: isErased ? undefined : number,
          state,
          attempts,
          due,
          isKeyTaken
        }))
      )
      const live = stored.filter(({ kind, state }) => kind === "once" && /ready|waiting|running/.test(state))
      const keys = live.map(({ number }) => model.rows.find((row) => row.number === number)?.key)
      expect(new Set(keys).size).toBe(keys.length)
    })

    // By the order of the index: when it became ready, then by id.
    const inOrder = (places: ReadonlyArray<number>) =>
      places.toSorted((a, b) => {
        const [one, two] = [model.rows[a]?.due ?? 0, model.rows[b]?.due ?? 0]
        return one - two || ((ids[a] ?? "") < (ids[b] ?? "") ? -1 : 1)
      })

    const write = (number: number) => sql`INSERT INTO written ${sql.insert({ number })}`

    const perform = (held: Held & { readonly real: Claim }, fault?: Fault) =>
      Effect.gen(function* () {
        const number = model.rows[held.row]?.number ?? -1
        const { exit, isBroken } = yield* broken(store.transactional(held.real, false, write(number)), fault)
        if (!isBroken) expect(Exit.isSuccess(exit)).toBe(model.perform(held, now))
        return isBroken
      })

    const run = Effect.fnUntraced(function* (command: Command) {
      switch (command._tag) {
        case "Enqueue": {
          const { delay, fault, kind, transaction } = command
          const item = { number: number++, key: command.key }
          const enqueued = Jobs.enqueue(declared[kind], item, delay > 0 ? { delay } : {})
          const whole =
            transaction === "none"
              ? enqueued
              : sql.withTransaction(
                  Effect.zipLeft(enqueued, transaction === "commit" ? Effect.void : Effect.fail("no"))
                )
          const { exit, isBroken, reached } = yield* broken(whole, fault)
          if (transaction === "none" ? reached === 0 : isBroken || transaction === "rollback") return
          const isThere = model.insert(kind, item, now, delay)
          if (Exit.isSuccess(exit)) expect(Option.isSome(exit.value)).toBe(isThere)
          return
        }
        case "Claim": {
          const { fault, fleet, most } = command
          const { exit, isBroken, reached } = yield* broken(store.claim("default", most, fleet), fault)
          if (fleet === undefined ? reached === 0 : isBroken) return
          const running = model.rows.filter(({ state }) => state === "running").length
          const free = fleet === undefined ? most : Math.max(0, Math.min(most, fleet - running))
          const claim = claims++
          const places = model.claim(free, claim, now, inOrder)
          if (!Exit.isSuccess(exit)) return
          expect(exit.value.map(({ id }) => ids.indexOf(id)).toSorted()).toEqual(places.toSorted())
          for (const real of exit.value) workers[command.worker]?.push({ row: ids.indexOf(real.id), claim, real })
          return
        }
        case "Promote": {
          const { reached } = yield* broken(store.promote, command.fault)
          if (reached > 0) model.promote("waiting", now)
          if (reached > 1) model.promote("running", now)
          return
        }
        case "Renew": {
          const held = workers[command.worker] ?? []
          const { exit, reached } = yield* broken(store.renew(held.map(({ real }) => real)), command.fault)
          if (reached === 0) return
          const kept = model.renew(held, now)
          if (!Exit.isSuccess(exit)) return
          const lost = held.filter(({ row }) => !kept.includes(row))
          expect([...new Set(exit.value)].toSorted()).toEqual([...new Set(lost.map(({ real }) => real.id))].toSorted())
          workers[command.worker] = held.filter(({ row }) => kept.includes(row))
          return
        }
        case "Settle":
        case "Perform": {
          // Of whichever worker holds one.
          const all = workers.flat()
          const held = all[command.which % Math.max(1, all.length)]
          if (held === undefined) return
          const isExact = model.rows[held.row]?.kind === "exact"
          const forget = () => workers.forEach((mine) => mine.includes(held) && mine.splice(mine.indexOf(held), 1))
          if (command._tag === "Perform" || (isExact && command.outcome === "Done")) {
            if (isExact && !(yield* perform(held, command.fault))) forget()
            return
          }
          const outcome = outcomeOf(command.outcome, now)
          const settled = [{ claim: held.real, outcome, erase: command.erase }]
          const { exit, reached } = yield* broken(store.settle(settled), command.fault)
          if (reached === 0) return
          const wasHeld = model.settle(held, outcome, command.erase, now)
          // A worker that did not hear of it says it again, and is told that the job is not its own.
          if (!Exit.isSuccess(exit)) return
          expect(exit.value).toEqual(wasHeld ? [] : [held.real.id])
          return forget()
        }
        case "Kill":
          return void (workers[command.worker] = [])
        case "Cancel":
        case "Retry": {
          const place = command.which % Math.max(1, ids.length)
          const id = ids[place] ?? "none"
          const asked = command._tag === "Cancel" ? jobs.cancel(id) : jobs.retry(id)
          const { exit, reached } = yield* broken(asked, command.fault)
          if (reached === 0) return
          const isChanged = command._tag === "Cancel" ? model.cancel(place) : model.retry(place, now)
          if (Exit.isSuccess(exit)) expect(exit.value).toBe(isChanged)
          return
        }
        case "Pass":
          now += command.millis
      }
    })

    for (const command of commands) {
      yield* run(command)
      yield* compare
    }
    // Another worker, on a database that is well again, ends what is left.
    const isOpen = () => model.rows.some(({ state }) => /ready|waiting|running/.test(state))
    for (let round = 0; isOpen() && round < 10; round++) {
      yield* run({ _tag: "Pass", millis: 61_000 })
      yield* run({ _tag: "Promote", fault: undefined })
      yield* run({ _tag: "Kill", worker: 0 })
      yield* run({ _tag: "Claim", worker: 0, most: 1000, fleet: undefined, fault: undefined })
      for (const held of workers[0] ?? []) {
        const exact = model.rows[held.row]?.kind === "exact"
        const settled = [{ claim: held.real, outcome: { _tag: "Done" as const }, erase: false }]
        if (exact) yield* perform(held)
        else model.settle(held, { _tag: "Done" }, false, now)
        if (!exact) expect(yield* store.settle(settled)).toEqual([])
      }
      yield* compare
    }
    expect(isOpen()).toBe(false)
    const written = yield* sql<{ readonly number: unknown }>`SELECT number FROM written`
    const done = model.rows.filter(({ kind, state }) => kind === "exact" && state === "done")
    const sorted = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)
    expect(sorted(written.map(({ number }) => Number(number)))).toEqual(sorted(done.map(({ number }) => number)))
  }).pipe(Effect.withClock(clock))
}

describeDatabases("The life of a job", (database) => {
  const table = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE written (number INTEGER NOT NULL)`)
  const services = Layer.mergeAll(
    unprepared(SqlJobs.layer),
    ...([declared.plain, declared.exact, declared.once, declared.latest] as const).map((job) =>
      Job.layerElsewhere<Kind, typeof Item.Type, typeof Item.Encoded>(job)
    ),
    Layer.effectDiscard(Effect.orDie(table))
  ).pipe(Layer.provideMerge(database.layer))

  it.scopedLive("is that of the model, whichever statement fails", () =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime<Effect.Effect.Context<ReturnType<typeof life>>>()
      const lives = fc.array(command, { minLength: 5, maxLength: 60, size: "max" })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(lives, (commands) => Runtime.runPromise(runtime)(life(commands))),
          { numRuns: 30 }
        )
      )
    }).pipe(Effect.provide(services))
  )
})
