// What wakes a worker before its next look: a latch in this process, SQLite's counter of commits, PostgreSQL's NOTIFY.
import type { SqlClient, SqlError } from "@effect/sql"
import { Clock, Effect, Option, Schedule, type Scope, Stream } from "effect"
import { Notifications } from "../../database/internal/Notifications.ts"
import { PreparedStatements } from "../../database/internal/PreparedStatements.ts"

export interface Wakeups {
  /** Wakes the workers of this process at once, and those of others when the transaction commits. */
  readonly wake: Effect.Effect<void, SqlError.SqlError>
  /** Ends when there may be something new, and every second. By real time: a test that turns the clock must not count them. */
  readonly wait: Effect.Effect<void>
}

// Reading the counter takes a few microseconds.
const look = "20 millis"

const poll = "1 second"

const realTime = Effect.withClock(Clock.make())

/** The wake-ups of the queue in this table. */
export const make = (sql: SqlClient.SqlClient, table: string): Effect.Effect<Wakeups, never, Scope.Scope> =>
  Effect.gen(function* () {
    const latch = yield* Effect.makeLatch(false)
    const commits = Option.getOrUndefined(yield* Effect.serviceOption(PreparedStatements))?.commits
    const notifications = yield* Effect.serviceOption(Notifications)
    if (Option.isSome(notifications)) {
      const heard = Stream.runForEach(notifications.value.listen(table), () => latch.open)
      yield* Effect.forkScoped(Effect.retry(heard, Schedule.spaced("5 seconds")))
    }

    const changed = (count: () => number, before: number): Effect.Effect<void> =>
      count() !== before ? Effect.void : Effect.flatMap(Effect.sleep(look), () => changed(count, before))
    const elsewhere = commits === undefined ? Effect.never : Effect.suspend(() => changed(commits, commits()))

    // The server sends it when the transaction of the caller commits.
    const notify: Effect.Effect<void, SqlError.SqlError> = sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`SELECT pg_notify(${table}, 'jobs')`),
      orElse: () => Effect.void
    })
    return {
      wake: Effect.zipRight(latch.open, notify),
      wait: Effect.raceFirst(latch.await, elsewhere).pipe(
        Effect.timeoutOption(poll),
        realTime,
        // What comes from here on opens it again.
        Effect.zipRight(latch.close),
        Effect.asVoid
      )
    }
  })
