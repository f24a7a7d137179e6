// The pages of the development panel about requests: those of the last minute, and one of them.
import { type Html, html } from "../../http/Html.ts"
import * as RecordedRequest from "../../http/internal/RecordedRequest.ts"
import { limits, path } from "../../http/internal/RequestRecorder.ts"
import { blank, type Draft, fit, line, table } from "../../errors/internal/debug/DebugParts.ts"
import * as DebugRequest from "../../errors/internal/debug/DebugRequest.ts"
import { listing, type Page } from "./PanelPage.ts"

type Request = RecordedRequest.RecordedRequest

const maxBytes = 448 * 1024

const note =
  `Each worker keeps its last ${limits.requests} requests for a minute; here are those of all of them. ` +
  "Only development has this page."

const href = ({ id }: Request): string => `${path}/requests/${encodeURIComponent(id)}`

const statusOf = ({ state, status }: Request): Html => {
  if (state === "running") return html`<span class="pill calm">running</span>`
  if (status === undefined) return html`<span class="pill">aborted</span>`
  const look = status >= 500 || state === "failed" ? "" : status >= 400 ? " calm" : " good"
  return html`<span class="pill${look}">${status}${state === "failed" && " failed"}</span>`
}

const time = (at: number): string => new Date(at).toISOString().slice(11, 19)

const row = (draft: Draft, request: Request): Html => {
  const groups = RecordedRequest.statements(request)
  const { count, duration } = RecordedRequest.statementTotals(groups)
  const isRepeated = groups.some((group) => group.isRepeated)
  return fit(
    draft,
    html`<tr>
      <td class="when">${time(request.startedAt)}</td>
      <td class="request"><a href="${href(request)}">${line(draft, `${request.method} ${request.uri}`, 160)}</a></td>
      <td class="status">${statusOf(request)}</td>
      <td class="number">${DebugRequest.duration(request.duration)}</td>
      <td class="number wide">
        ${count}${count > 0 && ` in ${DebugRequest.duration(duration)}`} ${isRepeated && html`<b class="warn">n+1</b>`}
      </td>
      <td class="number">${request.lines.length}</td>
      <td class="number">${request.pid}</td>
    </tr>`
  )
}

const headers = [
  ["when", "UTC"],
  ["request", "Request"],
  ["status", "Status"],
  ["number", "Took"],
  ["number wide", "SQL"],
  ["number", "Log"],
  ["number", "Process"]
] as const

const listed = (rows: ReadonlyArray<Html>): Html => html`<div class="card list-card">${listing(headers, rows)}</div>`

/** The requests of the last minute, the newest first. */
export const list = (requests: ReadonlyArray<Request>): Page => {
  const draft = blank(maxBytes)
  const none = html`<p class="faint">No request in the last minute. Open a page of the program, then load this one again.</p>`
  return {
    part: "requests",
    title: "Requests of the last minute",
    main: html`<h1>Requests of the last minute</h1>
      ${requests.length === 0 ? none : listed(requests.map((request) => row(draft, request)))}`,
    note
  }
}

/** What one request did. */
export const detail = (request: Request): Page => {
  const draft = blank(maxBytes)
  const name = line(draft, `${request.method} ${request.uri}`, 240)
  const facts = [
    ["id", request.id],
    ["process", String(request.pid)],
    ["started", new Date(request.startedAt).toISOString()],
    ["took", DebugRequest.duration(request.duration)]
  ] as const
  return {
    part: "requests",
    title: name,
    main: html`<h1>${statusOf(request)} ${name}</h1>
      <h2 class="hidden">What it did</h2>
      <div class="card facts-card">${table(draft, facts)}</div>
      ${DebugRequest.all(draft, request)}`,
    note
  }
}

/** For an id that no worker knows. */
export const unknown: Page = {
  part: "requests",
  title: "Unknown request",
  main: html`<h1>No worker has such a request</h1>
    <p>It is older than a minute, or its worker has ended. <a href="${path}">The requests of the last minute</a>.</p>`,
  note
}
