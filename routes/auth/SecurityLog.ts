// Records what happened to an account, with the client of the current request, and tells the person where that matters.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Scope } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { type Entry, type Event, SecurityEvents } from "../../src/auth/SecurityEvents.ts"
import { AfterResponse } from "../../src/http/AfterResponse.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as SecurityMail from "./SecurityMail.ts"

/** The address and the `User-Agent` of the current request; `undefined` outside of one. */
export const place = Effect.gen(function* () {
  const exchange = Option.getOrUndefined(yield* Effect.serviceOption(Exchange))
  const request = Option.getOrUndefined(yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest))
  if (exchange === undefined) return undefined
  return { peer: exchange.clientAddress, agent: request?.headers["user-agent"] ?? "" }
})

interface Options extends Pick<Entry, "actor" | "outcome"> {
  /** Where the message goes, if not to the address of the account: the old address after `EmailChanged`. */
  readonly to?: string | undefined
}

/**
 * Records an event of the account: `SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" })`. Inside a transaction it
 * is part of it. After a change of the password, a factor, a passkey or the address, a theft, or a sign-in from a new place,
 * the person gets an e-mail. A program without `SecurityEvents` records nothing.
 */
export const record = Effect.fnUntraced(function* (account: AccountId, event: Event, { to, ...options }: Options = {}) {
  const events = yield* Effect.serviceOption(SecurityEvents)
  if (Option.isNone(events)) return
  const from = yield* place
  const id = yield* events.value.record({ account, event, place: from, ...options })
  if (options.outcome !== "failure") yield* SecurityMail.afterwards({ account, event, id, place: from, to })
})

/** Records, once the response is sent, an event of the account that `find` returns: timing does not reveal whether there is one. */
export const recordLater = Effect.fnUntraced(function* <R>(
  find: Effect.Effect<Option.Option<{ readonly id: AccountId }>, never, R>,
  event: Event
) {
  const request = Option.all([
    yield* Effect.serviceOption(AfterResponse),
    yield* Effect.serviceOption(Exchange),
    yield* Effect.serviceOption(Scope.Scope)
  ])
  if (Option.isNone(request)) return
  const [afterResponse, exchange, scope] = request.value
  const work = Effect.flatMap(find, (found) => (Option.isSome(found) ? record(found.value.id, event) : Effect.void))
  yield* afterResponse
    .run(work)
    .pipe(Effect.provideService(Exchange, exchange), Effect.provideService(Scope.Scope, scope))
})
