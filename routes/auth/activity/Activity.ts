// What happened to the signed-in account, newest first, by cursor: its endpoint in the group of accounts, and its page.
import { HttpApiEndpoint, HttpLayerRouter, HttpServerRequest, OpenApi } from "@effect/platform"
import { Effect, Schema } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Links from "../../../src/pagination/Links.ts"
import * as Texts from "../../http/Texts.ts"
import { requireUser } from "../Access.ts"
import { activity as path, home } from "../internal/AuthPaths.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as Page from "../../session/Page.ts"
import type { ActivityTexts } from "../../../src/auth/internal/ActivityTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Event, SecurityEvent, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as PageParameters from "../../pagination/internal/PageParameters.ts"
import { InvalidCursor } from "../../../src/pagination/Cursor.ts"
import * as ListBody from "../../../src/pagination/ListBody.ts"
import { InvalidPagination } from "../../../src/pagination/Pagination.ts"
import { ApiAuthentication } from "../ApiAuthentication.ts"

const Shown = Schema.extend(
  SecurityEvent,
  Schema.Struct({ text: Schema.String.annotations({ description: "A sentence in the language of the request." }) })
)

const Limit = Schema.NumberFromString.annotations({
  jsonSchema: { type: "integer", minimum: 1, description: "How many; 20 unless stated." }
})

export const endpoint = HttpApiEndpoint.get("activity", "/activity")
  .setUrlParams(Schema.Struct({ cursor: Schema.optional(Schema.String), limit: Schema.optional(Limit) }))
  .addSuccess(ListBody.CursorPage(Shown))
  .addError(InvalidCursor, { status: 400 })
  .addError(InvalidPagination, { status: 400 })
  .middleware(ApiAuthentication)
  .annotate(OpenApi.Summary, "List what happened to the account, the newest first")

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
  const { items, pagination } = yield* events.list(id, { pagination: yield* PageParameters.decode(request, { limit }) })
  const { activity } = yield* Texts.of(AuthTexts)
  return { request, items: items.map((event) => shown(event, activity)), pagination }
})

type Listed = Effect.Effect.Success<typeof read>

const entry = (
  { actor, at, outcome, device, text }: Listed["items"][number],
  now: number,
  language: Language
): Html => {
  const { activity, lastSeen } = language.texts(AuthTexts)
  return html`<li>
    <div class="long">
      <p>
        <strong>${text}</strong>
        ${outcome === "failure" && html`<span class="badge error">${activity.failed}</span>`}
      </p>
      <p class="faint">
        ${
          actor === "person"
            ? html`${UserAgent.describe(device.userAgent, lastSeen)} · ${device.address !== "" && html`${device.address} · `}`
            : html`${activity.actors[actor]} · `
        }${LastSeen.time(at, now, language)}
      </p>
    </div>
  </li>`
}

const view = Effect.fnUntraced(function* ({ items, pagination, request }: Listed) {
  const language = yield* Texts.language
  const { activity: texts } = language.texts(AuthTexts)
  const now = yield* EpochSeconds.seconds
  const { next } = Links.adjacent(request, pagination)
  return {
    title: texts.title,
    width: "wide" as const,
    main: html`<h1>${texts.title}</h1>
      <p class="faint">${texts.lead}</p>
      ${
        items.length === 0
          ? html`<p class="notice plain">${texts.none}</p>`
          : html`<div class="card">
              <ul class="list">
                ${items.map((one) => entry(one, now, language))}
              </ul>
            </div>`
      }
      <p class="row spread">
        ${next !== undefined && html`<a class="button quiet" rel="next" href="${next}">${texts.older}</a>`}
        ${request.cursor !== "" && html`<a href="${path}">${texts.newest}</a>`}
        <a href="${home}">${texts.back}</a>
      </p>`
  }
})

const open = read.pipe(Effect.flatMap(view), Effect.flatMap(Page.render))

/** `GET /account/activity`, for signed-in users. */
export const routes = [HttpLayerRouter.route("GET", path, requireUser(open))]
