// What wakes a worker before its next look: a latch in this process, SQLite's counter of commits, PostgreSQL's NOTIFY.
import type { SqlClient, SqlError, Statement } from "@effect/sql"
import { Clock, Effect, Option, Schedule, type Scope, Stream } from "effect"
import { Notifications } from "../../database/internal/Notifications.ts"
import { PreparedStatements } from "../../database/internal/PreparedStatements.ts"

interface Wakeups {
  /** Wakes the workers of this process at once. */
  readonly wakeHere: Effect.Effect<void>
  /** The end of a `RETURNING`: wakes the workers of others when the transaction commits that changed the row. */
  readonly notify: Statement.Fragment
  /** Wakes the workers of this process at once, and those of others when the transaction commits. */
  readonly wake: Effect.Effect<void, SqlError.SqlError>
  /** Hears of what other processes commit, on PostgreSQL by a connection of the pool, until the scope closes. */
  readonly listen: Effect.Effect<void, never, Scope.Scope>
  /**
   * Ends when something was enqueued, with `true`; after any commit, and now and then, with `false`. By real time: a test that
   * turns the clock must not count them.
   */
  readonly wait: Effect.Effect<boolean>
}

// Milliseconds. Reading the counter takes a few microseconds, but a process that wakes for it takes a few hundred.
const look = 40

// A pooler passes no `NOTIFY` on. A connection that waits for it may be gone without a word; a counter cannot be lost.
const poll = { unnotified: "1 second", notified: "2 seconds", counted: "10 seconds" } as const

const realTime = Effect.withClock(Clock.make())

/** The wake-ups of the queue in this table. */
export const make = (sql: SqlClient.SqlClient, table: string): Effect.Effect<Wakeups> =>
  Effect.gen(function* () {
    const latch = yield* Effect.makeLatch(false)
    let isTold = false
    const wakeHere = Effect.sync(() => {
      isTold = true
      latch.unsafeOpen()
    })
    const commits = Option.getOrUndefined(yield* Effect.serviceOption(PreparedStatements))?.commits
    const notifications = yield* Effect.serviceOption(Notifications)
    const hear = ({ listen }: typeof Notifications.Service) =>
      Stream.runForEach(listen(table), () => wakeHere).pipe(
        Effect.retry(Schedule.spaced("5 seconds")),
        Effect.forkScoped,
        Effect.asVoid
      )

    // A timer and not a fiber that sleeps: it looks twenty-five times a second for as long as the program runs. It also looks while the
    // worker does, so that no commit falls between two waits.
    const watch = (count: () => number) =>
      Effect.suspend(() => {
        let seen = count()
        const timer = setInterval(() => {
          try {
            const now = count()
            if (now === seen) return
            seen = now
          } catch {
            // The look that follows fails of the same, where it is reported.
          }
          latch.unsafeOpen()
        }, look)
        return Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
      })

    const { listen, rest } =
      commits !== undefined
        ? { listen: watch(commits), rest: poll.counted }
        : Option.match(notifications, {
            onNone: () => ({ listen: Effect.void, rest: poll.unnotified }),
            onSome: (found) => ({ listen: hear(found), rest: poll.notified })
          })

    // The server sends it when the transaction of the caller commits, and once for all rows of it.
    const told = sql`pg_notify(${table}, 'jobs')`
    const tell = sql.onDialectOrElse({ pg: () => Effect.asVoid(sql`SELECT ${told}`), orElse: () => Effect.void })
    return {
      listen,
      wakeHere,
      notify: sql.onDialectOrElse({ pg: () => sql`, ${told}`, orElse: () => sql.literal("") }),
      wake: Effect.zipRight(wakeHere, tell),
      wait: latch.await.pipe(
        Effect.timeoutOption(rest),
        realTime,
        // What comes from here on opens it again.
        Effect.zipRight(latch.close),
        Effect.map(() => {
          const was = isTold
          isTold = false
          return was
        })
      )
    }
  })
