// Requests of this process that present the same token: which of them share a rotation, and when it becomes final.
//
// A browser that restores its tabs sends one remember cookie several times, and an aborted load never receives the new
// validator. So a rotation is claimed first. It is settled when a response that carries it has been sent, and rolled
// back when all clients disconnect before. A request that arrives before the first response is sent cannot have seen
// the new validator and shares it; the responses wait a moment for concurrent requests.
import { Cause, Clock, Deferred, Duration, Effect, Exit, FiberId, FiberSet, Option, type Scope } from "effect"
import type { State as RequestState } from "../../../src/http/internal/RequestState.ts"

/** The phases of a rotation, implemented by the storage. */
export interface Rotation<A> {
  /** Claims a new validator; `None` when the series cannot be rotated. */
  readonly claim: Effect.Effect<Option.Option<A>>
  /** Tells the other processes that the response is still in progress. */
  readonly renew: (claimed: A) => Effect.Effect<void>
  /** A response that carries it was sent at this `performance.now()`. */
  readonly settle: (claimed: A, sent: number) => Effect.Effect<void>
  /** No response that carries it will be sent. */
  readonly rollBack: (claimed: A) => Effect.Effect<void>
}

/** A rotation of this process whose response was recently sent. */
interface Sent<A> {
  readonly claimed: A
  readonly at: number
}

export interface Options {
  /** How long a response waits for concurrent requests, from the arrival of the first. */
  readonly hold: Duration.DurationInput
  /** How often a claim is renewed. */
  readonly renewal: Duration.DurationInput
}

interface Group<A> {
  readonly opened: number
  readonly claimed: Deferred.Deferred<Option.Option<A>>
  /** When the first response was sent; `None` when all clients disconnected. */
  readonly ended: Deferred.Deferred<Option.Option<number>>
  members: number
  sent: Sent<A> | undefined
}

// A request that was received in time may reach the guard late: the rotation is kept for this long.
const retention = 5000

// The event loop reads pending input once a turn: a connection in one, its request in the next.
const turns = 8

const deadline = "5 seconds"

export const make = Effect.fnUntraced(function* <A, E = never>(options: Options) {
  const groups = new Map<string, Group<A>>()
  const running = new Map<string, Deferred.Deferred<unknown, E>>()
  const hold = Duration.toMillis(options.hold)
  const fibers = yield* FiberSet.make<void>()
  // A process that shuts down settles the rotations it has sent.
  yield* Effect.addFinalizer(() =>
    Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(fibers)), deadline).pipe(Effect.withClock(system))
  )
  const run = yield* FiberSet.runtime(fibers)<never>()

  const remove = (name: string, group: Group<A>): void => {
    if (groups.get(name) === group) groups.delete(name)
  }

  // Not in the fiber of a request: a client that disconnects would interrupt the rotation of the others.
  const supervise = (name: string, group: Group<A>, rotation: Rotation<A>) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(rotation.claim)
      if (Exit.isFailure(exit) || Option.isNone(exit.value)) remove(name, group)
      yield* Deferred.done(group.claimed, exit)
      if (Exit.isFailure(exit) || Option.isNone(exit.value)) return
      const claimed = exit.value.value
      const renewing = Effect.forever(
        Effect.zipRight(Effect.sleep(options.renewal), Effect.uninterruptible(rotation.renew(claimed)))
      )
      const sent = yield* Effect.raceFirst(Deferred.await(group.ended), renewing)
      yield* Option.isSome(sent) ? rotation.settle(claimed, sent.value) : rotation.rollBack(claimed)
    }).pipe(
      Effect.catchAllCause((cause) => Effect.logWarning("A rotation was neither settled nor rolled back", cause)),
      Effect.withClock(system)
    )

  const open = (name: string, opened: number, rotation: Rotation<A>): Group<A> => {
    const group: Group<A> = {
      opened,
      claimed: Deferred.unsafeMake(FiberId.none),
      ended: Deferred.unsafeMake(FiberId.none),
      members: 0,
      sent: undefined
    }
    groups.set(name, group)
    run(supervise(name, group, rotation))
    return group
  }

  const send = (name: string, group: Group<A>, claimed: A, at: number): void => {
    if (group.sent !== undefined) return
    group.sent = { claimed, at }
    Deferred.unsafeDone(group.ended, Effect.succeed(Option.some(at)))
    setTimeout(() => remove(name, group), retention).unref()
  }

  const leave = (name: string, group: Group<A>): void => {
    if (--group.members > 0 || group.sent !== undefined) return
    remove(name, group)
    Deferred.unsafeDone(group.ended, Effect.succeed(Option.none()))
  }

  const awaitOthers = (group: Group<A>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (group.sent !== undefined) return Effect.void
      const left = hold - (performance.now() - group.opened)
      return left > 0 ? Effect.zipRight(pause(left), eventLoopTurns) : eventLoopTurns
    })

  return {
    /** The rotation of this token, shared by all requests that arrive before a response with it has been sent. */
    share: (
      name: string,
      state: RequestState,
      rotation: Rotation<A>
    ): Effect.Effect<Option.Option<A>, never, Scope.Scope> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          const known = groups.get(name)
          if (known?.sent !== undefined) return Option.none<A>()
          const group = known ?? open(name, state.arrived, rotation)
          group.members++
          let carried: Option.Option<A> = Option.none()
          let ready: number | undefined
          yield* Effect.addFinalizer((exit) =>
            Effect.sync(() => {
              if (Exit.isSuccess(exit) && Option.isSome(carried)) {
                send(name, group, carried.value, ready ?? performance.now())
              }
              leave(name, group)
            })
          )
          carried = yield* restore(Deferred.await(group.claimed))
          if (Option.isNone(carried)) return carried
          const { value } = carried
          state.beforeResponse = (streamed) =>
            Effect.map(awaitOthers(group), () => {
              // Taken before the response is written: a client that has read it cannot have arrived earlier.
              ready = performance.now()
              if (streamed) send(name, group, value, ready)
            })
          return carried
        })
      ),

    /** The recently sent rotation of this token. */
    sent: (name: string): Sent<A> | undefined => groups.get(name)?.sent,

    /** Runs the work once at a time for each name; concurrent callers wait for it and get `None`. */
    exclusive: <B>(name: string, work: Effect.Effect<Option.Option<B>, E>): Effect.Effect<Option.Option<B>, E> =>
      Effect.suspend(() => {
        const current = running.get(name)
        if (current !== undefined) return Effect.as(Deferred.await(current), Option.none<B>())
        const outcome = Deferred.unsafeMake<unknown, E>(FiberId.none)
        running.set(name, outcome)
        // Concurrent callers all register before the work begins.
        return Effect.zipRight(Effect.yieldNow(), work).pipe(
          Effect.onExit((exit) => {
            running.delete(name)
            const interrupted = Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)
            return Deferred.done(outcome, interrupted ? Exit.void : exit)
          })
        )
      })
  }
})

// Processes and tabs compete in real time, whatever clock a test sets.
const system = Clock.make()

/** A wait in real time. */
export const pause = (time: Duration.DurationInput): Effect.Effect<void> => Effect.withClock(Effect.sleep(time), system)

// Pending input is read, and closed connections are noticed, before the response is written.
const eventLoopTurns = Effect.async<void>((resume) => {
  let left = turns
  const turn = () => {
    if (--left === 0) resume(Effect.void)
    else setImmediate(turn)
  }
  setImmediate(turn)
})
