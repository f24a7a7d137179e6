// Deletes accounts: at once, or when the day has come that their owner asked for.
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import * as AccountRemoval from "./deletion/AccountRemoval.ts"

export { layer } from "./deletion/DueAccounts.ts"

/**
 * Deletes an account with its profile, sessions, tokens and trusted devices; `false` when there is no such account. The
 * hooks run as in `SqlAccountHooks.layer`: outside of a request, the one after the response runs before this returns.
 */
export const remove = Effect.fn("AccountDeletion.remove")(function* (user: AccountId) {
  const isRequest = Option.isSome(yield* AccountRemoval.currentRequest)
  return Option.isSome(yield* AccountRemoval.removeIf(user, Effect.succeed(true), isRequest ? "person" : "operator"))
})
