// Forms as HTML: each field with its label, hint and error.
import * as CsrfNames from "../../../src/session/internal/CsrfNames.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Texts as HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { FormState } from "../FormState.ts"

/** The hidden field with the CSRF token. */
export const tokenField = (token: string): Html =>
  html`<input type="hidden" name="${CsrfNames.field}" value="${token}" />`

/** The parts of a form. */
interface FormParts {
  readonly action: string
  /** For buttons outside of it that send it elsewhere. */
  readonly id?: string
  readonly token: string
  readonly button: string
  readonly fields: ReadonlyArray<Html>
}

/** A form with its CSRF token. */
export const form = ({ action, button, fields, id, token }: FormParts): Html =>
  html`<form method="post" action="${action}"${id !== undefined && html` id="${id}"`}>
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
  { fieldErrors, focus = Object.keys(fieldErrors)[0] }: FormState,
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
