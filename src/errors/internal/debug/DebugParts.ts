// Shared parts of the debug page: masked and bounded text, tables, and the remaining size.
import { Html, html, unsafeRaw } from "../../../http/Html.ts"
import type { Editor } from "./Editors.ts"
import * as Redaction from "../../Redaction.ts"
import * as SafeText from "../../../http/internal/text/SafeText.ts"
import * as Preview from "../Preview.ts"
import type { Sources } from "../../Sources.ts"
import * as Omitted from "./Omitted.ts"

/** A page while it is rendered. */
export interface Draft {
  readonly sources: Sources["Type"]
  readonly editor: Editor
  readonly secrets: ReadonlyArray<string>
  /** The spans that are already shown: a failure and its causes often share them. */
  readonly spans: Set<string>
  /** The remaining size in bytes. */
  left: number
}

/** A page without sources, of at most this many bytes. */
export const blank = (bytes: number): Draft => ({
  sources: { root: "", locate: (place) => place, read: () => undefined },
  editor: "VS Code",
  secrets: [],
  spans: new Set(),
  left: bytes
})

/** The head of a page that no search engine lists, with its style. */
export const documentHead = (title: string, style: string, nonce: string): Html =>
  html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <style nonce="${nonce}">
      ${unsafeRaw(style)}
    </style>
  </head>`

/** Names and values, in the order in which they are shown. */
export type Rows = ReadonlyArray<readonly [name: string, value: string]>

const cell = 400
const rows = 48

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\u0000-\u007F]*$/

// An upper bound, three bytes for each UTF-16 unit: an exact count takes too long.
const bytes = (text: string): number => (ascii.test(text) ? text.length : text.length * 3)

/** Text for display: secrets are masked before it is cut, invisible characters are escaped. */
export const text = (draft: Draft, text: string, length: number): string =>
  SafeText.clip(SafeText.visible(Redaction.text(text.slice(0, 65536), draft.secrets)), length)

/** The same on one line. */
export const line = (draft: Draft, text: string, length: number): string =>
  SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 4096), draft.secrets)), length)

/** The markup, or `otherwise` when the page would become too large. */
export const fit = (draft: Draft, part: Html, otherwise: Html = new Html("")): Html => {
  const size = bytes(part.markup)
  if (size > draft.left) return otherwise
  draft.left -= size
  return part
}

/** A table of names and values, both masked and bounded; counts the rows that it omits. */
export const table = (draft: Draft, given: Rows): Html => {
  const shown = given.slice(0, rows).map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${text(draft, name, 120)}</th>
        <td>${text(draft, value, cell)}</td>
      </tr>`
  )
  const rest = given.length - shown.length
  return html`<table>
      <tbody>
        ${shown}
      </tbody>
    </table>
    ${rest > 0 && html`<p class="faint">${Omitted.sentence(rest, "row")}</p>`}`
}

/** A table of values of any kind. */
export const previews = (draft: Draft, given: ReadonlyArray<readonly [name: string, value: unknown]>): Html =>
  table(
    draft,
    given.map(([name, value]) => [name, Preview.named(name, value, draft.secrets)] as const)
  )
