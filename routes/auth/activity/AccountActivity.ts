// What happened to the signed-in account, for the page and for the API: newest first, by cursor.
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { ActivityTexts } from "../../../src/auth/internal/ActivityTexts.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Event, type SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as Links from "../../../src/pagination/Links.ts"
import * as ListQuery from "../../pagination/internal/ListQuery.ts"
import * as Texts from "../../http/Texts.ts"

const limit = 20

/** The sentence of an event. */
export const sentence = (event: Event, { ended, events }: ActivityTexts): string => {
  if (event._tag === "SessionsEnded") return ended[event.which]
  // A boundary of the type system: the function of a name takes the event of that name.
  const say = events[event._tag] as (event: Event) => string
  return say(event)
}

const shown = (event: SecurityEvent, texts: ActivityTexts) => ({ ...event, text: sentence(event, texts) })

/** The part that the URL asks for, each event with its sentence. */
export const read = Effect.gen(function* () {
  const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
  const { id } = yield* CurrentIdentity
  const events = yield* SecurityEvents
  const parsed = Links.parse(originalUrl)
  const request = { ...parsed, cursor: parsed.cursor ?? "" }
  const { items, pagination } = yield* events.list(id, { pagination: yield* ListQuery.read(request, { limit }) })
  const { activity } = yield* Texts.of(AuthTexts)
  return { request, items: items.map((event) => shown(event, activity)), pagination }
})
