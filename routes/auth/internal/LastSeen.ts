// When and where a session or a device was last used, as text.
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { type Html, html, unsafeRaw } from "../../../src/http/Html.ts"
import { english, type Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import type { DeviceInfo } from "../../../src/session/Session.ts"

const units: ReadonlyArray<readonly [seconds: number, name: Words.Unit]> = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"]
]

type Texts = (typeof AuthTexts.Service)["lastSeen"]

/** How long ago, in the largest unit that fits. */
export const ago = (
  then: number,
  now: number,
  language: Language = english,
  { justNow }: Texts = language.texts(AuthTexts).lastSeen
): string => {
  const passed = Math.max(0, now - then)
  const unit = units.find(([seconds]) => passed >= seconds)
  if (unit === undefined) return justNow
  return Words.ago(Math.floor(passed / unit[0]), unit[1], language.locale)
}

/** A time as how long ago, with the exact one beside it. */
export const time = (then: number, now: number, language: Language, texts?: Texts): Html => {
  // Digits and dashes: looking for something to escape would take a third of the time of this markup.
  const datetime = unsafeRaw(Words.timestamp(then))
  const title = Words.moment(new Date(then * 1000), language.locale)
  return html`<time datetime="${datetime}" title="${title}">${ago(then, now, language, texts)}</time>`
}

/** Distinguishes buttons of the same name for screen readers. */
export const screenReaderLabel = ({ address, userAgent }: DeviceInfo, language: Language): Html => {
  const { lastSeen: texts } = language.texts(AuthTexts)
  return html`<span class="visually-hidden">${texts.deviceAt(UserAgent.describe(userAgent, texts), address)}</span>`
}

/** When, where and with what something was used. */
interface LastSeen {
  readonly device: DeviceInfo
  readonly created: number
  readonly last: number
  readonly now: number
  /** Whether it is the session or device of this request. */
  readonly own: boolean
}

/** Its lines in a list; `since` is the word before the time it was created. */
export const view = (
  { created, last, now, own, device }: LastSeen,
  since: "signedIn" | "trusted",
  language: Language = english
): Html => {
  const { lastSeen: texts } = language.texts(AuthTexts)
  const seen = own ? texts.activeNow : html`${texts.lastSeen} ${time(last, now, language, texts)}`
  return html`<div>
    <p>
      <strong>${UserAgent.describe(device.userAgent, texts)}</strong>
      ${own && html`<span class="badge success">${texts.own}</span>`}
    </p>
    <p class="faint">
      ${device.address !== "" && html`${device.address} · `}${seen} · ${texts[since]} ${time(created, now, language, texts)}
    </p>
  </div>`
}
