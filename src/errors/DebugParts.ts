// What every part of the debug page shares: masked and bounded text, tables, and the bytes that are left.
import { Html, html } from "../http/Html.ts"
import type { Editor } from "./Editors.ts"
import * as Redaction from "./Redaction.ts"
import * as SafeText from "./SafeText.ts"
import * as Preview from "./Preview.ts"
import type { Sources } from "./Sources.ts"
import * as Omitted from "./Omitted.ts"

/** A page while it is made. */
export interface Draft {
  readonly sources: Sources["Type"]
  readonly editor: Editor
  readonly secrets: ReadonlyArray<string>
  /** The spans that are shown already: what stands behind a failure was often inside the same ones. */
  readonly spans: Set<string>
  /** Bytes that may still be added. */
  left: number
}

/** Names and values, in the order in which they are shown. */
export type Rows = ReadonlyArray<readonly [name: string, value: string]>

const cell = 400
const rows = 48

// oxlint-disable-next-line no-control-regex -- all of ASCII
const ascii = /^[\u0000-\u007F]*$/

// At most three bytes for each unit of a text: an exact count is not worth its time.
const bytes = (text: string): number => (ascii.test(text) ? text.length : text.length * 3)

/** Text that may be shown: secrets masked before it is cut, nothing invisible in it. */
export const text = (draft: Draft, text: string, length: number): string =>
  SafeText.clip(SafeText.visible(Redaction.text(text.slice(0, 65536), draft.secrets)), length)

/** The same in one line. */
export const line = (draft: Draft, text: string, length: number): string =>
  SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 4096), draft.secrets)), length)

/** The markup, or what stands for it when the page would grow too large. */
export const fit = (draft: Draft, part: Html, otherwise: Html = new Html("")): Html => {
  const size = bytes(part.markup)
  if (size > draft.left) return otherwise
  draft.left -= size
  return part
}

/** A table of names and values, both masked and bounded; says how many rows it leaves out. */
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
