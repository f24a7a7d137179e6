// Deletes an account: the program's hook, its profile and everything that the framework keeps, in one transaction.
import { Effect, Option } from "effect"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import { Users } from "../../src/auth/Users.ts"
import * as AccountEvents from "./AccountEvents.ts"

/**
 * Deletes an account with its profile, sessions, tokens and trusted devices; `false` when there is no such account. The
 * hooks run as in `SqlAccountHooks.layer`: outside of a request, the one after the response runs before this returns.
 */
export const remove = Effect.fn("AccountDeletion.remove")(function* (user: AccountId) {
  const users = yield* Users
  const profiles = yield* Effect.serviceOption(Profiles)
  const hook = yield* AccountEvents.within("deletion")
  const within = (account: Identity) =>
    Effect.zipRight(
      hook?.(account) ?? Effect.void,
      Option.match(profiles, { onNone: () => Effect.void, onSome: (store) => store.remove(user) })
    )
  const removed = yield* users
    .remove(user, within)
    .pipe(
      Effect.tap(
        Option.match({ onNone: () => Effect.void, onSome: (account) => AccountEvents.afterwards("deletion", account) })
      ),
      Effect.uninterruptible,
      Effect.catchTag("HookFailed", AccountEvents.refused)
    )
  return Option.isSome(removed)
})
