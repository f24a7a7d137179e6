// The account page: the e-mail and whether it is verified, the sessions and the trusted devices.
import { HttpLayerRouter } from "@effect/platform"
import { Clock, Context, Effect, Option } from "effect"
import { OfferedScopes } from "../../../src/auth/ApiScopes.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import type { Csrf } from "../../../src/session/Csrf.ts"
import { CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import type { SessionInfo } from "../../../src/session/Session.ts"
import type { Device } from "../../../src/auth/Trust.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as CsrfCheck from "../../session/CsrfCheck.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import { languageOf } from "../../http/internal/RequestTexts.ts"
import type * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { requireUser } from "../Access.ts"
import * as AccountCards from "./AccountCards.ts"
import * as AccountProfile from "../signup/AccountProfile.ts"
import * as AccountSessions from "./AccountSessions.ts"
import type { Current } from "./AccountSessions.ts"
import {
  activity as activityPath,
  factors,
  home,
  passkeys as passkeysPath,
  signOut,
  tokens as tokensPath
} from "../internal/AuthPaths.ts"
import { tokenField } from "../../session/internal/FormView.ts"
import * as Respond from "../../session/Respond.ts"
import * as LastSeen from "../internal/LastSeen.ts"

interface Account {
  readonly identity: Identity
  readonly profile: Option.Option<AccountProfile.AccountProfile>
  readonly sessions: ReadonlyArray<SessionInfo & Current>
  readonly devices: ReadonlyArray<Device & Current>
}

const load = Effect.gen(function* () {
  const identity = yield* CurrentIdentity
  const sessions = yield* AccountSessions.sessions
  const devices = yield* AccountSessions.devices
  return { identity, profile: yield* AccountProfile.find(identity.id), sessions, devices } satisfies Account
})

const action = (path: string, field: Html, inner: Html): Html =>
  html`<form method="post" action="${path}">${field} ${inner}</form>`

/** What every part of the page needs. */
interface Parts {
  readonly texts: (typeof AuthTexts.Service)["account"]
  readonly language: Language
  /** The token of every form. */
  readonly field: Html
  readonly now: number
}

const address = ({ email, verified }: Identity, { field, texts }: Parts, change: Html | undefined): Html =>
  html`<section class="card" aria-labelledby="address">
    <h2 id="address">${texts.email}</h2>
    <p class="row spread">
      <span class="long">${email}</span>
      ${
        verified
          ? html`<span class="badge success">${texts.verified}</span>`
          : html`<span class="badge error">${texts.unverified}</span>`
      }
    </p>
    ${!verified && html`<p class="faint">${texts.confirm}</p>`}
    <div class="row">
      ${!verified && action("/verify", field, html`<button class="quiet" type="submit">${texts.resend}</button>`)}
      ${change}
    </div>
  </section>`

const password = AccountCards.linkTo("secret", "/password", ({ account }) => ({
  title: account.password,
  lead: account.passwordLead,
  button: account.changePassword
}))

const secondFactor = AccountCards.linkTo("factor", factors.list, ({ factors: { lead, manage, title } }) => ({
  title,
  lead,
  button: manage
}))

const passkeyCard = AccountCards.linkTo("passkeys", passkeysPath, ({ passkeys: { manage, summary, title } }) => ({
  title,
  lead: summary,
  button: manage
}))

const programs = AccountCards.linkTo("programs", tokensPath, ({ tokens: { lead, manage, title } }) => ({
  title,
  lead,
  button: manage
}))

const events = AccountCards.linkTo("activity", activityPath, ({ activity: { lead, open, title } }) => ({
  title,
  lead,
  button: open
}))

const sessionRow = (
  { created, current, handle, lastSeen, device }: SessionInfo & Current,
  { field, language, now, texts }: Parts
): Html =>
  html`<li>
    ${LastSeen.view({ device, created, last: lastSeen, now, own: current }, "signedIn", language)}
    ${
      !current &&
      action(
        signOut.session,
        field,
        html`<input type="hidden" name="handle" value="${handle}" />
          <button class="quiet small" type="submit">${texts.signOut} ${LastSeen.screenReaderLabel(device, language)}</button>`
      )
    }
  </li>`

const deviceRow = (
  { created, current, lastUsed, device, selector }: Device & Current,
  { field, language, now, texts }: Parts
): Html =>
  html`<li>
    ${LastSeen.view({ device, created, last: lastUsed, now, own: current }, "trusted", language)}
    ${action(
      signOut.device,
      field,
      html`<input type="hidden" name="selector" value="${selector}" />
        <button class="quiet small" type="submit">${texts.forget} ${LastSeen.screenReaderLabel(device, language)}</button>`
    )}
  </li>`

const places = ({ devices, sessions }: Account, parts: Parts): Html => {
  const { field, texts } = parts
  return html`<section class="card" aria-labelledby="sessions">
      <h2 id="sessions">${texts.sessions}</h2>
      <ul class="list">
        ${sessions.map((one) => sessionRow(one, parts))}
      </ul>
    </section>
    ${
      devices.length > 0 &&
      html`<section class="card" aria-labelledby="devices">
        <h2 id="devices">${texts.devices}</h2>
        <p class="faint">${texts.devicesLead}</p>
        <ul class="list">
          ${devices.map((one) => deviceRow(one, parts))}
        </ul>
      </section>`
    }
    ${
      (sessions.length > 1 || devices.some(({ current }) => !current)) &&
      action(signOut.others, field, html`<button class="quiet" type="submit">${texts.signOutOthers}</button>`)
    }`
}

type Needs = Csrf | SessionCookie.Needs

const view = Effect.fnUntraced(function* (account: Account) {
  const services = yield* Effect.context<Needs>()
  const language = languageOf(services)
  const all = language.texts(AuthTexts)
  const { account: texts } = all
  const field = tokenField(yield* CsrfCheck.token)
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const parts = { field, language, now, texts }
  const mounted = MountedRoutes.of(services)
  const hasScopes = Object.keys(Context.get(services, OfferedScopes)).length > 0
  const lifecycle = yield* AccountCards.lifecycle(field)
  const profile = Option.getOrUndefined(
    Option.map(account.profile, ({ definition, row }) => AccountProfile.card(definition, row, texts.profile, language))
  )
  return {
    title: texts.title,
    width: "wide" as const,
    main: html`<h1>${texts.title}</h1>
      ${lifecycle.pending}
      <div class="grid">${profile} ${address(account.identity, parts, lifecycle.emailChange)} ${password(all)}
        ${mounted.has(factors.list) && secondFactor(all)}
        ${mounted.has(passkeysPath) && passkeyCard(all)} ${hasScopes && programs(all)}
        ${mounted.has(activityPath) && events(all)} ${lifecycle.cards}</div>
      ${places(account, parts)} ${lifecycle.everywhere}`
  }
})

const open = Effect.flatMap(load, (account) => {
  const { devices, identity, profile, sessions } = account
  const shown = Option.match(profile, { onNone: () => ({}), onSome: ({ row }) => ({ profile: row }) })
  return Respond.render(view(account), { ...identity, ...shown, sessions, devices })
})

/** `GET /account`, for signed-in users. */
export const routes = [HttpLayerRouter.route("GET", home, requireUser(open))]
