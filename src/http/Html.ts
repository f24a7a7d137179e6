// HTML templates that escape their values: a value is text unless it is `Html`.
import { escape } from "./internal/text/Escape.ts"

/** Markup that is safe to send as it stands. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
  toString(): string {
    return this.markup
  }
}

/** A value in a template: text is escaped, lists are joined, `null`, `undefined` and booleans print nothing. */
export type Fragment = Html | string | number | bigint | boolean | null | undefined | ReadonlyArray<Fragment>

const print = (value: Fragment): string => {
  if (value instanceof Html) return value.markup
  if (typeof value === "string") return escape(value)
  if (value === null || value === undefined || typeof value === "boolean") return ""
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  let markup = ""
  for (const one of value) markup += print(one)
  return markup
}

/**
 * A template whose values are escaped.
 *
 * @example
 * ```ts
 * import { Html } from "effect-framework/http"
 *
 * const name = "<b>Ann</b>"
 *
 * // The value is escaped: <p>Hello, &lt;b&gt;Ann&lt;/b&gt;</p>
 * export const greeting = Html.html`<p>Hello, ${name}</p>`
 * ```
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Fragment>): Html => {
  let markup = strings[0] ?? ""
  for (let index = 0; index < values.length; index++) markup += print(values[index]) + (strings[index + 1] ?? "")
  return new Html(markup)
}

/**
 * Markup from a trusted constant. Never pass user input.
 *
 * @example
 * ```ts
 * import { Html } from "effect-framework/http"
 *
 * // A constant of the program, which a template would escape.
 * const cup = Html.unsafeRaw(`<svg viewBox="0 0 8 8" aria-hidden="true"><path d="M1 2h5v4H1z" /></svg>`)
 *
 * // Only the icon is inserted as it stands: the name of a tea is escaped.
 * export const button = (tea: string): Html.Html => Html.html`<button name="tea" value="${tea}">${cup} ${tea}</button>`
 * ```
 */
export const unsafeRaw = (markup: string): Html => new Html(markup)
