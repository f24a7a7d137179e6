// Names and numbers as the text expositions print them.

const nameRule = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/

/** Whether a metric may have this name. */
export const isName = (text: string): boolean => nameRule.test(text)

const suffixes = ["_bucket", "_sum", "_count"] as const

/** The names of the samples that a histogram prints. */
export const histogramSamples = (name: string): ReadonlyArray<string> => suffixes.map((suffix) => name + suffix)

/** The name of the histogram that would print a sample of this name; `undefined` when none would. */
export const histogramOf = (name: string): string | undefined => {
  const suffix = suffixes.find((candidate) => name.endsWith(candidate))
  return suffix === undefined ? undefined : name.slice(0, -suffix.length)
}

/** A number in the exposition's notation, including infinities and NaN. */
export const number = (value: number): string => {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}
