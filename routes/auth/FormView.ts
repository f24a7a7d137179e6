// The forms of authentication as HTML: each field with its label, hint and error.
import * as Csrf from "../../src/auth/Csrf.ts"
import type { Texts as AuthTexts } from "../../src/auth/AuthTexts.ts"
import { type Html, html } from "../../src/http/Html.ts"
import type { Texts as HttpTexts } from "../../src/http/HttpTexts.ts"
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

interface RowForm {
  readonly action: string
  readonly token: string
  /** Which row of the list it is. */
  readonly handle: string
  readonly button: string
  /** What a screen reader adds to the button. */
  readonly name: string
}

/** The form beside a row of a list, with one button. */
export const rowForm = ({ action, button, handle, name, token }: RowForm): Html =>
  html`<form method="post" action="${action}">
    ${tokenField(token)}
    <input type="hidden" name="handle" value="${handle}" />
    <button class="quiet small" type="submit">${button} <span class="visually-hidden">${name}</span></button>
  </form>`

interface Field {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly attributes: Html
  readonly isOptional?: boolean
  /** The options of a list, in place of an input. */
  readonly options?: Html
  /** The texts of the button that shows what is typed. */
  readonly reveal?: HttpTexts["reveal"]
}

/** The texts of a form. */
export interface FormTexts {
  readonly fields: AuthTexts["fields"]
  readonly reveal: HttpTexts["reveal"]
  readonly validation: AuthTexts["validation"]
}

/** The rules of a new password that the page's script tells while it is typed. */
export interface PasswordHints {
  readonly min: number
  /** What it must not consist of, besides the address in the form. */
  readonly words: ReadonlyArray<string>
}

const hintsOf = ({ min, words }: PasswordHints, { validation }: FormTexts): Html =>
  html`data-min="${String(min)}" data-words="${words.join(" ")}" data-more="${validation.passwordMore("{}")}"
  data-guessable="${validation.passwordGuessable}" data-common="${validation.passwordCommon}"
  data-good="${validation.passwordGood}"`

const revealable = (input: Html, label: string, { hide, hideLabel, show, showLabel }: HttpTexts["reveal"]): Html =>
  html`<div
    data-reveal
    data-show="${show}"
    data-hide="${hide}"
    data-show-label="${showLabel(label)}"
    data-hide-label="${hideLabel(label)}"
  >
    ${input}
  </div>`

/** A field with its label, hint and error. */
export const field = (
  { fieldErrors, focus = Object.keys(fieldErrors)[0] }: State,
  { attributes, hint, isOptional = false, label, name, options, reveal }: Field
): Html => {
  const error = fieldErrors[name]
  const notes = [hint !== undefined && `${name}-hint`, error !== undefined && `${name}-error`].filter(Boolean).join(" ")
  const all = html`id="${name}"
    name="${name}"
    ${!isOptional && html`required`}
    ${attributes}
    ${notes !== "" && html`aria-describedby="${notes}"`}
    ${error !== undefined && html`aria-invalid="true"`}
    ${focus === name && html`autofocus`}`
  const input = options === undefined ? html`<input ${all} />` : html`<select ${all}>${options}</select>`
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${reveal === undefined ? input : revealable(input, label, reveal)}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
  </div>`
}

/** The e-mail field, with the value that was sent before. */
export const email = (state: State<"email">, { fields }: FormTexts): Html =>
  field(state, {
    name: "email",
    label: fields.email,
    attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"
    value="${state.kept.email}"`
  })

const secret = (autocomplete: "current-password" | "new-password", { reveal }: FormTexts, more?: Html) => ({
  attributes: html`type="password" autocomplete="${autocomplete}" ${more}`,
  reveal
})

/** The field of an existing password. */
export const currentPassword = (state: State, name: "password" | "current", texts: FormTexts): Html =>
  field(state, {
    name,
    label: name === "current" ? texts.fields.currentPassword : texts.fields.password,
    ...secret("current-password", texts)
  })

/** The new password and its confirmation: without JavaScript a typed password cannot be revealed. */
export const newPassword = (
  state: State,
  label: string,
  texts: FormTexts,
  hints: PasswordHints
): ReadonlyArray<Html> => [
  field(state, {
    name: "password",
    label,
    hint: texts.fields.passwordHint(hints.min),
    ...secret("new-password", texts, hintsOf(hints, texts))
  }),
  field(state, {
    name: "password_confirmation",
    label: texts.fields.again(label),
    ...secret("new-password", texts)
  })
]

/** The checkbox to stay signed in on this device. */
export const remember = ({ kept }: State<"remember">, { fields }: FormTexts): Html =>
  html`<div class="check">
    <input id="remember" name="remember" type="checkbox" value="1" ${kept.remember !== undefined && html`checked`} />
    <label for="remember">${fields.remember}</label>
  </div>`

/** Tells password managers the account. Not submitted. */
export const owner = (email: string): Html =>
  html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
