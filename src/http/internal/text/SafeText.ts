// Text that is safe to print: no control characters, no invisible or reordering characters, bounded length.

/** At most `length` characters, with a mark where something was cut. A surrogate pair is not split. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, "")}…`

// Control characters but tab and newline, the marks that reorder text, and those that take no room.
// oxlint-disable-next-line no-control-regex -- finding control characters is what it is for
const unseen = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/
const everyUnseen = new RegExp(unseen, "g")

const spell = (char: string): string => {
  const code = char.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`
}

/** The text with every invisible character escaped; line breaks are kept. */
export const visible = (text: string): string =>
  unseen.test(text) ? text.replace(/\r\n?/g, "\n").replace(everyUnseen, spell) : text

// Run by run: a search for the line break from each space of a long run on would take quadratic time.
const fold = (run: string): string => (run.includes("\n") ? " " : run.replaceAll("\t", " "))

/** The same on one line. */
export const line = (text: string): string => {
  const shown = visible(text)
  return /[\n\t]/.test(shown) ? shown.replace(/\s+/g, fold) : shown
}
