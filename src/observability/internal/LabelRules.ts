// Which label names a metric may have, and how label values are cleaned.

const nameRule = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Whether a label may have this name. Names that begin with two underscores are reserved for the scraper. */
export const isName = (text: string): boolean => nameRule.test(text) && !text.startsWith("__")

/** Whether a metric of this type adds this label itself: `le` on a histogram. */
export const isReserved = (name: string, type: string): boolean => type === "histogram" && name === "le"

/** Why a metric of this type cannot have these labels; `undefined` when it can. */
export const problem = (type: string, given: Readonly<Record<string, unknown>>): string | undefined => {
  for (const [name, value] of Object.entries(given)) {
    if (!isName(name)) return `the label name ${JSON.stringify(name)} is not valid`
    if (isReserved(name, type)) return "the label le is reserved for the buckets of a histogram"
    if (typeof value !== "string") return `the label ${name} is not a string`
  }
  return undefined
}

/** Replaces lone surrogates: they have no UTF-8 encoding, so two different series could become one when they are written. */
export const wellFormed = (value: string): string =>
  /[\ud800-\udfff]/.test(value) ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value
