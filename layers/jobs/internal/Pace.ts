// When a worker may begin further jobs in a process that serves: requests go first.
import { Clock, Effect } from "effect"

/** What it asks of the process. */
interface Process {
  /** Milliseconds that only grow. */
  readonly now: () => number
  /** The share of the time since the last question in which the thread was busy, from 0 to 1. */
  readonly busy: () => number
  /** Lets so many milliseconds of real time pass. */
  readonly pause: (millis: number) => Effect.Effect<void>
}

// A thread with less has time for all that come.
const full = 0.8

// Milliseconds. A look at a thread that is full of jobs alone takes a twentieth of their time.
const look = 5
const rest = 25
const calm = 100

/**
 * Ends when jobs may begin. Who keeps a full thread busy is seen in a moment in which no job begins: if it is still full, those
 * are requests, and jobs begin thirty times a second until it is not.
 */
export const make = ({ busy, now, pause }: Process): Effect.Effect<void> => {
  let free = 0
  const hasRoom = () => {
    const room = busy() < full
    if (room) free = now() + calm
    return room
  }
  return Effect.gen(function* () {
    if (now() < free || hasRoom()) return
    yield* pause(look)
    if (hasRoom()) return
    yield* pause(rest)
    hasRoom()
  })
}

/** Of this process. */
export const ofProcess: Effect.Effect<Effect.Effect<void>> = Effect.sync(() => {
  let last = performance.eventLoopUtilization()
  return make({
    now: () => performance.now(),
    busy: () => {
      const next = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(next, last)
      last = next
      return utilization
    },
    pause: (millis) => Effect.withClock(Effect.sleep(millis), Clock.make())
  })
})
