// The error page of the development environment: the error, its source and the request, as one self-contained document.
import { type Html, html, unsafeRaw } from "../../../http/Html.ts"
import * as Status from "../../../http/internal/text/Status.ts"
import type { RecordedRequest } from "../../../http/internal/RecordedRequest.ts"
import { path as panel } from "../../../http/internal/RequestRecorder.ts"
import { card } from "./DebugCard.ts"
import { documentHead, line, type Draft, fit, type Rows, text, table } from "./DebugParts.ts"
import * as DebugRequest from "./DebugRequest.ts"
import { script } from "./DebugScript.ts"
import { style } from "./DebugStyle.ts"
import * as Editors from "./Editors.ts"
import * as Hints from "./Hints.ts"
import * as Omitted from "./Omitted.ts"
import type { Sources } from "../../Sources.ts"
import type { Throwable } from "../../Throwable.ts"

/** A table of the context: the request, its headers, the process. */
export interface Section {
  readonly title: string
  readonly rows: Rows
  /** Whether the Markdown has it. */
  readonly isCopied?: boolean
}

/** What the page shows: the throwable and its context. */
export interface Content {
  readonly throwable: Throwable
  readonly status?: number
  /** The request line: `GET`, `/orders/:id`. */
  readonly request?: { readonly method: string; readonly uri: string }
  readonly context?: ReadonlyArray<Section>
  /** What the request did until it failed, where it is recorded. */
  readonly recorded?: RecordedRequest | undefined
  /** Values that are masked wherever a text repeats them. */
  readonly secrets?: ReadonlyArray<string>
}

/** The sources, the nonce and the editor of the page. */
export interface Options {
  readonly sources: Sources["Type"]
  /** For the inline style and script, and for the policy of the response. */
  readonly nonce: string
  readonly editor?: Editors.Editor
}

/** The maximum size of the page in bytes. */
export const maxBytes = 512 * 1024

/** The maximum length of a message in characters. */
const maxMessageLength = 4096

// For the style, the script and the fixed markup.
const reserved = 48 * 1024

/** Allows the inline style and script of the page and nothing else. */
export const contentSecurityPolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const bar = (draft: Draft, { request, status = 500 }: Content): Html => {
  const options = Object.entries(Editors.editors).map(
    ([name, link]) => html`<option value="${link}" ${name === draft.editor && unsafeRaw(" selected")}>${name}</option>`
  )
  const summary =
    request !== undefined &&
    html`<span class="pill calm">${line(draft, request.method, 16)}</span>
      <code>${line(draft, request.uri, 240)}</code>`
  return html`<header class="bar">
    <div class="wrap">
      <p class="where"><span class="pill">${status}</span> <span>${Status.text(status)}</span> ${summary}</p>
      <div class="tools">
        <label
          ><span class="hidden">Editor</span
          ><select id="editor">
            ${options}
          </select></label
        >
        <button type="button" id="theme" title="Light or dark">◐<span class="hidden"> Light or dark</span></button>
        <button type="button" id="copy" class="main">Copy as Markdown</button>
      </div>
    </div>
  </header>`
}

const chain = (draft: Draft, links: ReadonlyArray<Throwable>, omitted: number): Html => {
  const chips = links.map(
    (link, index) =>
      html`<li>
        <a href="#t${index + 1}">${link.relation} <b>${line(draft, link.class, 80)}</b></a>
      </li>`
  )
  return html`<ul class="chain" aria-label="Causes and related errors">
    ${chips} ${omitted > 0 && html`<li class="faint">${Omitted.sentence(omitted, "error")}</li>`}
  </ul>`
}

const heading = (draft: Draft, throwable: Throwable): Html =>
  fit(
    draft,
    html`<p class="kind">${line(draft, throwable.class, 120)}</p>
      <h1 class="message" tabindex="0">${text(draft, throwable.message, maxMessageLength) || "(no message)"}</h1>`
  )

