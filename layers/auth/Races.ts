// Who was under way when someone else won: inside one process a lost race can be told from a replay.
import { Deferred, Effect, FiberId } from "effect"

export interface Race {
  /** Everyone who is under way with the same token has lost. Whoever comes later has not: that is a replay. */
  readonly win: Effect.Effect<void>
  /** Whether someone who is under way has won; waits for those of them who do not know yet. */
  readonly isLost: Effect.Effect<boolean>
  readonly leave: Effect.Effect<void>
}

interface Runner {
  lost: boolean
  readonly decided: Deferred.Deferred<void>
}

export const makeRaces = () => {
  const running = new Map<string, Set<Runner>>()
  return {
    /** Enters the race for this token. */
    enter: (name: string): Race => {
      const runner: Runner = { lost: false, decided: Deferred.unsafeMake(FiberId.none) }
      const runners = running.get(name) ?? new Set()
      running.set(name, runners.add(runner))
      const decide = Deferred.succeed(runner.decided, undefined)
      return {
        win: Effect.suspend(() => {
          for (const other of runners) other.lost = true
          return decide
        }),
        // Decided before it waits, so that no two wait for each other.
        isLost: Effect.suspend(() => {
          const others = [...runners]
          return decide.pipe(
            Effect.zipRight(Effect.forEach(others, (other) => Deferred.await(other.decided), { discard: true })),
            Effect.map(() => runner.lost)
          )
        }),
        leave: Effect.suspend(() => {
          runners.delete(runner)
          if (runners.size === 0 && running.get(name) === runners) running.delete(name)
          return decide
        })
      }
    }
  }
}
