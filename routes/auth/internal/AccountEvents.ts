// Runs the program's hooks around the events of an account.
import type { HttpServerRespondable } from "@effect/platform"
import { Effect } from "effect"
import { AccountHooks, type HookFailed, type Hooks } from "../../../src/auth/internal/AccountHooks.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import type { Enrollment } from "../../../src/auth/Users.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Respondable from "../../errors/internal/Respondable.ts"
import { InvalidForm } from "../../session/FormState.ts"

type Event = keyof Hooks

type Refusal = HttpServerRespondable.Respondable | ErrorResponse.Respondable

/** The hook in the transaction; `undefined` for a program without one. */
export const within = (event: Event) => Effect.map(AccountHooks, (hooks) => hooks[event].inTransaction)

/** Runs the hook once the response to this request has been sent. */
export const afterwards = Effect.fnUntraced(function* (event: Event, user: Identity) {
  const { afterResponse: run } = (yield* AccountHooks)[event]
  if (run === undefined) return
  const afterResponse = yield* AfterResponse
  yield* afterResponse.run(run(user))
})

/** Runs the hook outside of a request, at once. The event has happened, so that a failure has nothing to undo. */
export const atOnce = Effect.fnUntraced(function* (event: Event, user: Identity) {
  const { afterResponse: run } = (yield* AccountHooks)[event]
  if (run === undefined) return
  yield* Effect.catchAllCause(run(user), (cause) => Effect.logError(`The hook after a ${event} failed`, cause))
})

/** What is stored with a new account, and then the hook of the sign-up. */
export const enrollment = <E>(
  given: Enrollment<E>,
  identityOf: (user: AccountId) => Identity
): Effect.Effect<Enrollment<E | HookFailed>> =>
  Effect.map(within("signUp"), (hook): Enrollment<E | HookFailed> => {
    if (hook === undefined) return given
    const { within: store = () => Effect.void } = given
    return { ...given, within: (user) => Effect.zipRight(store(user), hook(identityOf(user))) }
  })

/** A form that a hook refused, to be rendered again. */
export const refusedForm = (failed: HookFailed): Effect.Effect<never, InvalidForm | HookFailed> =>
  failed.failure instanceof InvalidForm ? Effect.fail(failed.failure) : Effect.fail(failed)

/** The failure of a hook as the failure of the route. */
export const refused = ({ failure }: HookFailed): Effect.Effect<never, Refusal> =>
  ErrorResponse.isRespondable(failure) || Respondable.isRespondable(failure)
    ? Effect.fail(failure)
    : Effect.die(failure)