const related = (draft: Draft, throwable: Throwable, index: number): Html => {
  const title = fit(
    draft,
    html`<p class="kind"><span class="faint">${throwable.relation}</span> ${line(draft, throwable.class, 120)}</p>
      <h2 class="message">${text(draft, throwable.message, maxMessageLength) || "(no message)"}</h2>`
  )
  return html`<div class="cause" id="t${index}">${title}</div>
    ${card(draft, throwable, index)}`
}

// => Run <code>npm run migrate</code>.
const marked = (draft: Draft, given: string): ReadonlyArray<Html | string> =>
  text(draft, given, 600)
    .split("`")
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))

const hints = (draft: Draft, throwable: Throwable): Html | false => {
  const found = Hints.of(throwable)
  if (found.length === 0) return false
  const notes = found.map(({ reason, remedy }) => html`<p><b>${marked(draft, reason)}</b> ${marked(draft, remedy)}</p>`)
  return fit(draft, html`<div class="hints" role="note" aria-label="Hint">${notes}</div>`)
}

const recording = (draft: Draft, request: RecordedRequest | undefined): Html | false =>
  request !== undefined &&
  html`<section class="did">
    <h2>Request</h2>
    ${DebugRequest.all(draft, request)}
    <p class="more">
      <a href="${panel}/requests/${encodeURIComponent(request.id)}">This request</a> and
      <a href="${panel}">all requests of the last minute</a> in the panel.
    </p>
  </section>`

const section = (draft: Draft, { isCopied = false, rows, title }: Section): Html => {
  const whole = html`<section class="card${isCopied && " copied"}">
    <h3>${line(draft, title, 80)}</h3>
    ${rows.length === 0 ? html`<p class="faint">Empty.</p>` : table(draft, rows)}
  </section>`
  const short = html`<section class="card">
    <h3>${line(draft, title, 80)}</h3>
    <p class="faint">${Omitted.sentence(rows.length, "row")}</p>
  </section>`
  const shown = fit(draft, whole)
  return shown.markup === "" ? fit(draft, short) : shown
}

const keys = html`<span class="keys"><kbd>j</kbd> <kbd>k</kbd> frames</span>
  <span class="keys"><kbd>/</kbd> search</span> <span class="keys"><kbd>d</kbd> dependencies</span> <span class="keys"><kbd>o</kbd> open in the editor</span>
  <span class="keys"><kbd>c</kbd> copy</span> <span class="keys"><kbd>t</kbd> light or dark</span>`

/** The document: at most 512 KiB, whatever was thrown. */
export const render = (content: Content, { editor = "VS Code", nonce, sources }: Options): string => {
  const { context = [], secrets = [], throwable } = content
  const draft: Draft = { sources, editor, secrets, spans: new Set(), left: maxBytes - reserved }
  const links = throwable.chain
  // In the order of importance: the size limit cuts what comes last.
  const head = heading(draft, throwable)
  const top = bar(draft, content)
  const chips = links.length > 0 && fit(draft, chain(draft, links, throwable.omitted))
  const notes = hints(draft, throwable)
  const first = card(draft, throwable, 0)
  const did = recording(draft, content.recorded)
  const tables = context.map((part) => section(draft, part))
  const others = links.map((link, index) => related(draft, link, index + 1))
  const title = line(draft, `${throwable.class}: ${throwable.message.slice(0, 512)}`, 120)
  return html`<!doctype html>
    <html lang="en">
      ${documentHead(title, style, nonce)}
      <body>
        <a class="skip" href="#t0">Skip to the frames</a>
        ${top}
        <main class="wrap">
          <div class="head">${head}${chips}${notes}</div>
          <div id="t0">${first}</div>
          ${others} ${did}
          <section class="context">
            <h2>Context</h2>
            <div class="grid">${tables}</div>
          </section>
          <footer>${keys}</footer>
        </main>
        <script nonce="${nonce}">
          ${unsafeRaw(script)}
        </script>
      </body>
    </html> `.markup
}
