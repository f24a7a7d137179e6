// Records what happened to an account, with the client of the current request, and tells the person where that matters.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Entry, type Event, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as SecurityNotice from "../notices/SecurityNotice.ts"

/** The address and the `User-Agent` of the current request. */
export const device = Effect.gen(function* () {
  const { clientAddress } = yield* RequestState
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  return { address: clientAddress, userAgent: headers["user-agent"] ?? "" }
})

interface Options extends Pick<Entry, "actor" | "outcome"> {
  /** Epoch seconds of what the event reports, which may be stored a second before it; now by default. */
  readonly since?: number
}

/**
 * Records an event of the account: `SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" })`. Inside a transaction it
 * is part of it. After a change of the password, a factor, a passkey or the address, a theft, or a sign-in from a new device or location,
 * the person gets an e-mail, if they have proved their address.
 */
export const record = Effect.fnUntraced(function* (user: AccountId, event: Event, { since, ...options }: Options = {}) {
  const events = yield* SecurityEvents
  const from = yield* device
  const id = yield* events.record({ account: user, event, device: from, ...options })
  if (options.outcome === "failure") return
  const now = yield* EpochSeconds.seconds
  yield* SecurityNotice.tell({ account: user, event, id, device: from, since: since ?? now })
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
