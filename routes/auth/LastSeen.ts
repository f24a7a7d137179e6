// When and where a session or a device was last used, as text.
import * as UserAgent from "../../src/auth/UserAgent.ts"
import { type Html, html } from "../../src/http/Html.ts"
import type { DeviceInfo } from "../../src/auth/Trust.ts"

const units: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"]
]

/** How long ago, in the largest unit that fits. */
export const ago = (then: number, now: number): string => {
  const passed = Math.max(0, now - then)
  const unit = units.find(([seconds]) => passed >= seconds)
  if (unit === undefined) return "just now"
  const count = Math.floor(passed / unit[0])
  return `${count} ${unit[1]}${count === 1 ? "" : "s"} ago`
}

const time = (then: number, now: number): Html => {
  const exact = new Date(then * 1000).toISOString()
  return html`<time datetime="${exact}" title="${exact.slice(0, 16).replace("T", " ")} UTC">${ago(then, now)}</time>`
}

/** Distinguishes buttons of the same name for screen readers. */
export const screenReaderLabel = ({ agent, peer }: DeviceInfo): Html =>
  html`<span class="visually-hidden">${UserAgent.describe(agent)} at ${peer}</span>`

/** When, where and with what something was used. */
export interface LastSeen {
  readonly place: DeviceInfo
  readonly created: number
  readonly last: number
  readonly now: number
  /** Whether it is the session or device of this request. */
  readonly own: boolean
}

/** Its lines in a list; `since` is the word before the time it was created. */
export const view = ({ created, last, now, own, place }: LastSeen, since: string): Html =>
  html`<div>
    <p><strong>${UserAgent.describe(place.agent)}</strong> ${own && html`<span class="badge good">this one</span>`}</p>
    <p class="faint">
      ${place.peer !== "" && html`${place.peer} · `}${own ? "active now" : html`last seen ${time(last, now)}`} ·
      ${since} ${time(created, now)}
    </p>
  </div>`
