// The document of the development panel: the look of the debug page, its navigation, and what a page of it shows.
import { type Html, html, unsafeRaw } from "../../http/Html.ts"
import { path } from "../../http/internal/RequestRecorder.ts"
import { documentHead } from "../../errors/internal/debug/DebugParts.ts"
import { style } from "../../errors/internal/debug/DebugStyle.ts"
import { panelScript, panelStyle } from "./PanelStyle.ts"

/** The parts of the panel. */
type Part = "requests" | "errors" | "jobs" | "mail"

/** One page of the panel. */
export interface Page {
  readonly part: Part
  readonly title: string
  readonly main: Html
  /** One sentence below the page. */
  readonly note: string
}

/** Allows the inline style and script, and frames of this site for the HTML of messages. */
export const contentSecurityPolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; img-src data:; frame-src 'self'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const parts: ReadonlyArray<readonly [Part, href: string, title: string]> = [
  ["requests", path, "Requests"],
  ["errors", `${path}/errors`, "Exceptions"],
  ["jobs", `${path}/jobs`, "Jobs"],
  ["mail", `${path}/mail`, "Mailbox"]
]

const link = (current: Part, [part, href, title]: (typeof parts)[number]): Html =>
  html`<a href="${href}" ${part === current && unsafeRaw('aria-current="page"')}>${title}</a>`

/** A time in UTC, to the second. */
export const time = (at: number): string => new Date(at).toISOString().slice(0, 19).replace("T", " ")

/** A table of links; a header has the class of its column. */
export const listing = (
  headers: ReadonlyArray<readonly [look: string, text: string]>,
  rows: ReadonlyArray<Html>
): Html =>
  html`<table class="listing">
    <thead>
      <tr>
        ${headers.map(([look, text]) => html`<th scope="col" class="${look}">${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`

/** The document. */
export const render = ({ main, note, part, title }: Page, nonce: string): string =>
  html`<!doctype html>
    <html lang="en">
      ${documentHead(title, style + panelStyle, nonce)}
      <body class="panel-page">
        <a class="skip" href="#main">Skip to the content</a>
        <header class="bar">
          <div class="wrap">
            <nav aria-label="Panel">${parts.map((one) => link(part, one))}</nav>
            <div class="tools">
              <button type="button" id="theme" title="Light or dark">◐<span class="hidden"> Light or dark</span></button>
            </div>
          </div>
        </header>
        <main class="wrap" id="main">${main}</main>
        <footer class="wrap">${note}</footer>
        <script nonce="${nonce}">
          ${unsafeRaw(panelScript)}
        </script>
      </body>
    </html> `.markup
