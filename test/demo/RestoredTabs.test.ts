// A browser restores its tabs, a load is broken off and repeated, a thief replays a cookie: against the real program, over
// real sockets, in one process and in two, on both databases. Each round has an account of its own.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { stores } from "../layers/auth/Stores.ts"
import { Connection, type Reply } from "../support/Connection.ts"
import { sqlite, TestDatabase } from "../support/Databases.ts"
import { demo } from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"
import { processorWait } from "../support/ProcessTree.ts"
import { configurations, left, live, type Remembered, remembered } from "../support/Remembered.ts"

/** Twice each of the delays; `RESTORED_TABS_ROUNDS` asks for more. */
const rounds = Number(process.env["RESTORED_TABS_ROUNDS"] ?? 14)

const deadline = 240_000 + rounds * 1000

const coldStarts = 3

/** Rounds at a time: each waits a quarter of a second for its tabs. */
const concurrency = 5

/** Milliseconds between two tabs, or until a load is broken off: all well within the time that a response waits. */
const delays = [0, 0, 1, 3, 10, 30, 60]

/**
 * Milliseconds of delay after which a failed round proves nothing, because a busy machine kept the test or the program
 * from running, and is repeated: both tabs must arrive within the 250 that a response waits.
 */
const limit = 100

/** Milliseconds that a round takes at most where nothing is delayed: a response and then a lost race wait 250 each. */
const longest = 700

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** What a reply is, in a word. */
const outcomeOf = ({ cookies, status }: Reply): "signed in" | "not signed in" | "theft" => {
  if (status === 200) return "signed in"
  return cookies.get("remember") === "" ? "theft" : "not signed in"
}

/** Each round until it was in time. */
const inRounds = <E, R>(round: (number: number) => Effect.Effect<boolean, E, R>) =>
  Effect.forEach(
    Array.from({ length: rounds }, (_, number) => number),
    (number) => Effect.repeat(round(number), { until: (inTime) => inTime }),
    { concurrency, discard: true }
  )

const delayOf = (round: number): number => delays[round % delays.length] ?? 0

/** The real program on the database of the test. */
class Fleet extends Context.Tag("test/Fleet")<
  Fleet,
  {
    /** A connection, and the process that it leads to. */
    readonly open: () => Promise<{ readonly connection: Connection; readonly process: string }>
    /** A connection to another process than this one, where there is one. */
    readonly beside: (process: string) => Promise<Connection>
    /** Milliseconds for which the processes have waited for a processor so far. */
    readonly waited: () => number
  }
>() {}

const fleet = (workers: number) =>
  Layer.scoped(
    Fleet,
    Effect.gen(function* () {
      const { url: database } = yield* TestDatabase
      const { pid, url } = yield* demo({ DATABASE_URL: database, WORKERS: String(workers) })
      const open = async () => {
        const connection = await Connection.open(url)
        return { connection, process: (await connection.get("/login")).process }
      }
      const beside = async (process: string): Promise<Connection> => {
        for (;;) {
          const other = await open()
          if (workers === 1 || other.process !== process) return other.connection
          other.connection.close()
        }
      }
      return { open, beside, waited: () => processorWait(pid) }
    })
  )

const account = (connection: Connection, { remember }: Remembered) => connection.get("/account", { remember })

