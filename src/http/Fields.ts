// The fields of a submitted form, whether they came as a form or as JSON.

/** Read-only fields by name: the first value counts, and `repeated` names those that came more than once. */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  readonly names: ReadonlyArray<string>
  readonly repeated: ReadonlySet<string>
}

/** More fields than any form has: the rest is not looked at. */
export const maxFields = 256

/** More values than any JSON form has, nested ones included: a text with more is not parsed. */
export const maximumValues = 10_000

const collect = (pairs: Iterable<readonly [string, string]>): Fields => {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated.add(name)
    else if (values.size < maxFields) values.set(name, value)
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

// What is not encoded as it should be is read as browsers read it, which takes longer.
const decoded = (text: string): string => {
  if (!text.includes("%") && !text.includes("+")) return text
  try {
    return decodeURIComponent(text.split("+").join(" "))
  } catch {
    return new URLSearchParams(`=${text}`).get("") ?? ""
  }
}

function* pairs(text: string): Iterable<readonly [string, string]> {
  let found = 0
  for (let start = 0; start < text.length && found < maxFields;) {
    const and = text.indexOf("&", start)
    const end = and === -1 ? text.length : and
    if (end > start) {
      const pair = text.slice(start, end)
      const equals = pair.indexOf("=")
      found++
      yield equals === -1 ? [decoded(pair), ""] : [decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1))]
    }
    start = end + 1
  }
}

/** The fields of an `application/x-www-form-urlencoded` text; `undefined` when its bytes are no UTF-8. */
export const fromForm = (text: string): Fields | undefined => (isUtf8(text) ? collect(pairs(text)) : undefined)

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

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Counts without parsing: a mebibyte of brackets or of names takes the parser a second. */
const hasTooManyValues = (text: string): boolean => {
  let values = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted && code === backslash) at++
    else if (code === quote) quoted = !quoted
    else if (!quoted && (code === comma || code === bracket || code === brace) && ++values > maximumValues) return true
  }
  return false
}

/** The fields of a JSON object; nothing when the text is not one or holds too much. Nested values are not fields. */
export const fromJson = (text: string): Fields | undefined => {
  if (hasTooManyValues(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? collect(leaves(value)) : undefined
  } catch {
    return undefined
  }
}
