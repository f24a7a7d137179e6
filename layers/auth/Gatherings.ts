// Requests that come at once with the same thing in hand, and share what is made of it.
//
// A browser that restores two tabs sends one remember cookie twice. Whoever arrives before the first of them has its
// answer may share that answer, however long he is held up on the way; whoever arrives later has a copy that is spent.
import { Deferred, Effect, type Scope } from "effect"

interface Gathering<A, E> {
  present: number
  outcome: Deferred.Deferred<A, E> | undefined
  isAnswered: boolean
}

export interface Gatherings<A, E> {
  /** Notes at once that a visit is under way with the thing of this name, until its scope closes. */
  readonly arrive: (name: string, visit: object) => Effect.Effect<void, never, Scope.Scope>
  /** What the work comes to, done once for all of the gathering. */
  readonly share: (name: string, visit: object, work: Effect.Effect<A, E>) => Effect.Effect<A, E, Scope.Scope>
}

export const make = <A, E>(): Gatherings<A, E> => {
  const open = new Map<string, Gathering<A, E>>()
  const visits = new WeakMap<object, Gathering<A, E>>()

  const join = (name: string, visit: object): Gathering<A, E> => {
    const known = open.get(name)
    const gathering =
      known === undefined || known.isAnswered ? { present: 0, outcome: undefined, isAnswered: false } : known
    gathering.present++
    open.set(name, gathering)
    visits.set(visit, gathering)
    return gathering
  }

  const leave = (name: string, gathering: Gathering<A, E>) =>
    Effect.sync(() => {
      gathering.present--
      if (gathering.present === 0 && open.get(name) === gathering) open.delete(name)
    })

  const arrive = (name: string, visit: object) =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        if (visits.has(visit)) return Effect.void
        const gathering = join(name, visit)
        return Effect.addFinalizer(() => leave(name, gathering))
      })
    )

  // Not in the fiber that asks first: a client that goes away would take the outcome of the others along.
  const begin = (gathering: Gathering<A, E>, work: Effect.Effect<A, E>) =>
    Effect.tap(Deferred.make<A, E>(), (outcome) => {
      gathering.outcome = outcome
      return Effect.forkDaemon(Effect.intoDeferred(Effect.zipRight(lap, work), outcome))
    })

  const answered = (gathering: Gathering<A, E>) =>
    Effect.sync(() => {
      gathering.isAnswered = true
    })

  return {
    arrive,
    share: (name, visit, work) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* arrive(name, visit)
          const gathering = visits.get(visit)
          if (gathering === undefined) return yield* work
          yield* Effect.addFinalizer(() => answered(gathering))
          return yield* restore(Deferred.await(gathering.outcome ?? (yield* begin(gathering, work))))
        })
      )
  }
}

// Requests that are already in the machine get to arrive: the event loop hands them out before it comes to this.
const lap = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})
