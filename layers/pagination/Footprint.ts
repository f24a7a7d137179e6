// The memory that rows use: a cheap estimate, rather too high than too low.

// A value in a row with its share of the object and, once the page is printed, its name and value in the text.
const perValue = 48
// A character twice: in the row and in the printed page, two bytes each where one of them is not Latin.
const perCharacter = 4

/** An estimate in bytes of rows with their related rows, and of the text they are printed as. */
export const of = (value: unknown): number => {
  if (typeof value === "string") return perValue + perCharacter * value.length
  if (typeof value !== "object" || value === null) return perValue
  let size = perValue
  for (const name in value) size += of(Reflect.get(value, name))
  return size
}
