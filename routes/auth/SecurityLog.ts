// Records what happened to an account, with the client of the current request.
import { HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { type Entry, type Event, SecurityEvents } from "../../src/auth/SecurityEvents.ts"
import { Exchange } from "../../src/http/Exchange.ts"

/** The address and the `User-Agent` of the current request; `undefined` outside of one. */
export const place = Effect.gen(function* () {
  const exchange = Option.getOrUndefined(yield* Effect.serviceOption(Exchange))
  const request = Option.getOrUndefined(yield* Effect.serviceOption(HttpServerRequest.HttpServerRequest))
  if (exchange === undefined) return undefined
  return { peer: exchange.clientAddress, agent: request?.headers["user-agent"] ?? "" }
})

/**
 * Records an event of the account: `SecurityLog.record(id, { _tag: "FactorAdded", factor: "totp" })`. Inside a transaction it
 * is part of it. A program without `SecurityEvents` records nothing.
 */
export const record = Effect.fnUntraced(function* (
  account: AccountId,
  event: Event,
  options: Pick<Entry, "actor" | "outcome"> = {}
) {
  const events = yield* Effect.serviceOption(SecurityEvents)
  if (Option.isNone(events)) return
  yield* events.value.record({ account, event, place: yield* place, ...options })
})
