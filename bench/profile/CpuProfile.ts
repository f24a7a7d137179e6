// A profile as V8 writes it: a tree of functions, and which of them ran at each sample.

export interface CallFrame {
  readonly functionName: string
  readonly url: string
  /** From 0; -1 where there is no source. */
  readonly lineNumber: number
  readonly columnNumber: number
}

export interface Node {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: ReadonlyArray<number>
}

export interface CpuProfile {
  readonly nodes: ReadonlyArray<Node>
  /** The node that ran at each sample, and the microseconds since the sample before. */
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** Samples are taken four times as often: a longer gap is one in which the process did not run. */
const longest = 1000

/** Microseconds in which each node itself ran. */
export const selfTimes = ({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> => {
  const times = new Map<number, number>()
  for (const [index, id] of samples.entries()) {
    // A sample lasts until the next one.
    times.set(id, (times.get(id) ?? 0) + Math.min(longest, Math.max(0, timeDeltas[index + 1] ?? 0)))
  }
  return times
}
