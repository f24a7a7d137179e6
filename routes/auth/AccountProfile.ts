// The profile of an account in a program that has profiles.
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import type { Definition } from "../../src/auth/ProfileDefinition.ts"
import { readOnce } from "../../src/auth/ProfileRead.ts"
import type { Row } from "../../src/auth/ProfileRow.ts"

/** The row of a profile, and what it means. */
export interface AccountProfile {
  readonly definition: Definition
  readonly row: Row
}

/** The profile of an account, read once for each request; `None` for an account or a program without one. */
export const find = Effect.fnUntraced(function* (user: AccountId) {
  const profiles = yield* Effect.serviceOption(Profiles)
  if (Option.isNone(profiles)) return Option.none<AccountProfile>()
  const { definition } = profiles.value
  return Option.map(yield* readOnce(profiles.value, user), (row): AccountProfile => ({ definition, row }))
})
