// The signed-in user as the layout shows them: read from the session of the request, with the name of the profile.
import { Context, Effect, Option } from "effect"
import { Csrf } from "../../../src/session/Csrf.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import { readOnce } from "../../../src/auth/internal/profile/ProfileRow.ts"
import { Sessions } from "../../../src/session/Session.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { type User } from "../../../src/http/Layout.ts"
import { CurrentUser } from "../../../src/http/internal/CurrentUser.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"

const noStore = Object.entries(NoStore.headers)

const hasSessions = (services: Context.Context<never>): services is Context.Context<SessionCookie.Needs | Csrf> =>
  Option.isSome(Context.getOption(services, Sessions)) && Option.isSome(Context.getOption(services, Csrf))

const read = Effect.fnUntraced(function* (services: Context.Context<SessionCookie.Needs | Csrf>) {
  const session = SessionCookie.of(services)
  const identity = yield* session.identity
  if (Option.isNone(identity)) return undefined
  const { email, id } = identity.value
  const state = Context.get(services, RequestState)
  for (const [name, value] of noStore) state.headers.set(name, value)
  const token = yield* Context.get(services, Csrf).token(session)
  const profiles = Option.getOrUndefined(Context.getOption(services, Profiles))
  // The profile costs a statement, so it is read only where it has a name to show.
  const show = profiles?.definition.shown
  if (profiles === undefined || show === undefined) return { email, token }
  const row = yield* RequestServices.provideService(readOnce(profiles, id), RequestState, state)
  return Option.isNone(row) ? { email, token } : { email, token, ...(yield* show(row.value)) }
})

/** The user of each request of a program with accounts; a guest in a program without. */
export const services: Context.Context<never> = Context.make(CurrentUser, (all): Effect.Effect<User | undefined> =>
  hasSessions(all) ? read(all) : Effect.succeed(undefined)
)
