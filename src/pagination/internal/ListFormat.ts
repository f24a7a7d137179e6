// The JSON text of a list. A repository that caches its pages registers them here, so that each is printed once.
import { Predicate } from "effect"
import type { Accuracy, Pagination } from "../Pagination.ts"

type Row = Readonly<Record<string, unknown>>

interface Page {
  readonly items: ReadonlyArray<unknown>
  readonly pagination: Pagination
}

/** The body before it is text. */
type Body =
  | {
      readonly items: ReadonlyArray<unknown>
      readonly page: number
      readonly pages: number
      readonly limit: number
      readonly total: number
      readonly accuracy?: Accuracy
    }
  | { readonly items: ReadonlyArray<unknown>; readonly page: number; readonly limit: number; readonly more: boolean }
  | {
      readonly items: ReadonlyArray<unknown>
      readonly limit: number
      readonly next: string | null
      readonly previous?: string | null
      readonly cursors?: ReadonlyArray<string>
    }

/** The body for these items: with totals in page mode, with the next cursor in cursor mode, and what else was requested. */
export const body = ({ items: given, pagination }: Page): Body => {
  const items = textOf(given)?.rows ?? given
  if (pagination.mode === "Page") {
    const { accuracy, counting, limit, more, page, pages, total } = pagination
    if (counting === "none") return { items, page, limit, more }
    const counted = { items, page, pages: pages ?? 0, limit, total: total ?? 0 }
    return counting === "exact" ? counted : { ...counted, accuracy: accuracy ?? "exact" }
  }
  const { bidirectional, limit, next, previous, rowCursors } = pagination
  if (!bidirectional && rowCursors === null) return { items, limit, next }
  return { items, limit, next, ...(bidirectional && { previous }), ...(rowCursors !== null && { cursors: rowCursors }) }
}

/** The text of a page, printed once. Anyone who has the items can reach it, and can change nothing of it. */
interface Text {
  readonly pagination: Pagination
  readonly rows: ReadonlyArray<unknown>
  readonly print: () => string
}

/**
 * The text of these rows, which must be frozen before it is printed. They are the encoded items, where a schema has decoded them.
 * It is no instance of a class, whose methods could be replaced for all pages.
 */
export const makeText = (pagination: Pagination, needsReplacer: () => boolean, rows: ReadonlyArray<unknown>): Text => {
  let known: string | undefined
  // A replacer costs more than all the rest, so it runs only where it is needed.
  const print = (): string =>
    (known ??= JSON.stringify(body({ items: rows, pagination }), needsReplacer() ? replacer : undefined))
  return Object.freeze({ pagination, rows, print: Object.freeze(print) })
}

// A hidden property of the items: a page that is copied with its items and its pagination keeps its text. A weak map with an
// entry for each page keeps the pages alive through young collections, which takes a fifth of the time of a page.
const printed: unique symbol = Symbol("effect-framework/pagination/ListFormat/printed")

const textOf = (items: ReadonlyArray<unknown> & { readonly [printed]?: Text }): Text | undefined => items[printed]

/** Keeps the text of these items, which are not frozen yet, from the first time that it is printed. */
export const cache = (items: ReadonlyArray<unknown>, text: Text): void => {
  Object.defineProperty(items, printed, { value: text })
}

// Of streamed items: they are printed one by one, and what a schema has decoded may have lost microseconds.
const streamed = new WeakMap<object, Row>()

/** Keeps the rows that these items were decoded from for as long as the items are used. */
export const keepRows = (items: ReadonlyArray<unknown>): void => {
  const rows = textOf(items)?.rows ?? items
  if (rows === items) return
  for (const [index, item] of items.entries()) {
    const row = rows[index]
    if (Predicate.isRecord(item) && Predicate.isRecord(row)) streamed.set(item, row)
  }
}

/** The row that a streamed item was decoded from, if a schema has decoded it. */
export const rowOf = (item: unknown): Row | undefined => (Predicate.isRecord(item) ? streamed.get(item) : undefined)

/** For `JSON.stringify`: a 64-bit integer becomes a string, since clients would round it; so do NaN and the infinities. */
export const replacer = (_key: string, value: unknown): unknown => (isSpelled(value) ? String(value) : value)

const isSpelled = (value: unknown): boolean =>
  typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value))

/** Whether rows hold a number that JSON does not have. */
export const hasNonFinite = (value: unknown): boolean => {
  if (typeof value === "number") return !Number.isFinite(value)
  return typeof value === "object" && value !== null && Object.values(value).some(hasNonFinite)
}

/** The text of a page. */
export const print = (page: Page): string => {
  const entry = textOf(page.items)
  if (entry === undefined || entry.pagination !== page.pagination) return JSON.stringify(body(page), replacer)
  return entry.print()
}

interface Options {
  /** Whether a text that a spreadsheet would run as a formula gets an apostrophe before it. */
  readonly escapeFormulas: boolean
}

/** One record. Null is an empty field, an empty text a quoted one; a list or an object is its JSON. */
export const csvRecord = (values: ReadonlyArray<unknown>, options: Options): string =>
  `${values.map((value) => field(value, options)).join(",")}\r\n`

const field = (value: unknown, { escapeFormulas }: Options): string => {
  if (value === null || value === undefined) return ""
  if (typeof value !== "string")
    return quoted(typeof value === "object" ? JSON.stringify(value, replacer) : String(value))
  return quoted(escapeFormulas && isFormula(value) ? `'${value}` : value)
}

const quoted = (text: string): string =>
  text === "" || /[",\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text

// Excel, LibreOffice and Google Sheets take a text that begins like this for a formula, which can send the other cells
// elsewhere. A number with a sign is harmless.
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text)

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;"
}

// Characters that XML 1.0 cannot hold in any spelling; a document with one of them is refused as a whole.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const escape = (text: string): string =>
  text.replace(forbidden, "\ufffd").replace(/[&<>"\r]/g, (char) => entities[char] ?? char)

const isName = /^[A-Za-z_][\w.-]*$/

const element = (name: string, value: unknown): string => {
  const [start, end] = isName.test(name) ? [name, name] : [`field name="${escape(name)}"`, "field"]
  if (value === null || value === undefined) return `<${start} nil="true"/>`
  return `<${start}>${content(value)}</${end}>`
}

const content = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => element("item", item)).join("")
  if (typeof value !== "object" || value === null) return escape(String(value))
  return Object.entries(value)
    .map(([name, field]) => element(name, field))
    .join("")
}

/** The document whose root has this name. */
export const printXml = (root: string, value: unknown): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}\n`
