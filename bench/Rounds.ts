// Measurements that take turns, so that a slow moment of the machine meets all of them.

/** A figure, measured once. */
export type Take = () => Promise<number>

export interface Rounds<Name extends string> {
  /** What was taken, a figure for each round. */
  readonly taken: Readonly<Record<Name, ReadonlyArray<number>>>
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

const over = <Name extends string>(taken: Readonly<Record<Name, ReadonlyArray<number>>>): Rounds<Name> => ({
  taken,
  of: (name) => median(taken[name]),
  ratio: (ours, peer) => median(taken[ours].map((value, round) => value / (taken[peer][round] ?? Number.NaN)))
})

/** Takes every figure once in each round; every other round goes backwards, against a machine that gets faster or slower. */
export const take = async <Name extends string>(
  takes: Readonly<Record<Name, Take>>,
  rounds: number
): Promise<Rounds<Name>> => {
  const names = Object.keys(takes).filter((name): name is Name => name in takes)
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Array<number>>
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) taken[name].push(await takes[name]())
  }
  return over(taken)
}

/** The rounds of several starts, as if they were of one: starts of one program differ, by what was compiled first. */
export const ofStarts = async <Name extends string>(
  starts: number,
  start: () => Promise<Rounds<Name>>
): Promise<Rounds<Name>> => {
  const all: Array<Rounds<Name>> = []
  while (all.length < starts) all.push(await start())
  const names = Object.keys(all[0]?.taken ?? {}).filter((name): name is Name => name in (all[0]?.taken ?? {}))
  const taken = names.map((name) => [name, all.flatMap((one) => one.taken[name])] as const)
  return over(Object.fromEntries(taken) as unknown as Record<Name, ReadonlyArray<number>>)
}

/** What a row says of two of them. */
export const compared = <Name extends string>(rounds: Rounds<Name>, ours: Name, peer: Name) => ({
  ours: rounds.of(ours),
  peer: rounds.of(peer),
  ratio: rounds.ratio(ours, peer),
  better: "higher" as const
})
