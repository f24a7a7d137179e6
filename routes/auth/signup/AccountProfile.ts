// The profile of an account in a program that has profiles.
import { Context, Effect, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import type { Definition } from "../../../src/auth/internal/profile/ProfileDefinition.ts"
import { readOnce, type Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import type { RequestState } from "../../../src/http/internal/RequestState.ts"

/** The row of a profile, and what it means. */
export interface AccountProfile {
  readonly definition: Definition
  readonly row: Row
}

/** Where the program stores profiles; `None` for a program that has none. */
export const store = Effect.serviceOption(Profiles)

/** The profile of an account, read once for each request; `None` for an account or a program without one. */
export const find = (user: AccountId): Effect.Effect<Option.Option<AccountProfile>, never, RequestState> =>
  Effect.contextWithEffect((services: Context.Context<RequestState>) => {
    const profiles = Context.getOption(services, Profiles)
    if (Option.isNone(profiles)) return Effect.succeedNone
    const { definition } = profiles.value
    return Effect.map(
      readOnce(profiles.value, user),
      Option.map((row) => ({ definition, row }))
    )
  })
