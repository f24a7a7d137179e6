// Who someone is: the account behind a request, and the way a guarded handler is told.
import { Context, Schema } from "effect"

/** The id of an account: a UUID, branded so that no other text is taken for one. */
export const AccountId = Schema.String.pipe(Schema.brand("AccountId"))

export type AccountId = typeof AccountId.Type

/** An account as others may see it: never its password. */
export const Identity = Schema.Struct({
  id: AccountId,
  email: Schema.String,
  verified: Schema.Boolean
})

export type Identity = typeof Identity.Type

/** The account that a guard let in. Only a guard provides it, so a handler that asks for it cannot stand unguarded. */
export class CurrentIdentity extends Context.Tag("effect-framework/auth/CurrentIdentity")<
  CurrentIdentity,
  Identity
>() {}
