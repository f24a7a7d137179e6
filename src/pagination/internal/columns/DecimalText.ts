// Exact decimal numbers as text, and as an integer of their smallest unit.

// Long before PostgreSQL's own limit, and short enough for a cursor.
const plain = /^-?\d{1,100}(?:\.\d{1,18})?$/

// PostgreSQL's numbers that are none.
const special = new Set(["NaN", "Infinity", "-Infinity"])

/** Whether a text is a decimal number. */
export const isValid = (text: string): boolean => plain.test(text) || special.has(text)

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/** The number in units of the last digit: `12.5` is 1250n with two digits; `undefined` for more digits or past 64 bits. */
export const toUnits = (text: string, scale: number): bigint | undefined => {
  if (special.has(text)) return undefined
  const point = text.indexOf(".")
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1)
  const fraction = point < 0 ? 0 : text.length - point - 1
  if (fraction > scale) return undefined
  const units = BigInt(digits + "0".repeat(scale - fraction))
  return units >= least && units <= most ? units : undefined
}

/** The number of these units: `1250` is `12.50` with two digits. */
export const fromUnits = (units: string, scale: number): string => {
  const sign = units.startsWith("-") ? "-" : ""
  const digits = units.slice(sign.length).padStart(scale + 1, "0")
  const whole = digits.length - scale
  return scale === 0 ? units : `${sign}${digits.slice(0, whole)}.${digits.slice(whole)}`
}
