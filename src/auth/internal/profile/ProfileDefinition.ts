// A profile as the framework's own pages and stores see it: columns and labels, without the type of the program.
import { type Effect, Schema } from "effect"
import * as StartupLine from "../../../config/internal/StartupLine.ts"
import type { Language } from "../../../http/Languages.ts"
import type * as ProfileRow from "./ProfileRow.ts"

/** The values of the fields, by name. */
export type Values = Readonly<Record<string, unknown>>

/**
 * How a field is shown in the sign-up form and on the account page.
 *
 * @example
 * ```ts
 * import type { Profile } from "effect-framework/auth"
 *
 * export const phone: Profile.Field = { label: "Phone", hint: "For questions about a booking", type: "tel" }
 * ```
 */
export interface Field {
  readonly label: string
  readonly hint?: string
  /** Beside the field when the schema refuses it, in place of the schema's own message, which has one language. */
  readonly error?: string
  /** The type of the input; `text` by default. */
  readonly type?: "text" | "email" | "tel" | "url" | "number" | "date"
  /** What a browser may fill in, such as `name`. */
  readonly autocomplete?: string
  /** The values that can be chosen, with their texts. */
  readonly options?: Readonly<Record<string, string>>
}

export type Fields = Readonly<Record<string, Field | undefined>>

/** What the framework knows of a profile. */
export interface Definition {
  /** The sign-up form; no other field of a request is read. */
  readonly form: Schema.Schema<Values, Values>
  readonly signUp: ReadonlyArray<ProfileRow.Column>
  /** The columns of the whole profile: those of the sign-up, then those that only the program sets. */
  readonly columns: ReadonlyArray<ProfileRow.Column>
  readonly fields: (language: Language) => Fields
  /** The row of a new account, with the defaults of what a visitor cannot choose. */
  readonly initial: (signUp: Values) => Effect.Effect<ProfileRow.Row>
  /** The row of these values; a defect when they do not fit the schema. */
  readonly encode: (values: Values) => Effect.Effect<ProfileRow.Row>
  /** What the layout shows; `undefined` for a profile that names nobody. */
  readonly shown?: (row: ProfileRow.Row) => Effect.Effect<{ readonly name: string; readonly profile: unknown }>
}

// Fields of the forms and of the JSON responses of authentication.
const reserved: ReadonlySet<string> = new Set([
  "id",
  "email",
  "verified",
  "password",
  "password_confirmation",
  "current",
  "remember",
  "_token"
])

// A mistake in the program, with the heading of `docs/troubleshooting.md` that says what to do.
const refused = (reason: string, cause?: unknown): RangeError =>
  new RangeError(StartupLine.guided(reason, "a-name-that-is-refused"), cause === undefined ? {} : { cause })

/** Checks the names of the fields: they are names of inputs and of columns. */
export const checkNames = (names: ReadonlyArray<string>): void => {
  const taken = names.find((name) => reserved.has(name))
  if (taken !== undefined) throw refused(`A profile cannot have a field named ${taken}: sign-up has its own`)
  const odd = names.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (odd !== undefined) {
    throw refused(`A field of a profile has letters, digits and underscores only: ${JSON.stringify(odd)}`)
  }
}

/** The values of what a visitor cannot choose, in a new account. */
export const defaultsOf = <B, J>(stored: Schema.Schema<B, J>): B => {
  try {
    return Schema.decodeUnknownSync(stored)({})
  } catch (cause) {
    throw refused("Every stored field of a profile needs a default: Schema.optionalWith(…, { default })", cause)
  }
}
