// Deletes an account: the program's hook, its profile and everything that the framework keeps, in one transaction.
import { HttpServerRequest } from "@effect/platform"
import { Context, Data, Effect, Option, Scope } from "effect"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

class NotClaimed extends Data.TaggedError("NotClaimed") {}

type Request = AfterResponse | RequestState | HttpServerRequest.HttpServerRequest | Scope.Scope

/** The request that this runs in; `None` in a command and in a worker, which delete accounts as well. */
export const currentRequest: Effect.Effect<Option.Option<Context.Context<Request>>> = Effect.gen(function* () {
  const found = Option.all([
    yield* Effect.serviceOption(AfterResponse),
    yield* Effect.serviceOption(RequestState),
    yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest),
    yield* Effect.serviceOption(Scope.Scope)
  ])
  return Option.map(found, ([afterResponse, state, request, scope]) =>
    Context.make(AfterResponse, afterResponse).pipe(
      Context.add(RequestState, state),
      Context.add(HttpServerRequest.HttpServerRequest, request),
      Context.add(Scope.Scope, scope)
    )
  )
})

/** Deletes the account when the claim, the first step of the transaction, is granted; the account as it was. */
export const removeIf = Effect.fnUntraced(function* <R>(
  user: AccountId,
  claim: Effect.Effect<boolean, never, R>,
  actor: SecurityEvent["actor"]
) {
  const users = yield* Users
  const events = yield* SecurityEvents
  const profiles = yield* AccountProfile.store
  const hook = yield* AccountEvents.within("deletion")
  const request = yield* currentRequest
  const device = Option.isNone(request) ? undefined : yield* Effect.provide(SecurityLog.device, request.value)
  const within = (identity: Identity) =>
    Effect.gen(function* () {
      if (!(yield* claim)) return yield* new NotClaimed()
      if (hook !== undefined) yield* hook(identity)
      if (Option.isSome(profiles)) yield* profiles.value.remove(user)
      yield* events.record({ account: user, event: { _tag: "AccountDeleted" }, device, actor })
    })
  const afterwards = (identity: Identity) =>
    Option.match(request, {
      onNone: () => AccountEvents.atOnce("deletion", identity),
      onSome: (services) => Effect.provide(AccountEvents.afterwards("deletion", identity), services)
    })
  return yield* users.remove(user, within).pipe(
    Effect.tap(Option.match({ onNone: () => Effect.void, onSome: afterwards })),
    Effect.uninterruptible,
    Effect.catchTag("NotClaimed", () => Effect.succeedNone),
    Effect.catchTag("HookFailed", AccountEvents.refused)
  )
})
