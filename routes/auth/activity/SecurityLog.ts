// Records what happened to an account, with the client of the current request, and tells the person where that matters.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Entry, type Event, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as SecurityMail from "../notices/SecurityMail.ts"

/** The address and the `User-Agent` of the current request. */
export const place = Effect.gen(function* () {
  const { clientAddress } = yield* RequestState
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return { peer: clientAddress, agent: headers["user-agent"] ?? "" }
})

interface Options extends Pick<Entry, "actor" | "outcome"> {
  /** Where the message goes, if not to the address of the account: the old address after `EmailChanged`. */
  readonly to?: string | undefined
}

/**
 * Records an event of the account: `SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" })`. Inside a transaction it
 * is part of it. After a change of the password, a factor, a passkey or the address, a theft, or a sign-in from a new place,
 * the person gets an e-mail.
 */
export const record = Effect.fnUntraced(function* (account: AccountId, event: Event, { to, ...options }: Options = {}) {
  const events = yield* SecurityEvents
  const from = yield* place
  const id = yield* events.record({ account, event, place: from, ...options })
  if (options.outcome !== "failure") yield* SecurityMail.afterwards({ account, event, id, place: from, to })
})

/** What it takes to record an event, and to tell the person about it. */
export type Needs = Effect.Effect.Context<ReturnType<typeof record>>

/** Records, once the response is sent, an event of the account that `find` returns: timing does not reveal whether there is one. */
export const recordLater = Effect.fnUntraced(function* <R>(
  find: Effect.Effect<Option.Option<{ readonly id: AccountId }>, never, R>,
  event: Event
) {
  const afterResponse = yield* AfterResponse
  const work = Effect.flatMap(find, (found) => (Option.isSome(found) ? record(found.value.id, event) : Effect.void))
  yield* afterResponse.run(work)
})
