// One throwable on the debug page: its frames, the source of each, its fields and spans.
import { Html, html } from "../../../http/Html.ts"
import { type Draft, fit, line, previews, table } from "./DebugParts.ts"
import * as Editors from "./Editors.ts"
import * as SourceExcerpt from "./SourceExcerpt.ts"
import * as Stack from "../Stack.ts"
import type { Throwable } from "../../Throwable.ts"
import { escape } from "../../../http/internal/text/Escape.ts"
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
const code = (excerpt: Excerpt, failing: number): Html => {
  let lines = ""
  Highlight.lines(excerpt.lines.map(visible), excerpt.before).forEach((line, index) => {
    const number = excerpt.first + index
    const name = number === failing ? "mark" : "span"
    lines += `<${name} class="l" data-n="${number}">${print(line, number === failing ? excerpt.column : -1)}\n</${name}>`
  })
  return new Html(`<pre tabindex="0" role="group" aria-label="Source"><code>${lines}</code></pre>`)
}

const reason = (frame: Stack.Frame): string => {
  if (frame.file !== "") return "No source available: only files of the project that this process has loaded are shown."
  return frame.kind === "span" ? "An Effect span without a recorded location." : "A call inside the JavaScript engine."
}

const source = (draft: Draft, frame: Stack.Frame): Html => {
  const lines = frame.file === "" ? undefined : draft.sources.read(frame.file)
  const excerpt = lines === undefined ? undefined : SourceExcerpt.excerpt(lines, frame)
  if (excerpt === undefined) return html`<p class="none">${reason(frame)}</p>`
  return fit(draft, code(excerpt, frame.line), html`<p class="none">Omitted to keep the page small.</p>`)
}

type Path = readonly [folder: string, name: string]

const path = (draft: Draft, frame: Stack.Frame): Path => {
  const shown = line(draft, SourceExcerpt.relative(draft.sources.root, frame.file), 240)
  const cut = Math.max(shown.lastIndexOf("/"), shown.lastIndexOf("\\")) + 1
  return [shown.slice(0, cut), shown.slice(cut)]
}

const call = (draft: Draft, frame: Stack.Frame): string => line(draft, frame.call, 160) || "(anonymous)"

interface Entry {
  readonly frame: Stack.Frame
  readonly call: string
  readonly path: Path
  readonly id: string
  readonly isFirst: boolean
}

const place = (draft: Draft, { frame, path: [folder, name] }: Entry): Html => {
  if (frame.file === "") return html`<span class="file faint">no file</span>`
  const label = html`<span class="faint">${folder}</span><b>${name}</b><span class="faint">:${frame.line}</span>`
  // No link without an absolute path, nor for a path that was masked or cut: the link would reveal it.
  const isWhole = line(draft, frame.file, 1024) === frame.file
  if (!isWhole || !/^(?:\/|[A-Za-z]:[\\/])/.test(frame.file)) return html`<span class="file">${label}</span>`
  const link = Editors.link(draft.editor, frame)
  const attributes = html`data-path="${Editors.encode(frame.file)}" data-line="${frame.line}"
  data-column="${Math.max(1, frame.column)}"`
  return html`<a class="file" href="${link}" ${attributes} title="Open in the editor">${label}</a>`
}

const entry = ({ call, frame, id, isFirst, path: [folder, name] }: Entry): Html => {
  const kind = [Stack.isForeign(frame) ? "foreign" : "own", frame.kind, isFirst ? "first" : ""].join(" ").trimEnd()
  const where = frame.file === "" ? "" : html`<bdi>${folder}${name}:${frame.line}</bdi>`
  return html`<li class="${kind}">
    <a href="#${id}"><b>${call}</b><small>${where}</small></a>
  </li>`
}

const panel = (draft: Draft, item: Entry): Html => {
  const { call, frame, id } = item
  const head = fit(draft, html`<header>${place(draft, item)}<span class="call">${call}</span></header>`)
  return html`<article class="panel" id="${id}">${head}${source(draft, frame)}</article>`
}

const details = (draft: Draft, { fields, spans, statement }: Throwable): Html => {
  const none = html`<p>This error has no fields, and JavaScript keeps no arguments of past calls.</p>`
  const known = spans.filter((span) => span.attributes.length > 0 && !draft.spans.has(span.id))
  for (const span of spans) draft.spans.add(span.id)
  return html`<div class="facts">
    ${
      statement !== undefined &&
      html`<h2 class="label">Statement</h2>
      ${table(draft, [["sql", statement]])}`
    }
    <h2 class="label">Fields</h2>
    ${fields.length > 0 ? previews(draft, fields) : none}
    ${known.map(
      (span) =>
        html`<h2 class="label">Span <code>${line(draft, span.name, 120)}</code></h2>
          ${previews(draft, span.attributes)}`
    )}
  </div>`
}

const search = (number: number): Html =>
  html`<label class="find"
    ><span class="hidden">Search in frames ${number}</span
    ><input type="search" placeholder="Search in frames and their source" autocomplete="off" spellcheck="false"
  /></label>`

const split = (draft: Draft, entries: ReadonlyArray<Entry>, number: number): Html => {
  const listed = entries.map((item) => fit(draft, entry(item)))
  const foreign = entries.filter(({ frame }) => Stack.isForeign(frame)).length
  const count = `${foreign} ${foreign === 1 ? "frame" : "frames"} of dependencies`
  const reveal = html`<button type="button" class="reveal" data-count="${count}">${count}</button>`
  return html`<div class="split">
    <nav class="frames" aria-label="Frames ${number}">
      ${entries.length > 1 && search(number)}
      <ol>
        ${listed}
      </ol>
      ${foreign > 0 && foreign < entries.length && reveal}
    </nav>
    <div class="panels">${entries.map((item) => panel(draft, item))}</div>
  </div>`
}

/** The card of the throwable at this index of the chain. */
export const card = (draft: Draft, throwable: Throwable, index: number): Html => {
  const frames = SourceExcerpt.located(draft.sources, throwable.frames)
  const first = Stack.origin(frames) ?? frames[0]
  const onlyForeign = frames.every(Stack.isForeign)
  const entries = frames.map((frame, at): Entry => ({
    frame,
    call: call(draft, frame),
    path: path(draft, frame),
    id: `t${index}f${at}`,
    isFirst: onlyForeign || frame === first
  }))
  const none = html`<p class="none">No stack trace. Only an <code>Error</code> has one.</p>`
  return html`<section class="throwable card" aria-label="${index + 1}. ${line(draft, throwable.class, 120)}">
    ${frames.length > 0 ? split(draft, entries, index + 1) : none}${fit(draft, details(draft, throwable))}
  </section>`
}
