// The labels of a series, rendered once: the text is what identifies it, what sorts it and what is printed.

/** Labels with sorted names and their printed text; `of` makes them. */
export class Labels {
  /** Names in order, so that `{a, b}` and `{b, a}` are one series. */
  readonly record: Readonly<Record<string, string>>
  /** `method="GET",route="/"`: escaped, ready to stand between braces. */
  readonly text: string
  readonly size: number
  constructor(record: Readonly<Record<string, string>>, text: string) {
    this.record = record
    this.text = text
    this.size = Object.keys(record).length
  }
}

/** No labels. */
export const none = new Labels({}, "")

/** Where the series beyond the bound of a name are folded together. */
export const overflow = new Labels({ overflow: "true" }, 'overflow="true"')

/** The `pid` of what processes counted that have ended. */
export const retiredProcess = "retired"

/** A value from outside may be of any length; beyond this one it is not worth its memory. */
export const maxLength = 1024

const nameRule = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** A label name; those that begin with two underscores belong to the scraper. */
export const isName = (text: string): boolean => nameRule.test(text) && !text.startsWith("__")

/** Whether the exposition can print this label on a metric of this type. */
export const isReserved = (name: string, type: string): boolean => type === "histogram" && name === "le"

/** Why these labels cannot stand on a metric of this type, or nothing. */
export const problem = (type: string, given: Readonly<Record<string, unknown>>): string | undefined => {
  for (const [name, value] of Object.entries(given)) {
    if (!isName(name)) return `the label ${JSON.stringify(name)} cannot be printed`
    if (isReserved(name, type)) return "the label le belongs to the buckets of a histogram"
    if (typeof value !== "string") return `the label ${name} is not a text`
  }
  return undefined
}

/** Labels whose names are known to be good. */
export const of = (given: Readonly<Record<string, string>>): Labels => {
  const names = Object.keys(given).sort()
  if (names.length === 0) return none
  const record: Record<string, string> = {}
  let text = ""
  for (const name of names) {
    const value = wellFormed(given[name] ?? "")
    record[name] = value
    text += `${text === "" ? "" : ","}${name}="${escape(value)}"`
  }
  return new Labels(record, text)
}

/** The text with half surrogate pairs replaced: they have no UTF-8, and on the way two series could become one. */
export const wellFormed = (value: string): string =>
  /[\ud800-\udfff]/.test(value) ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value

const escape = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") : value
