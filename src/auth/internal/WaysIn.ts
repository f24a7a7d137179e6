// What an account can sign in with: its password, its passkeys and its identities.
import { Schema } from "effect"

/**
 * Whether an account has a password. `locked` is one that "This was not me" has disabled until a reset; `none` is an account
 * that signs in by other means.
 */
export const PasswordState = Schema.Literal("set", "locked", "none")

export type PasswordState = typeof PasswordState.Type

/** What an account can sign in with. */
export const Methods = Schema.Struct({
  /** A locked password is no way in until it is reset. */
  password: PasswordState,
  /** How many passkeys. */
  passkeys: Schema.Int,
  /** How many identities at the providers of the program: one at a provider that it no longer has is no way in. */
  identities: Schema.Int
})

export type Methods = typeof Methods.Type

/** Whether anything signs in to the account. */
export const canSignIn = ({ identities, passkeys, password }: Methods): boolean =>
  password === "set" || passkeys + identities > 0
