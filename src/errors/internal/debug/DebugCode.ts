// Source code on the debug page: highlighted, numbered, the failing line marked and the failing token underlined.
import { escape } from "../../../http/internal/text/Escape.ts"
import { Html } from "../../../http/Html.ts"
import * as Highlight from "./Highlight.ts"
import { visible } from "../../../http/internal/text/SafeText.ts"
import type { Excerpt } from "./SourceExcerpt.ts"

const inside = (column: number, at: number, text: string): boolean =>
  column >= at && column < at + text.length && text.trim() !== ""

const special = /[&<>"']/

const print = (line: ReadonlyArray<Highlight.Token>, column: number): string => {
  let markup = ""
  let at = 0
  for (const [kind, text] of line) {
    const shown = special.test(text) ? escape(text) : text
    const marked = inside(column, at, text) ? `<u>${shown}</u>` : shown
    markup += kind === "" ? marked : `<i class="${kind}">${marked}</i>`
    at += text.length
  }
  return markup
}

/** The excerpt, one element for each line. */
export const code = (excerpt: Excerpt, failing: number): Html => {
  let lines = ""
  Highlight.lines(excerpt.lines.map(visible), excerpt.before).forEach((line, index) => {
    const number = excerpt.first + index
    const name = number === failing ? "mark" : "span"
    lines += `<${name} class="l" data-n="${number}">${print(line, number === failing ? excerpt.column : -1)}\n</${name}>`
  })
  return new Html(`<pre tabindex="0" role="group" aria-label="Source"><code>${lines}</code></pre>`)
}
