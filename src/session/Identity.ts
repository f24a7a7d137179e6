// The account behind a request, and the tag by which a guarded handler reads it.
import { Context, Schema } from "effect"

/** The id of an account: a UUID, or the key of the program's own table as text. Branded, so that no other text is mistaken for one. */
export const AccountId = Schema.String.pipe(Schema.brand("AccountId"))

export type AccountId = typeof AccountId.Type

/** An account without its credentials. */
export const Identity = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  verified: Schema.Boolean
})

export interface Identity extends Schema.Schema.Type<typeof Identity> {}

/**
 * The signed-in account. Only a guard provides it, so a handler that reads it cannot be mounted without one.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Identity } from "effect-framework/session"
 *
 * // Inside a guard such as `Access.requireUser`.
 * export const greeting = Effect.map(Identity.CurrentIdentity, ({ email }) => `Hello, ${email}`)
 * ```
 */
export class CurrentIdentity extends Context.Tag("effect-framework/session/CurrentIdentity")<
  CurrentIdentity,
  Identity
>() {}
