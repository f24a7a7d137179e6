// The fields of a submitted form, whether they came as a form or as JSON.

/** Read-only fields by name: the first value counts, and `repeated` names those that came more than once. */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  readonly names: ReadonlyArray<string>
  readonly repeated: ReadonlySet<string>
}

/** More fields than any form has: the rest is not looked at. */
export const maximum = 256

const collect = (pairs: Iterable<readonly [string, string]>): Fields => {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated.add(name)
    else if (values.size < maximum) values.set(name, value)
  }
  return {
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    names: [...values.keys()],
    repeated
  }
}

/** A form without fields. */
export const empty: Fields = collect([])

// `URLSearchParams` reads bytes that are no UTF-8 as U+FFFD, all of them alike: two passwords would become one.
const isUtf8 = (text: string): boolean => {
  if (!/%[89a-f]/i.test(text)) return true
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"))
    return true
  } catch {
    return false
  }
}

/** The fields of an `application/x-www-form-urlencoded` text; `undefined` when its bytes are no UTF-8. */
export const fromForm = (text: string): Fields | undefined =>
  isUtf8(text) ? collect(new URLSearchParams(text)) : undefined

const scalar = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

function* leaves(record: object): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(record)) {
    const text = scalar(value)
    // `false` and absence are one thing in a form: an unticked box is not sent.
    if (text !== undefined && value !== false) yield [name, text]
  }
}

/** The fields of a JSON object; nothing when the text is not one. Nested values are not fields. */
export const fromJson = (text: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? collect(leaves(value)) : undefined
  } catch {
    return undefined
  }
}
