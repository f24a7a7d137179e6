// The trace of one observation in a bucket: it leads from a slow bucket to a request that was slow.

/** The latest observation of a bucket that belongs to a collected trace. */
export interface Exemplar {
  /** The place of the bucket among the bounds; their number for `+Inf`. */
  readonly bucket: number
  /** The id of the trace. */
  readonly trace: string
  readonly value: number
  /** Epoch seconds. */
  readonly timestamp: number
}

// A client may choose the id of its trace.
const traceRule = /^[0-9a-f]{32}$/

/** Whether a text is the id of a trace. */
export const isTrace = (text: string): boolean => traceRule.test(text)

const isLater = (a: Exemplar, b: Exemplar): boolean => {
  if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp
  return a.trace === b.trace ? a.value > b.value : a.trace > b.trace
}

type Exemplars = ReadonlyArray<Exemplar> | undefined

/** The later exemplar of each bucket, in the order of the buckets. */
export const merge = (self: Exemplars, that: Exemplars): Exemplars => {
  if (self === undefined || that === undefined) return self ?? that
  const latest = new Map(self.map((exemplar) => [exemplar.bucket, exemplar]))
  for (const exemplar of that) {
    const other = latest.get(exemplar.bucket)
    if (other === undefined || isLater(exemplar, other)) latest.set(exemplar.bucket, exemplar)
  }
  return [...latest.values()].sort((a, b) => a.bucket - b.bucket)
}
