// What holds for a job that says nothing else.
import { Duration, Schedule } from "effect"

/** The lease of a worker, which it renews while the handler runs. */
export const lease = Duration.seconds(60)

/** Ten attempts: after 20 seconds, 54 seconds and so on, within about a day. */
export const defaultRetry = Schedule.intersect(Schedule.exponential("20 seconds", 2.7), Schedule.recurs(9))
