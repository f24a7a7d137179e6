// The page of the development panel about jobs: how many there are, and the newest ones.
import { type Html, html } from "../../http/Html.ts"
import { blank, type Draft, fit, line } from "../../errors/internal/debug/DebugParts.ts"
import type { Count, JobInfo } from "../../jobs/Jobs.ts"
import { listing, type Page, time } from "./PanelPage.ts"

const maxBytes = 448 * 1024

const note =
  "The newest hundred jobs, without their payloads: the command queue list counts the same. Only development has this page."

const headers = [
  ["subject", "Job"],
  ["subject", "Queue"],
  ["status", "State"],
  ["number", "Attempts"],
  ["sent", "Enqueued (UTC)"]
] as const

const row = (draft: Draft, { attempts, createdAt, id, name, queue, reason, state }: JobInfo): Html =>
  fit(
    draft,
    html`<tr id="${id}">
      <td class="subject">
        <strong>${name}</strong>
        ${reason !== undefined && html`<br /><span class="faint">${line(draft, reason, 240)}</span>`}
      </td>
      <td>${queue}</td>
      <td class="status ${state === "failed" && "warn"}">${state}</td>
      <td class="number">${String(attempts)}</td>
      <td class="sent">${time(createdAt)}</td>
    </tr>`
  )

const sentence = (counts: ReadonlyArray<Count>): string =>
  counts.map(({ jobs, queue, state }) => `${queue}: ${jobs} ${state}`).join(", ")

/** The newest jobs. */
export const list = (counts: ReadonlyArray<Count>, jobs: ReadonlyArray<JobInfo>): Page => {
  const draft = blank(maxBytes)
  return {
    part: "jobs",
    title: "Jobs",
    main: html`<h1>Jobs</h1>
      ${
        jobs.length === 0
          ? html`<p class="faint">No job yet. Jobs.enqueue stores one.</p>`
          : html`<p>${sentence(counts)}</p>
              <div class="card list-card">
                ${listing(
                  headers,
                  jobs.map((job) => row(draft, job))
                )}
              </div>`
      }`,
    note
  }
}