for (const [name, database, workers] of configurations) {
  layer(Layer.provideMerge(fleet(workers), stores(database)), live)(name, (it) => {
    it.effect(
      "takes tabs that are restored together for one browser",
      () =>
        Effect.gen(function* () {
          const { beside, open, waited } = yield* Fleet
          yield* inRounds((round) =>
            Effect.gen(function* () {
              const person = yield* remembered
              const { first, isLate, second } = yield* Effect.promise(async () => {
                const { connection, process } = await open()
                const other = await beside(process)
                const [started, before] = [performance.now(), waited()]
                const opened = account(connection, person)
                await pause(delayOf(round))
                const heldUp = performance.now() - started - delayOf(round)
                const [first, second] = await Promise.all([opened, account(other, person)])
                const isLate = heldUp + waited() - before > limit || performance.now() - started > longest
                connection.close()
                other.close()
                return { first, isLate, second }
              })
              // Another process cannot share a rotation: it leaves the cookie to the one that can.
              const expected = workers === 1 ? ["signed in", "signed in"] : ["not signed in", "signed in"]
              const outcomes = [outcomeOf(first), outcomeOf(second)].sort()
              if (isLate && outcomes.join() !== expected.join()) return false
              expect(outcomes, `round ${round}`).toEqual(expected)
              const cookies = [first, second].flatMap(({ cookies }) => cookies.get("remember") ?? [])
              expect(cookies).toHaveLength(workers === 1 ? 2 : 1)
              // Its response must not replace the session that the other one was given.
              expect([first, second].filter(({ cookies }) => cookies.has("session"))).toHaveLength(cookies.length)
              expect(new Set(cookies).size).toBe(1)
              expect(yield* left(person)).toEqual({ sessions: workers === 1 ? 2 : 1, devices: 1 })
              return true
            })
          )
        }),
      deadline
    )

    it.effect(
      "takes a load that is broken off and repeated for the same browser",
      () =>
        Effect.gen(function* () {
          const { beside, open, waited } = yield* Fleet
          yield* inRounds((round) =>
            Effect.gen(function* () {
              const person = yield* remembered
              const { isLate, reply } = yield* Effect.promise(async () => {
                const { connection, process } = await open()
                const other = await beside(process)
                const [started, before] = [performance.now(), waited()]
                void account(connection, person)
                await pause(delayOf(round))
                connection.close()
                const heldUp = performance.now() - started - delayOf(round)
                const reply = await account(other, person)
                const isLate = heldUp + waited() - before > limit || performance.now() - started > longest
                other.close()
                return { isLate, reply }
              })
              if (isLate && outcomeOf(reply) !== "signed in") return false
              expect(outcomeOf(reply), `round ${round}`).toBe("signed in")
              expect(yield* left(person)).toEqual({ sessions: 1, devices: 1 })
              return true
            })
          )
        }),
      deadline
    )

    it.effect(
      "takes a cookie that comes again after its response for stolen, at once and in every process",
      () =>
        Effect.gen(function* () {
          const { beside, open } = yield* Fleet
          yield* inRounds((round) =>
            Effect.gen(function* () {
              const person = yield* remembered
              const [first, replay] = yield* Effect.promise(async () => {
                const { connection, process } = await open()
                const other = round % 2 === 0 ? connection : await beside(process)
                const replies = [await account(connection, person), await account(other, person)]
                connection.close()
                other.close()
                return replies
              })
              if (first === undefined || replay === undefined) return yield* Effect.dieMessage("no replies")
              expect([outcomeOf(first), outcomeOf(replay)], `round ${round}`).toEqual(["signed in", "theft"])
              expect(yield* left(person)).toEqual({ sessions: 0, devices: 0 })
              return true
            })
          )
        }),
      deadline
    )
  })
}

layer(stores(sqlite), live)("A process", (it) => {
  it.scoped(
    "that has served no request yet takes restored tabs for one browser too",
    () =>
      Effect.gen(function* () {
        const { url: database } = yield* TestDatabase
        for (let start = 0; start < coldStarts; start++) {
          const person = yield* remembered
          const process = yield* demo({ DATABASE_URL: database, WORKERS: "1" })
          const replies = yield* Effect.promise(async () => {
            const tabs = await Promise.all(Array.from({ length: 5 }, () => Connection.open(process.url)))
            const replies = await Promise.all(tabs.map((tab) => account(tab, person)))
            for (const tab of tabs) tab.close()
            return replies
          })
          expect(replies.map(outcomeOf)).toEqual(replies.map(() => "signed in"))
          expect(new Set(replies.map(({ cookies }) => cookies.get("remember"))).size).toBe(1)
          expect(yield* left(person)).toEqual({ sessions: 5, devices: 1 })
          process.signal("SIGTERM")
          yield* process.ended
        }
      }),
    deadline
  )

  it.scoped(
    "that is killed while a response waits gives the cookie back",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url: database } = yield* TestDatabase
        const settings = { DATABASE_URL: database, WORKERS: "1" }
        const other = yield* demo(settings)
        const interrupted = Effect.gen(function* () {
          const killed = yield* demo(settings)
          const person = yield* remembered
          const first = yield* Effect.promise(() => Connection.open(killed.url))
          let isAnswered = false
          const outcome = account(first, person).then(
            () => (isAnswered = true),
            () => false
          )
          yield* eventually(
            sql`SELECT 1 FROM trusts WHERE user_id = ${person.id} AND next IS NOT NULL`,
            (rows) => rows.length === 1 || isAnswered
          )
          killed.signal("SIGKILL")
          yield* killed.ended
          return { person, wasAnswered: yield* Effect.promise(() => outcome) }
        })
        // Again when the response was quicker than the kill.
        const { person } = yield* Effect.repeat(interrupted, { until: ({ wasAnswered }) => !wasAnswered })
        const second = yield* Effect.promise(() => Connection.open(other.url))
        expect(outcomeOf(yield* Effect.promise(() => account(second, person)))).toBe("signed in")
        second.close()
        expect((yield* left(person)).devices).toBe(1)
      }),
    deadline
  )
})
