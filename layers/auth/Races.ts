// Who was under way when someone else won: inside one process a lost race can be told from a replay.

export interface Race {
  /** Everyone who is under way with the same token has lost. Whoever comes later has not: that is a replay. */
  readonly win: () => void
  readonly isLost: () => boolean
  readonly leave: () => void
}

interface Runner {
  lost: boolean
}

export const makeRaces = () => {
  const running = new Map<string, Set<Runner>>()
  return {
    /** Enters the race for this token. */
    enter: (name: string): Race => {
      const runner: Runner = { lost: false }
      const runners = running.get(name) ?? new Set()
      running.set(name, runners.add(runner))
      return {
        win: () => {
          for (const other of runners) other.lost = true
        },
        isLost: () => runner.lost,
        leave: () => {
          runners.delete(runner)
          if (runners.size === 0) running.delete(name)
        }
      }
    }
  }
}
