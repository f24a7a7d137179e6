// The parts of pages that use passkeys, and their script. They are hidden until the script finds that the browser can.
import type { PasskeyTexts } from "../../../src/auth/internal/passkeys/PasskeyTexts.ts"
import { script } from "../../../src/auth/internal/passkeys/PasskeyScript.ts"
import * as Asset from "../../../src/http/Asset.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import { passkeyConfirm, passkeyFactor, passkeySignIn } from "../internal/AuthPaths.ts"
import { tokenField } from "../../session/internal/FormView.ts"

/** The script; its address contains the hash of its content. */
export const asset = Asset.make(passkeySignIn.script, "text/javascript; charset=utf-8", script)

/** The element that loads the script. */
export const scriptElement: Html = html`<script src="${asset.href}" defer></script>`

/** A form that the script sends once the device has made or used a passkey. */
interface PasskeyForm {
  readonly kind: "create" | "get"
  readonly action: string
  /** Where the script asks for the options. */
  readonly options: string
  readonly token: string
  readonly texts: PasskeyTexts
  readonly fields?: Html
  readonly button: Html
}

/** The form; what went wrong on the device is announced below its button. */
export const form = ({ action, button, fields, kind, options, texts, token }: PasskeyForm): Html =>
  html`<form
    method="post"
    action="${action}"
    data-passkey="${kind}"
    data-options="${options}"
    data-failed="${texts.failed}"
    data-known="${texts.known}"
  >
    ${tokenField(token)} <input type="hidden" name="credential" value="" /> ${fields} ${button}
    <div class="field" data-problem role="alert" hidden><p class="error"></p></div>
  </form>`

/** Where a button sends its requests, and what it says. */
interface Target {
  readonly options: string
  readonly verify: string
  readonly label: string
  /** Whether nothing stands above it. */
  readonly isOnly?: boolean
}

const button = (
  texts: PasskeyTexts,
  token: string,
  { isOnly = false, label, options, verify }: Target,
  fields?: Html
): Html =>
  html`<div data-passkeys hidden>
      ${!isOnly && html`<p class="below">${texts.or}</p>`}
      ${form({
        kind: "get",
        action: verify,
        options,
        token,
        texts,
        ...(fields !== undefined && { fields }),
        button: html`<button class="${!isOnly && html`quiet `}wide" type="submit">${label}</button>`
      })}
    </div>
    ${scriptElement}`

/** The button on the sign-in page, for a browser that has passkeys. */
export const signIn = (texts: PasskeyTexts, token: string): Html => {
  const remember = html`<input type="hidden" name="remember" value="1" disabled />`
  return button(texts, token, { label: texts.signIn, ...passkeySignIn }, remember)
}

/** The button on the page of the second factor. */
export const factor = (texts: PasskeyTexts, token: string): Html =>
  button(texts, token, { label: texts.signIn, ...passkeyFactor })

/** The button on the page of the confirmation. */
export const confirmation = (texts: PasskeyTexts, token: string, isOnly: boolean): Html =>
  button(texts, token, { label: texts.confirm, isOnly, ...passkeyConfirm })
