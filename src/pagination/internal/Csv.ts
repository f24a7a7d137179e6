// Comma-separated values as RFC 4180 has them: records end in CR LF, and a field with a comma, a quote or a line break is
// quoted.
import { replacer } from "./ListJson.ts"

interface Options {
  /** Whether a text that a spreadsheet would run as a formula gets an apostrophe before it. */
  readonly escapeFormulas: boolean
}

/** One record. Null is an empty field, an empty text a quoted one; a list or an object is its JSON. */
export const record = (values: ReadonlyArray<unknown>, options: Options): string =>
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
