// The forms of authentication as HTML: each field with its label, hint and error.
import * as Csrf from "../../src/auth/Csrf.ts"
import { minCharacters } from "../../src/auth/PasswordRules.ts"
import { type Html, html } from "../../src/http/Html.ts"
import type { State } from "./FormRequest.ts"

/** The hidden field with the CSRF token. */
export const tokenField = (token: string): Html => html`<input type="hidden" name="${Csrf.field}" value="${token}" />`

/** The parts of a form. */
export interface FormParts {
  readonly action: string
  readonly token: string
  readonly button: string
  readonly fields: ReadonlyArray<Html>
}

/** A form with its CSRF token. */
export const form = ({ action, button, fields, token }: FormParts): Html =>
  html`<form method="post" action="${action}">
    ${tokenField(token)} ${fields}
    <button class="wide" type="submit">${button}</button>
  </form>`

interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly attributes: Html
  readonly revealable?: boolean
}

const field = (
  { fieldErrors, focus = Object.keys(fieldErrors)[0] }: State,
  { attributes, hint, label, name, revealable = false }: Field
): Html => {
  const error = fieldErrors[name]
  const notes = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean).join(" ")
  const input = html`<input
    id="${name}"
    name="${name}"
    required
    ${attributes}
    ${notes !== "" && html`aria-describedby="${notes}"`}
    ${error !== undefined && html`aria-invalid="true"`}
    ${focus === name && html`autofocus`}
  />`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${revealable ? html`<div data-reveal>${input}</div>` : input}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`
}

/** The e-mail field, with the value that was sent before. */
export const email = (state: State<"email">): Html =>
  field(state, {
    name: "email",
    label: "E-mail",
    attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"
    value="${state.kept.email}"`
  })

const secret = (autocomplete: "current-password" | "new-password") => ({
  attributes: html`type="password" autocomplete="${autocomplete}"`,
  revealable: true
})

/** The field of an existing password. */
export const currentPassword = (state: State, name: "password" | "current", label: string): Html =>
  field(state, { name, label, ...secret("current-password") })

/** The new password and its confirmation: without JavaScript a typed password cannot be revealed. */
export const newPassword = (state: State, label: string): ReadonlyArray<Html> => [
  field(state, {
    name: "password",
    label,
    hint: `At least ${minCharacters} characters. A few unusual words are easier to keep than symbols.`,
    ...secret("new-password")
  }),
  field(state, {
    name: "password_confirmation",
    label: `${label}, once more`,
    ...secret("new-password")
  })
]

/** The checkbox to stay signed in on this device. */
export const remember = ({ kept }: State<"remember">): Html =>
  html`<div class="check">
    <input id="remember" name="remember" type="checkbox" value="1" ${kept.remember !== undefined && html`checked`} />
    <label for="remember">Keep me signed in on this device</label>
  </div>`

/** Tells password managers the account. Not submitted. */
export const owner = (email: string): Html =>
  html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
