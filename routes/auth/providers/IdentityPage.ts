// The page on which a person connects and disconnects identities at providers, and the buttons by which they confirm.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import type { LinkedIdentity } from "../../../src/auth/LinkedIdentities.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as Page from "../../session/Page.ts"
import { requireConfirmation, requireUser } from "../Access.ts"
import { confirm, home, identities as paths, providerConfirm } from "../internal/AuthPaths.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as ListPage from "../internal/ListPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as AccountIdentities from "./AccountIdentities.ts"
import * as ProviderButtons from "./ProviderButtons.ts"
import * as ProviderFlow from "./ProviderFlow.ts"

const row = (provider: string, { created, handle, label, lastUsed }: LinkedIdentity, parts: ListPage.Parts): Html => {
  const { identities } = parts.texts.providers
  const used =
    lastUsed === undefined
      ? identities.neverUsed
      : html`${identities.lastUsed} ${LastSeen.time(lastUsed, parts.now, parts.language)}`
  return html`<li>
    <div class="long">
      <p><strong>${provider}</strong> ${label}</p>
      <p class="faint">${identities.created} ${LastSeen.time(created, parts.now, parts.language)} · ${used}</p>
    </div>
    ${FormView.rowForm({ action: paths.remove, token: parts.token, handle, button: identities.remove, name: `${provider} ${label}` })}
  </li>`
}

const view = Effect.gen(function* () {
  const parts = yield* ListPage.parts
  const { password, providers } = parts.texts
  const { identities } = providers
  const rows = yield* Effect.forEach(yield* AccountIdentities.list, (one) =>
    Effect.map(AccountIdentities.nameOf(one), (name) => row(name, one, parts))
  )
  const buttons = yield* ProviderButtons.view(yield* ProviderButtons.offered, {
    token: parts.token,
    action: (id) => paths.link.replace(":provider", id),
    label: identities.add
  })
  return {
    title: identities.title,
    width: "wide" as const,
    main: html`<h1>${identities.title}</h1>
      <p class="lead">${identities.lead}</p>
      <div class="grid two">
        ${ListPage.card("identities", identities, rows)}
        ${
          buttons !== undefined &&
          html`<section class="card" aria-labelledby="new">
            <h2 id="new">${identities.link}</h2>
            ${buttons}
          </section>`
        }
      </div>
      <p class="below"><a href="${home}">${password.back}</a></p>`
  }
})

const limited = RateLimit.middleware(AuthRateLimits.rules.provider)

const link = limited(
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    return yield* ProviderFlow.beginFrom(paths.list, { purpose: "link", account: id })
  })
)

// An unknown handle gets the same response as a removed one.
const remove = Effect.zipRight(
  AccountIdentities.remove,
  PageTexts.redirect(paths.list, ({ providers }) => providers.identities.removed)
).pipe(
  Effect.catchTag("LastSignInMethod", () =>
    PageTexts.withTexts(({ methods }) => StoredFlash.redirect(paths.list, Flash.error(methods.last)))
  )
)

const confirmWith = limited(
  Effect.gen(function* () {
    const { id } = yield* CurrentIdentity
    return yield* ProviderFlow.beginFrom(confirm, { purpose: "confirm", account: id })
  })
)

/** The buttons of the providers by which the signed-in account can confirm; nothing where it has no such identity. */
export const confirmButtons = Effect.fnUntraced(function* (token: string, or: string, label: (name: string) => string) {
  const { id: user } = yield* CurrentIdentity
  return yield* ProviderButtons.view(yield* AccountIdentities.confirming(user), {
    token,
    action: (id) => providerConfirm.replace(":provider", id),
    label,
    or
  })
})

/** The page and its forms, after a confirmation, and the confirmation by a provider, for signed-in users. */
export const routes = [
  HttpLayerRouter.route("GET", paths.list, requireConfirmation(Effect.flatMap(view, Page.render))),
  HttpLayerRouter.route("POST", paths.link, requireConfirmation(link)),
  HttpLayerRouter.route("POST", paths.remove, requireConfirmation(remove)),
  HttpLayerRouter.route("POST", providerConfirm, requireUser(confirmWith))
]
