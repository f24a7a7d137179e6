// The labels of a series, rendered once: the text identifies the series, sorts it and is printed.
import { wellFormed } from "./internal/LabelRules.ts"

/**
 * Labels sorted by name, with their rendered text; made by `of`.
 *
 * @example
 * ```ts
 * import { Labels } from "effect-framework/observability"
 *
 * const nameOf = ({ text }: Labels.Labels) => `orders_total{${text}}`
 *
 * // => orders_total{shop="north",tea="assam"}
 * export const name = nameOf(Labels.of({ tea: "assam", shop: "north" }))
 * ```
 */
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

const none = new Labels({}, "")

/** Labels of these names and values; the names are not checked. */
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

const escape = (value: string): string =>
  /[\\"\n]/.test(value) ? value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") : value
