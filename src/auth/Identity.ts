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

/** A new id (UUID version 7): ids of later accounts sort after those of earlier ones. Takes ten random bytes. */
export const accountId = (millis: number, random: Uint8Array): AccountId => {
  const byte = (index: number) => (random[index] ?? 0).toString(16).padStart(2, "0")
  const time = Math.floor(millis).toString(16).padStart(12, "0")
  const version = `7${byte(0).slice(1)}${byte(1)}`
  const variant = `${((parseInt(byte(2), 16) & 0x3f) | 0x80).toString(16)}${byte(3)}`
  const rest = [4, 5, 6, 7, 8, 9].map(byte).join("")
  return AccountId.make(`${time.slice(0, 8)}-${time.slice(8)}-${version}-${variant}-${rest}`)
}
