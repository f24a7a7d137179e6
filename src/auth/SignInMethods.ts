// The ways in of an account: its password, its passkeys and its identities at other providers. The last one stays.
import { Context, type Effect, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import type { AccountId } from "../session/Identity.ts"
import { AuthTexts, english } from "./AuthTexts.ts"
import type { Methods } from "./internal/WaysIn.ts"

export type { Methods } from "./internal/WaysIn.ts"

/**
 * Nothing else signs in to the account: 409.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { LinkedIdentities, SignInMethods } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * export const disconnect = (user: Identity.AccountId, handle: string) =>
 *   Effect.gen(function* () {
 *     const methods = yield* SignInMethods.SignInMethods
 *     const identities = yield* LinkedIdentities.LinkedIdentities
 *     const isRemoved = yield* methods.remove(user, identities.remove(user, handle))
 *     return isRemoved ? "Disconnected." : "There is no such connection."
 *   }).pipe(Effect.catchTag("LastSignInMethod", (last: SignInMethods.LastSignInMethod) => Effect.succeed(last.message)))
 * ```
 */
export class LastSignInMethod extends Schema.TaggedError<LastSignInMethod>("effect-framework/auth/LastSignInMethod")(
  "LastSignInMethod",
  { error: Schema.optionalWith(Schema.String, { default: () => english.methods.last }) },
  ErrorResponse.declared(409, "Nothing else signs in to the account.")
) {
  override get message() {
    return this.error
  }
  get [ErrorResponse.symbol]() {
    const { error: message } = this
    return ErrorResponse.of(409, { message, translate: ({ texts }) => texts(AuthTexts).methods.last })
  }
}

/** Lists the ways in of accounts, and removes them one by one. */
export class SignInMethods extends Context.Tag("effect-framework/auth/SignInMethods")<
  SignInMethods,
  {
    /** The ways in of the account; `former` are identities at providers that the program no longer has, which are none. */
    readonly list: (user: AccountId) => Effect.Effect<Methods & { readonly former: number }>
    /**
     * Runs a removal in a transaction; fails, and undoes it, when nothing is left to sign in with. Removals of one account
     * wait for each other, so that two at once cannot take the last two.
     */
    readonly remove: <A, E, R>(
      user: AccountId,
      removal: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | LastSignInMethod, R>
  }
>() {}
