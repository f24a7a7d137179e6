// Measurements that take turns, so that a slow moment of the machine meets all of them.

/** A figure, measured once. */
export type Take = () => Promise<number>

export interface Rounds<Name extends string> {
  /** The median of all rounds. */
  readonly of: (name: Name) => number
  /** One over the other, round by round, and the median of that: neighbours in time are compared with each other. */
  readonly ratio: (ours: Name, peer: Name) => number
}

/** The middle one; between two, their mean. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** Takes every figure once in each round; every other round goes backwards, against a machine that gets faster or slower. */
export const take = async <Name extends string>(
  takes: Readonly<Record<Name, Take>>,
  rounds: number
): Promise<Rounds<Name>> => {
  const names = Object.keys(takes).filter((name): name is Name => name in takes)
  const taken = new Map<Name, Array<number>>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) taken.get(name)?.push(await takes[name]())
  }
  const of = (name: Name): ReadonlyArray<number> => taken.get(name) ?? []
  return {
    of: (name) => median(of(name)),
    ratio: (ours, peer) => median(of(ours).map((value, round) => value / (of(peer)[round] ?? Number.NaN)))
  }
}

/** What a row says of two of them. */
export const compared = <Name extends string>(rounds: Rounds<Name>, ours: Name, peer: Name) => ({
  ours: rounds.of(ours),
  peer: rounds.of(peer),
  ratio: rounds.ratio(ours, peer),
  better: "higher" as const
})
