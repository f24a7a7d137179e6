// The memory that rows use: a cheap estimate, rather too high than too low.

// A value in a row with its share of the object and, once the page is printed, its name and value in the text.
const perValue = 48
// A character twice: in the row and in the printed page, two bytes each where one of them is not Latin.
const perCharacter = 4

// A decoded value may refer to itself, as a BigDecimal does.
const maxInstances = 4

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}

/** An estimate in bytes of rows with their related rows, and of the text they are printed as. */
export const of = (value: unknown, instances = 0): number => {
  if (typeof value === "string") return perValue + perCharacter * value.length
  if (typeof value !== "object" || value === null) return perValue
  if (ArrayBuffer.isView(value)) return perValue + perCharacter * value.byteLength
  const around = isPlain(value) ? instances : instances + 1
  if (around > maxInstances) return perValue
  let size = perValue
  for (const name in value) size += of(Reflect.get(value, name), around)
  return size
}
