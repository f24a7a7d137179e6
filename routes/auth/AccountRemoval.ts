// Deletes an account: the program's hook, its profile and everything that the framework keeps, in one transaction.
import { Data, Effect, Option } from "effect"
import type { AccountId, Identity } from "../../src/auth/Identity.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import type { SecurityEvent } from "../../src/auth/SecurityEvents.ts"
import { Users } from "../../src/auth/Users.ts"
import * as AccountEvents from "./AccountEvents.ts"
import * as SecurityLog from "./SecurityLog.ts"

class NotClaimed extends Data.TaggedError("NotClaimed") {}

/** Deletes the account when the claim, the first step of the transaction, is granted; the account as it was. */
export const removeIf = Effect.fnUntraced(function* <R>(
  user: AccountId,
  claim: Effect.Effect<boolean, never, R>,
  actor: SecurityEvent["actor"]
) {
  const users = yield* Users
  const profiles = yield* Effect.serviceOption(Profiles)
  const hook = yield* AccountEvents.within("deletion")
  const within = (account: Identity) =>
    Effect.gen(function* () {
      if (!(yield* claim)) return yield* new NotClaimed()
      if (hook !== undefined) yield* hook(account)
      if (Option.isSome(profiles)) yield* profiles.value.remove(user)
      yield* SecurityLog.record(user, { _tag: "AccountDeleted" }, { actor })
    })
  return yield* users.remove(user, within).pipe(
    Effect.tap(
      Option.match({ onNone: () => Effect.void, onSome: (account) => AccountEvents.afterwards("deletion", account) })
    ),
    Effect.uninterruptible,
    Effect.catchTag("NotClaimed", () => Effect.succeedNone),
    Effect.catchTag("HookFailed", AccountEvents.refused)
  )
})
