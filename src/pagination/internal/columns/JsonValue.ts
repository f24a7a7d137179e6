// The JSON of a column as a value.

// Requests share a page.
const frozen = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  for (const part of Object.values(value)) frozen(part)
  return Object.freeze(value)
}

/** The value of a JSON text, frozen; `undefined` when the text is no JSON. */
export const parse = (text: string): unknown => {
  try {
    return frozen(JSON.parse(text))
  } catch {
    return undefined
  }
}
