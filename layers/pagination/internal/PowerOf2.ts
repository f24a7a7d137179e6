// One prepared statement for all numbers up to a power of two, instead of one for each number.

/** The least power of two that is not below a number. */
export const from = (least: number): number => {
  let power = 1
  while (power < least) power *= 2
  return power
}
