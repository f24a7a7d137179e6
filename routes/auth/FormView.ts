// The forms of authentication as markup: a label for each field, its hint and what is wrong beside it.
import * as Csrf from "../../src/auth/Csrf.ts"
import { minCharacters } from "../../src/auth/Password.ts"
import { type Html, html } from "../../src/http/Html.ts"
import type { FieldErrors, KeptFields } from "./FormRequest.ts"

/** What a form shows: nothing at first, later what was wrong and what may be kept. */
export interface State {
  readonly faults: FieldErrors
  readonly kept: KeptFields
  /** Where the person goes on; the first field that is wrong when nothing is said. */
  readonly focus?: string
}

/** A form that nobody has filled in yet. */
export const blank: State = { faults: {}, kept: { email: "", remember: false } }

/** The token that every form carries. */
export const tokenField = (token: string): Html => html`<input type="hidden" name="${Csrf.field}" value="${token}" />`

/** What a form is made of. */
export interface Frame {
  readonly action: string
  readonly token: string
  readonly button: string
  readonly fields: ReadonlyArray<Html>
}

/** A form that carries its token. */
export const form = ({ action, button, fields, token }: Frame): Html =>
  html`<form method="post" action="${action}">
    ${tokenField(token)} ${fields}
    <button class="wide" type="submit">${button}</button>
  </form>`

interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly attributes: Html
}

const field = ({ faults, focus = Object.keys(faults)[0] }: State, { attributes, hint, label, name }: Field): Html => {
  const fault = faults[name]
  const notes = [hint !== undefined && `${name}-hint`, fault !== undefined && `${name}-error`].filter(Boolean).join(" ")
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      required
      ${attributes}
      ${notes !== "" && html`aria-describedby="${notes}"`}
      ${fault !== undefined && html`aria-invalid="true"`}
      ${focus === name && html`autofocus`}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${fault !== undefined && html`<p class="error" id="${name}-error">${fault}</p>`}
  </div>`
}

/** The field of an e-mail, with what was typed before. */
export const email = (state: State): Html =>
  field(state, {
    name: "email",
    label: "E-mail",
    attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"
    value="${state.kept.email}"`
  })

const secret = (autocomplete: "current-password" | "new-password"): Html =>
  html`type="password" autocomplete="${autocomplete}" data-reveal`

/** The field of a password that someone claims to know. */
export const currentPassword = (state: State, name: "password" | "current", label: string): Html =>
  field(state, { name, label, attributes: secret("current-password") })

/** The new password, and once more: without a script nobody can look at what was typed. */
export const newPassword = (state: State, label: string): ReadonlyArray<Html> => [
  field(state, {
    name: "password",
    label,
    hint: `At least ${minCharacters} characters. A few unusual words are easier to keep than symbols.`,
    attributes: secret("new-password")
  }),
  field(state, {
    name: "password_confirmation",
    label: `${label}, once more`,
    attributes: secret("new-password")
  })
]

/** The box that asks to be remembered on this device. */
export const remember = ({ kept }: State): Html =>
  html`<div class="check">
    <input id="remember" name="remember" type="checkbox" value="1" ${kept.remember && html`checked`} />
    <label for="remember">Keep me signed in on this device</label>
  </div>`

/** For password managers: whose password this is. Not sent. */
export const owner = (email: string): Html =>
  html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
