// What wakes a worker before its next look: a latch in this process, SQLite's counter of commits, PostgreSQL's NOTIFY.
import type { SqlClient, SqlError, Statement } from "@effect/sql"
import { Clock, Effect, Option, Schedule, type Scope, Stream } from "effect"
import { Notifications } from "../../database/internal/Notifications.ts"
import { PreparedStatements } from "../../database/internal/PreparedStatements.ts"

export interface Wakeups {
  /** Wakes the workers of this process at once. */
  readonly wakeHere: Effect.Effect<void>
  /** The end of a `RETURNING`: wakes the workers of others when the transaction commits that changed the row. */
  readonly notify: Statement.Fragment
  /** Wakes the workers of this process at once, and those of others when the transaction commits. */
  readonly wake: Effect.Effect<void, SqlError.SqlError>
  /** Hears of what other processes commit, on PostgreSQL by a connection of the pool, until the scope closes. */
  readonly listen: Effect.Effect<void, never, Scope.Scope>
  /** Ends when there may be something new, and every second. By real time: a test that turns the clock must not count them. */
  readonly wait: Effect.Effect<void>
}

// Milliseconds. Reading the counter takes a few microseconds.
const look = 20

const poll = "1 second"

const realTime = Effect.withClock(Clock.make())

/** The wake-ups of the queue in this table. */
export const make = (sql: SqlClient.SqlClient, table: string): Effect.Effect<Wakeups> =>
  Effect.gen(function* () {
    const latch = yield* Effect.makeLatch(false)
    const commits = Option.getOrUndefined(yield* Effect.serviceOption(PreparedStatements))?.commits
    const notifications = yield* Effect.serviceOption(Notifications)
    const listen = Option.match(notifications, {
      onNone: () => Effect.void,
      onSome: ({ listen }) =>
        Stream.runForEach(listen(table), () => latch.open).pipe(
          Effect.retry(Schedule.spaced("5 seconds")),
          Effect.forkScoped,
          Effect.asVoid
        )
    })

    // A timer and not a fiber that sleeps: it looks fifty times a second for as long as the program runs.
    const changed = (count: () => number) =>
      Effect.async<void>((resume) => {
        const before = count()
        const timer = setInterval(() => {
          try {
            if (count() === before) return
            resume(Effect.void)
          } catch (error) {
            resume(Effect.die(error))
          }
          clearInterval(timer)
        }, look)
        return Effect.sync(() => clearInterval(timer))
      })
    const elsewhere = commits === undefined ? Effect.never : changed(commits)

    // The server sends it when the transaction of the caller commits, and once for all rows of it.
    const told = sql`pg_notify(${table}, 'jobs')`
    const tell = sql.onDialectOrElse({ pg: () => Effect.asVoid(sql`SELECT ${told}`), orElse: () => Effect.void })
    return {
      listen,
      wakeHere: latch.open,
      notify: sql.onDialectOrElse({ pg: () => sql`, ${told}`, orElse: () => sql.literal("") }),
      wake: Effect.zipRight(latch.open, tell),
      wait: Effect.raceFirst(latch.await, elsewhere).pipe(
        Effect.timeoutOption(poll),
        realTime,
        // What comes from here on opens it again.
        Effect.zipRight(latch.close),
        Effect.asVoid
      )
    }
  })
