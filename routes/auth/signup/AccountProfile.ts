// The profile of an account in a program that has profiles: its row, its fields in the sign-up form, and its card.
import { Context, Effect, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import type { Definition, Field } from "../../../src/auth/internal/profile/ProfileDefinition.ts"
import { readOnce, type Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import type { RequestState } from "../../../src/http/internal/RequestState.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Language } from "../../../src/http/Languages.ts"
import type { FormState } from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

/** The row of a profile, and what it means. */
export interface AccountProfile {
  readonly definition: Definition
  readonly row: Row
}

/** Where the program stores profiles; `None` for a program that has none. */
export const store = Effect.serviceOption(Profiles)

/** The profile of an account, read once for each request; `None` for an account or a program without one. */
export const find = (user: AccountId): Effect.Effect<Option.Option<AccountProfile>, never, RequestState> =>
  RequestServices.use((services: Context.Context<RequestState>) => {
    const profiles = Context.getOption(services, Profiles)
    if (Option.isNone(profiles)) return Effect.succeedNone
    const { definition } = profiles.value
    return Effect.map(
      readOnce(profiles.value, user),
      Option.map((row) => ({ definition, row }))
    )
  })

const optionsOf = (options: Readonly<Record<string, string>>, chosen: string | undefined): Html =>
  html`${Object.entries(options).map(
    ([value, text]) => html`<option value="${value}" ${value === chosen && html`selected`}>${text}</option>`
  )}`

const attributesOf = ({ autocomplete = "off", options, type = "text" }: Field, value: string | undefined): Html =>
  options === undefined
    ? html`type="${type}" autocomplete="${autocomplete}" value="${value}"`
    : html`autocomplete="${autocomplete}"`

/** The inputs of the sign-up form, with the values that were sent before. */
export const inputs = ({ fields, signUp }: Definition, state: FormState, language: Language): ReadonlyArray<Html> => {
  const shown = fields(language)
  return signUp.map(({ isOptional, name }) => {
    const field = shown[name] ?? { label: name }
    const value = state.values[name]
    return FormView.field(state, {
      name,
      label: field.label,
      hint: field.hint,
      isOptional,
      attributes: attributesOf(field, value),
      ...(field.options !== undefined && {
        options: html`${isOptional && html`<option value=""></option>`}${optionsOf(field.options, value)}`
      })
    })
  })
}

/** The labelled values; nothing for a profile without labels or without values. */
export const card = (
  { columns, fields }: Definition,
  row: Row,
  title: string,
  language: Language
): Html | undefined => {
  const shown = fields(language)
  const entries = columns.flatMap(({ name }) => {
    const field = shown[name]
    const value = row[name]
    if (field === undefined || value === undefined || value === null) return []
    return [html`<dt>${field.label}</dt><dd class="long">${field.options?.[String(value)] ?? String(value)}</dd>`]
  })
  if (entries.length === 0) return undefined
  return html`<section class="card" aria-labelledby="profile">
    <h2 id="profile">${title}</h2>
    <dl>${entries}</dl>
  </section>`
}
