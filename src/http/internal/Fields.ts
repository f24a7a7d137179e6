// The fields of a submitted form, and their parsers: urlencoded and JSON.

/** Read-only fields by name. The first value of a name counts; `repeated` holds the names that were sent more than once. */
export interface Fields {
  readonly get: (name: string) => string | undefined
  readonly has: (name: string) => boolean
  /** The texts of a JSON array; `undefined` for any other field. Neither `get` nor `has` finds it. */
  readonly list: (name: string) => ReadonlyArray<string> | undefined
  readonly names: ReadonlyArray<string>
  readonly repeated: ReadonlySet<string>
  /** The JSON object that they were read from. */
  readonly json?: object | undefined
}

/** More fields than any form has. Fields beyond this count are ignored. */
export const maxFields = 256

/** More values than any JSON form has, nested values included. A text with more is not parsed. */
export const maxValues = 10_000

type Lists = ReadonlyMap<string, ReadonlyArray<string>>

/** Fields from their names and values. */
export const fromPairs = (pairs: Iterable<readonly [string, string]>, lists?: Lists, json?: object): Fields => {
  const values = new Map<string, string>()
  const repeated = new Set<string>()
  for (const [name, value] of pairs) {
    if (values.has(name)) repeated.add(name)
    else if (values.size < maxFields) values.set(name, value)
  }
  return {
    get: (name) => values.get(name),
    has: (name) => values.has(name),
    list: (name) => lists?.get(name),
    names: [...values.keys()],
    repeated,
    json
  }
}

/** A form without fields. */
export const empty: Fields = fromPairs([])

// `URLSearchParams` decodes every invalid UTF-8 byte as U+FFFD: two different passwords would become equal.
const isUtf8 = (text: string): boolean => {
  if (!/%[89a-f]/i.test(text)) return true
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"))
    return true
  } catch {
    return false
  }
}

// Malformed percent-encoding is decoded as browsers do, which is slower.
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

/** The fields of an `application/x-www-form-urlencoded` text; `undefined` when it is not UTF-8. */
export const fromForm = (text: string): Fields | undefined => (isUtf8(text) ? fromPairs(pairs(text)) : undefined)

const scalar = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

function* leaves(record: object): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(record)) {
    const text = scalar(value)
    // `false` is the same as absent: a form does not send an unticked checkbox.
    if (text !== undefined && value !== false) yield [name, text]
  }
}

// A list has scalars only: one that has anything else is skipped like any nested value.
const listsOf = (record: object): Lists | undefined => {
  let lists: Map<string, ReadonlyArray<string>> | undefined
  for (const [name, value] of Object.entries(record)) {
    if (!Array.isArray(value)) continue
    const texts = value.map(scalar)
    if (texts.every((text) => text !== undefined)) (lists ??= new Map()).set(name, texts)
  }
  return lists
}

const [quote, backslash, comma, bracket, brace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b]

/** Counts without parsing: a mebibyte of brackets or names keeps the JSON parser busy for a second. */
const hasTooManyValues = (text: string): boolean => {
  let values = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (quoted && code === backslash) at++
    else if (code === quote) quoted = !quoted
    else if (!quoted && (code === comma || code === bracket || code === brace) && ++values > maxValues) return true
  }
  return false
}

/** The fields of a JSON object; `undefined` when the text is no object or has too many values. Skips nested values except lists. */
export const fromJson = (text: string): Fields | undefined => {
  if (hasTooManyValues(text)) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? fromPairs(leaves(value), listsOf(value), value)
      : undefined
  } catch {
    return undefined
  }
}
