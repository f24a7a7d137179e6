// The pages of the development panel about mail: the messages of the file transport, one of them, and its HTML in a frame.
import { type Html, html } from "../../http/Html.ts"
import type { StoredHead, StoredMessage } from "../../mail/internal/Mailbox.ts"
import { path } from "../../http/internal/RequestRecorder.ts"
import { table, blank, type Draft, fit } from "../../errors/internal/debug/DebugParts.ts"
import * as Omitted from "../../errors/internal/debug/Omitted.ts"
import { listing, type Page, time } from "./PanelPage.ts"
import * as SafeText from "../../http/internal/text/SafeText.ts"

const maxBytes = 448 * 1024
const maxText = 64 * 1024

const note =
  "Messages are files while MAIL_HOST is empty. The links in them are valid: do not run development where strangers can connect."

const href = ({ name }: Pick<StoredHead, "name">): string => `${path}/mail/${encodeURIComponent(name)}`

const cell = (text: string): string => SafeText.clip(SafeText.line(text), 200)

const row = (draft: Draft, message: StoredHead): Html =>
  fit(
    draft,
    html`<tr>
      <td class="subject"><a href="${href(message)}">${cell(message.subject) || "(no subject)"}</a></td>
      <td>${cell(message.to)}</td>
      <td class="sent">${time(message.at)}</td>
    </tr>`
  )

const headers = [
  ["subject", "Subject"],
  ["subject", "To"],
  ["sent", "Sent (UTC)"]
] as const

const listed = (rows: ReadonlyArray<Html>, more: number): Html =>
  html`<div class="card list-card">
    ${listing(headers, rows)} ${more > 0 && html`<p class="faint">${Omitted.sentence(more, "message")}</p>`}
  </div>`

/** The newest messages. */
export const list = (messages: ReadonlyArray<StoredHead>, more: number): Page => {
  const draft = blank(maxBytes)
  const none = html`<p class="faint">No message yet. Sign up or ask for a new password, then load this page again.</p>`
  return {
    part: "mail",
    title: "Mailbox",
    main: html`<h1>Mailbox</h1>
      ${
        messages.length === 0
          ? none
          : listed(
              messages.map((message) => row(draft, message)),
              more
            )
      }`,
    note
  }
}

// A link ends before the punctuation of its sentence. Nothing but http and https becomes one.
const link = /https?:\/\/[^\s<>"]{1,2000}/g

/** The text with its links. */
const linked = (text: string): ReadonlyArray<Html | string> => {
  const parts: Array<Html | string> = []
  let done = 0
  for (const { 0: found, index } of text.matchAll(link)) {
    const address = found.replace(/[.,;:!?)\]'}]{1,8}$/, "")
    parts.push(text.slice(done, index), html`<a href="${address}" rel="noreferrer">${address}</a>`)
    done = index + address.length
  }
  return [...parts, text.slice(done)]
}

/** One message: its text, and its HTML in a frame. */
export const detail = (message: StoredMessage): Page => {
  const draft = blank(maxBytes)
  const subject = cell(message.subject) || "(no subject)"
  const facts = [
    ["from", cell(message.from)],
    ["to", cell(message.to)],
    ["sent", `${time(message.at)} UTC`],
    ["file", message.name]
  ] as const
  const text = SafeText.clip(SafeText.visible(message.text), maxText)
  const frame = html`<section class="card">
    <div class="part-title">
      <h2>HTML</h2>
      <a href="${href(message)}/html" target="_blank" rel="noreferrer">Alone in a new tab</a>
    </div>
    <iframe
      src="${href(message)}/html"
      title="The HTML of the message"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    ></iframe>
  </section>`
  return {
    part: "mail",
    title: subject,
    main: html`<h1>${subject}</h1>
      <div class="stack">
        <div class="card facts-card">${table(draft, facts)}</div>
        ${message.html !== "" && frame}
        <section class="card">
          <div class="part-title"><h2>Text</h2></div>
          <pre class="mail-text" tabindex="0" role="group" aria-label="Text of the message">
${text === "" ? "(none)" : linked(text)}</pre
          >
        </section>
      </div>`,
    note
  }
}

/** For a name that is no message, or one that was removed. */
export const unknown: Page = {
  part: "mail",
  title: "Unknown message",
  main: html`<h1>There is no such message</h1>
    <p>It was removed. <a href="${path}/mail">The messages that are there</a>.</p>`,
  note
}

/** For a program that sends its messages by SMTP, or queues them. */
export const elsewhere: Page = {
  part: "mail",
  title: "Mailbox",
  main: html`<h1>Mailbox</h1>
    <p>This program sends its messages to a mail server. Without <code>MAIL_HOST</code> they are files, and listed here.</p>`,
  note
}

/** For the HTML of a message: no script, no form, nothing from elsewhere; an origin of its own even outside of the frame. */
export const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"

/** The HTML as it was sent; its links open in a tab of their own. A boundary: the policy makes it harmless. */
export const frame = ({ html: sent }: StoredMessage): string => `<base target="_blank">${sent}`
