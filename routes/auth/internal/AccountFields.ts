// The fields that the forms of accounts share: the address, the passwords and the choice to stay signed in.
import type { Texts as AuthTexts } from "../../../src/auth/AuthTexts.ts"
import type { Texts as FieldTexts } from "../../../src/session/FormTexts.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Texts as HttpTexts } from "../../../src/http/HttpTexts.ts"
import type { FormState } from "../../session/FormState.ts"
import { field } from "../../session/internal/FormView.ts"

/** The texts of a form. */
interface FormTexts {
  readonly fields: AuthTexts["fields"]
  readonly reveal: HttpTexts["reveal"]
  readonly validation: FieldTexts
}

/** The rules of a new password that the page's script tells while it is typed. */
interface PasswordHints {
  readonly min: number
  /** What it must not consist of, besides the address in the form. */
  readonly words: ReadonlyArray<string>
}

const hintsOf = ({ min, words }: PasswordHints, { validation }: FormTexts): Html =>
  html`data-min="${String(min)}" data-words="${words.join(" ")}" data-more="${validation.passwordMore("{}")}"
  data-guessable="${validation.passwordGuessable}" data-common="${validation.passwordCommon}"
  data-good="${validation.passwordGood}"`

/** The e-mail field, with the value that was sent before. */
export const email = (state: FormState<"email">, { fields }: FormTexts): Html =>
  field(state, {
    name: "email",
    label: fields.email,
    attributes: html`type="email" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="254"
    value="${state.values.email}"`
  })

const secret = (autocomplete: "current-password" | "new-password", { reveal }: FormTexts, more?: Html) => ({
  attributes: html`type="password" autocomplete="${autocomplete}" ${more}`,
  reveal
})

/** The field of an existing password. */
export const currentPassword = (state: FormState, name: "password" | "current", texts: FormTexts): Html =>
  field(state, {
    name,
    label: name === "current" ? texts.fields.currentPassword : texts.fields.password,
    ...secret("current-password", texts)
  })

/** The new password and its confirmation: without JavaScript a typed password cannot be revealed. */
export const newPassword = (
  state: FormState,
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
export const remember = ({ values }: FormState<"remember">, { fields }: FormTexts): Html =>
  html`<div class="check">
    <input id="remember" name="remember" type="checkbox" value="1" ${values.remember !== undefined && html`checked`} />
    <label for="remember">${fields.remember}</label>
  </div>`

/** Tells password managers the account. Not submitted. */
export const owner = (email: string): Html =>
  html`<input type="text" autocomplete="username" value="${email}" readonly hidden />`
