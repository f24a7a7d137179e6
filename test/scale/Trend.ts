// Whether a series of readings grows. A process wanders, so the median of all slopes between two readings decides: it is
// not moved by a few high ones (Theil and Sen).

/** A reading at a time, in minutes. */
export interface Reading {
  readonly minute: number
  readonly value: number
}

const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const high = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? high) + high) / 2
}

/** The growth of the value in a minute. */
export const slope = (readings: ReadonlyArray<Reading>): number =>
  median(
    readings.flatMap((one, index) =>
      readings
        .slice(index + 1)
        .filter(({ minute }) => minute !== one.minute)
        .map((other) => (other.value - one.value) / (other.minute - one.minute))
    )
  )

/** The growth over all the time of the readings, as a share of their median. */
export const growth = (readings: ReadonlyArray<Reading>): number => {
  const minutes = readings.map(({ minute }) => minute)
  const usual = median(readings.map(({ value }) => value))
  return usual === 0 ? 0 : (slope(readings) * (Math.max(...minutes) - Math.min(...minutes))) / usual
}

/** What has warmed up: the readings of the second half. */
export const settled = (readings: ReadonlyArray<Reading>): ReadonlyArray<Reading> =>
  readings.slice(Math.floor(readings.length / 2))
