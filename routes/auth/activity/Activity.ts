// The page on which a person reads what happened to their account.
import { HttpLayerRouter } from "@effect/platform"
import { Clock, Effect } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Links from "../../../src/pagination/Links.ts"
import * as Texts from "../../http/Texts.ts"
import { requireUser } from "../Access.ts"
import * as AccountActivity from "./AccountActivity.ts"
import { activity as path, home } from "../internal/AuthPaths.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as Page from "../../session/Page.ts"

type Listed = Effect.Effect.Success<typeof AccountActivity.read>

const entry = ({ actor, at, outcome, place, text }: Listed["items"][number], now: number, language: Language): Html => {
  const { activity, lastSeen } = language.texts(AuthTexts)
  return html`<li>
    <div class="long">
      <p>
        <strong>${text}</strong>
        ${outcome === "failure" && html`<span class="badge bad">${activity.failed}</span>`}
      </p>
      <p class="faint">
        ${
          actor === "person"
            ? html`${UserAgent.describe(place.agent, lastSeen)} · ${place.peer !== "" && html`${place.peer} · `}`
            : html`${activity.actors[actor]} · `
        }${LastSeen.time(at, now, language)}
      </p>
    </div>
  </li>`
}

const view = Effect.fnUntraced(function* ({ items, pagination, request }: Listed) {
  const language = yield* Texts.language
  const { activity: texts } = language.texts(AuthTexts)
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
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

const open = AccountActivity.read.pipe(Effect.flatMap(view), Effect.flatMap(Page.render))

/** `GET /account/activity`, for signed-in users. */
export const routes = [HttpLayerRouter.route("GET", path, requireUser(open))]
