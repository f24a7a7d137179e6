// The table of accounts: the framework's own, or one that the program already has.

/** The type of an id. In the program it is a text, whatever it is in the table. */
export type KeyType = "text" | "uuid" | "integer"

/** How the time of the confirmation is stored; a boolean stores only that there was one. */
export type VerifiedType = "seconds" | "timestamp" | "boolean"

/** A value of a new row. A `Date` is stored in UTC, in SQLite as ISO 8601 text. */
export type Value = string | number | boolean | Date | null

/** A new account, for the columns that only the program knows. */
export interface NewAccount {
  readonly email: string
  readonly now: Date
}

/**
 * An existing table of accounts.
 *
 * @example
 * ```ts
 * import { Tables } from "effect-framework/layers/database"
 *
 * const users: Tables.OwnUsers = {
 *   table: "customers",
 *   key: { column: "number", type: "integer" },
 *   secret: "password_hash",
 *   verified: { column: "confirmed", type: "boolean" },
 *   values: ({ email }) => ({ name: email })
 * }
 *
 * export const tables = Tables.make({ users })
 * ```
 */
export interface OwnUsers {
  /** Its name, with its schema when it is not on the search path: `accounts` or `crm.accounts`. */
  readonly table: string
  /** The column of ids: `id`, a text made by the framework. `generated: "database"` leaves it to the column's default. */
  readonly key?: {
    readonly column?: string
    readonly type?: KeyType
    readonly generated?: "framework" | "database"
  }
  /** The column of e-mail addresses, lower case or `citext`, with a unique index: `email`. */
  readonly identifier?: string
  /** The column of password hashes: `password`. */
  readonly secret?: string
  /** The column that is set when the address is confirmed: `email_verified_at`, epoch seconds. */
  readonly verified?: { readonly column?: string; readonly type?: VerifiedType }
  /** The column of the time of the sign-up. Without it none is written. */
  readonly created?: { readonly column: string; readonly type?: "seconds" | "timestamp" }
  /** Further columns of a new account, for those that are `NOT NULL` without a default. */
  readonly values?: (user: NewAccount) => Readonly<Record<string, Value>>
  /** The program's profile, when its fields are columns of this table and not of one of their own. */
  readonly profile?: { readonly definition: { readonly columns: ReadonlyArray<{ readonly name: string }> } }
}

/** The table and its columns, complete. */
export interface UsersTable {
  readonly owner: "framework" | "program"
  readonly table: string
  readonly key: Required<NonNullable<OwnUsers["key"]>>
  readonly identifier: string
  readonly secret: string
  readonly verified: Required<NonNullable<OwnUsers["verified"]>>
  readonly created: Required<NonNullable<OwnUsers["created"]>> | undefined
  readonly values: NonNullable<OwnUsers["values"]>
  /** The columns that a profile fills. */
  readonly profile: ReadonlyArray<string>
}

/** The table that the migrations create. */
export const accounts: UsersTable = {
  owner: "framework",
  table: "users",
  key: { column: "id", type: "text", generated: "framework" },
  identifier: "email",
  secret: "password",
  verified: { column: "email_verified_at", type: "seconds" },
  created: { column: "created_at", type: "seconds" },
  values: () => ({}),
  profile: []
}

/** The program's table, with the defaults for what it does not say. Only the database counts integers. */
export const ownUsers = ({
  created,
  identifier,
  key,
  profile,
  secret,
  table,
  values,
  verified
}: OwnUsers): UsersTable => ({
  owner: "program",
  table,
  key: { ...accounts.key, ...(key?.type === "integer" ? { generated: "database" } : {}), ...key },
  identifier: identifier ?? accounts.identifier,
  secret: secret ?? accounts.secret,
  verified: { ...accounts.verified, ...verified },
  created: created === undefined ? undefined : { type: "seconds", ...created },
  values: values ?? accounts.values,
  profile: profile?.definition.columns.map(({ name }) => name) ?? accounts.profile
})
