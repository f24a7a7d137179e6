// What a request did, on the pages of `development`: its timeline, its SQL and its log lines.
import { type Html, html } from "../../../http/Html.ts"
import * as RecordedRequest from "../../../http/internal/RecordedRequest.ts"
import { type Draft, fit, line, text } from "./DebugParts.ts"
import * as Omitted from "./Omitted.ts"

const maxRows = 120
const maxDepth = 8
const width = 1000

/** `0.42 ms`, `12.3 ms`, `1.20 s`. */
export const duration = (milliseconds: number): string => {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : 1)} ms`
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const omitted = (count: number, noun: string): Html | false =>
  count > 0 && html`<p class="faint">${Omitted.sentence(count, noun)}</p>`

const kindOf = ({ outcome, statement }: RecordedRequest.RecordedSpan): string => {
  if (outcome === "failed") return "failed"
  return statement === undefined ? outcome : "sql"
}

// Attributes of SVG: a style attribute would need a weaker policy.
const bar = (span: RecordedRequest.RecordedSpan, total: number): Html => {
  const start = Math.min(width - 3, Math.max(0, (span.start / total) * width))
  const length = Math.min(width - start, Math.max(3, (span.duration / total) * width))
  return html`<svg viewBox="0 0 ${width} 10" preserveAspectRatio="none" aria-hidden="true">
    <rect class="${kindOf(span)}" x="${start.toFixed(1)}" y="0" width="${length.toFixed(1)}" height="10"></rect>
  </svg>`
}

const outcomes = { open: "running", ended: "", failed: "failed" } as const

const row = (draft: Draft, { depth, span }: RecordedRequest.TimelineRow, total: number): Html => {
  const { attributes, duration: took, name, outcome, start, statement } = span
  const facts = attributes.slice(0, 8).map(([key, value]) => `${key}=${value}`)
  const detail = statement ?? (depth === 0 ? "" : facts.join(" "))
  return html`<tr>
    <th scope="row" class="d${Math.min(depth, maxDepth)}">
      ${line(draft, name, 120)} ${outcomes[outcome] !== "" && html`<small class="state">${outcomes[outcome]}</small>`}
      ${detail !== "" && html`<small>${line(draft, detail, 240)}</small>`}
    </th>
    <td class="track">${bar(span, total)}</td>
    <td class="number">${duration(start)}</td>
    <td class="number">${duration(took)}</td>
  </tr>`
}

type Request = RecordedRequest.RecordedRequest

const card = (title: string, content: Html): Html =>
  html`<section class="card">
    <h3>${title}</h3>
    ${content}
  </section>`

/** The spans of the request, each with a bar from its start to its end. */
export const timeline = (draft: Draft, { duration: whole, omitted: left, spans }: Request): Html => {
  const rows = RecordedRequest.timeline(spans)
  const shown = rows.slice(0, maxRows)
  const total = shown.reduce((most, { span }) => Math.max(most, span.start + span.duration), Math.max(whole, 0.01))
  const content = html`<table class="timeline">
      <thead>
        <tr>
          <th scope="col">Span</th>
          <th scope="col" class="track">From 0 to ${duration(total)}</th>
          <th scope="col" class="number">Start</th>
          <th scope="col" class="number">Took</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((one) => row(draft, one, total))}
      </tbody>
    </table>
    ${omitted(rows.length - shown.length + left.spans, "span")}`
  return card(`Timeline, ${plural(rows.length, "span")}`, content)
}

const repeated = (count: number): Html =>
  html`<small class="warn">Ran ${count} times in one request (n+1): probably once for each row of another statement. Load the
    rows with one statement, <code>WHERE id IN (…)</code> or a join.</small>`

/** The statements of the request, equal ones together. */
const statements = (draft: Draft, request: Request): Html => {
  const groups = RecordedRequest.statements(request)
  const { count, duration: took } = RecordedRequest.statementTotals(groups)
  const shown = groups.slice(0, maxRows)
  const content =
    count === 0
      ? html`<p class="faint">No statement.</p>`
      : html`<table class="statements">
            <thead>
              <tr>
                <th scope="col">Statement</th>
                <th scope="col" class="number">Runs</th>
                <th scope="col" class="number">Took</th>
              </tr>
            </thead>
            <tbody>
              ${shown.map(
                (group) =>
                  html`<tr>
                    <td>
                      <code>${text(draft, group.statement, 1000)}</code> ${group.isRepeated && repeated(group.count)}
                    </td>
                    <td class="number">${group.count}</td>
                    <td class="number">${duration(group.duration)}</td>
                  </tr>`
              )}
            </tbody>
          </table>
          ${omitted(groups.length - shown.length, "statement")}`
  return card(count === 0 ? "SQL" : `SQL, ${plural(count, "statement")} in ${duration(took)}`, content)
}

/** The log lines of the request. */
const lines = (draft: Draft, { lines: all, omitted: left }: Request): Html => {
  const shown = all.slice(0, maxRows)
  const content =
    all.length === 0
      ? html`<p class="faint">No line.</p>`
      : html`<table class="lines">
            <tbody>
              ${shown.map(
                ({ at, level, text: given }) =>
                  html`<tr>
                    <td class="number">${duration(at)}</td>
                    <td class="level ${level.toLowerCase()}">${line(draft, level, 16)}</td>
                    <td>${text(draft, given, 1000)}</td>
                  </tr>`
              )}
            </tbody>
          </table>
          ${omitted(all.length - shown.length + left.lines, "line")}`
  return card(all.length === 0 ? "Log" : `Log, ${plural(all.length, "line")}`, content)
}

/** All three, as far as the size of the page allows. */
export const all = (draft: Draft, request: Request): Html => {
  const parts = [timeline, statements, lines].map((part) => {
    const short = html`<section class="card"><p class="faint">Omitted to keep the page small.</p></section>`
    return fit(draft, part(draft, request), short)
  })
  return html`<div class="recorded">${parts}</div>`
}
