// How much of a chain of errors is shown, and the sentence that counts the rest.

/** At most this many throwables are shown besides the first. */
export const maxChain = 5

/** Omitted throwables are counted up to here: a chain may be endless. */
export const maxCount = 1000

/** Produces `3 more errors are not shown.` */
export const sentence = (count: number, noun: string): string => {
  const number = count >= maxCount ? `${maxCount} or more` : String(count)
  return count === 1 ? `1 more ${noun} is not shown.` : `${number} more ${noun}s are not shown.`
}
