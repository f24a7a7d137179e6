// The page of the development panel about exceptions: those of the log by their fingerprints, with the last of each.
import { type Html, html } from "../../http/Html.ts"
import { path } from "../../http/internal/RequestRecorder.ts"
import type { Group } from "../../errors/internal/ExceptionGroups.ts"
import { blank, type Draft, fit, line, table } from "../../errors/internal/debug/DebugParts.ts"
import type { Page } from "./PanelPage.ts"

const maxBytes = 448 * 1024
const most = 100

const note =
  "From the log of exceptions alone, of all workers and earlier runs: the command errors prints the same. Only development has this page."

const time = (timestamp: string): string => timestamp.slice(0, 19).replace("T", " ")

const facts = ({ count, first, last, routes, sample, versions }: Group): ReadonlyArray<readonly [string, string]> => [
  ["count", String(count)],
  ["first", `${time(first)} UTC`],
  ["last", `${time(last)} UTC`],
  ...(versions.length === 0 ? [] : [["version", versions.join(", ")] as const]),
  ["routes", routes.join(", ")],
  ["request", sample.id ?? ""],
  ...(sample.trace_id === undefined ? [] : [["trace", sample.trace_id] as const]),
  ...(sample.statement === undefined ? [] : [["statement", sample.statement] as const])
]

const frames = (draft: Draft, { sample }: Group): Html => {
  const own = (sample.frames ?? []).map(
    ({ file, function: name, line: at }) => `${name || "(anonymous)"} ${file}:${at}`
  )
  const causes = (sample.previous ?? []).map(
    ({ class: name, file, line: at, message }) => `caused by ${name}: ${message}${file === "" ? "" : ` ${file}:${at}`}`
  )
  return html`<ol class="faint">${[...own, ...causes].map((text) => html`<li><code>${line(draft, text, 320)}</code></li>`)}</ol>`
}

const card = (draft: Draft, group: Group): Html => {
  const { fingerprint, sample } = group
  const request = `${path}/requests/${encodeURIComponent(sample.id ?? "")}`
  return fit(
    draft,
    html`<section class="card" id="${fingerprint}">
      <div class="part-title">
        <h2>${line(draft, `${sample.class}: ${sample.message}`, 240)}</h2>
        <a href="${request}">The last request</a>
      </div>
      <p><code>${fingerprint}</code></p>
      ${table(draft, facts(group))} ${frames(draft, group)}
    </section>`
  )
}

/** The groups, the one that happened last first. */
export const list = (groups: ReadonlyArray<Group>): Page => {
  const draft = blank(maxBytes)
  const none = html`<p class="faint">No exception in the log.</p>`
  return {
    part: "errors",
    title: "Exceptions",
    main: html`<h1>Exceptions</h1>
      ${groups.length === 0 ? none : html`<div class="stack">${groups.slice(0, most).map((group) => card(draft, group))}</div>`}`,
    note
  }
}
