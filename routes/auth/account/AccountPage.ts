// The account page: the e-mail and whether it is verified, the sessions and the trusted devices.
import { HttpLayerRouter } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { OfferedScopes } from "../../../src/auth/internal/OfferedScopes.ts"
import { AuthTexts, type Texts as AllTexts } from "../../../src/auth/AuthTexts.ts"
import type { Csrf } from "../../../src/session/Csrf.ts"
import { CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import type { SessionInfo } from "../../../src/session/Session.ts"
import type { Device } from "../../../src/auth/Trust.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { type Methods } from "../../../src/auth/internal/WaysIn.ts"
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
  identities as identitiesPath,
  passkeys as passkeysPath,
  password as passwordPaths,
  signOut,
  tokens as tokensPath
} from "../internal/AuthPaths.ts"
import { tokenField } from "../../session/internal/FormView.ts"
import * as ProviderButtons from "../providers/ProviderButtons.ts"
import * as Respond from "../../session/Respond.ts"
import * as LastSeen from "../internal/LastSeen.ts"

interface Account {
  readonly identity: Identity
  readonly profile: Option.Option<AccountProfile.AccountProfile>
  readonly methods: Methods & { readonly former: number }
  readonly sessions: ReadonlyArray<SessionInfo & Current>
  readonly devices: ReadonlyArray<Device & Current>
}

const load = Effect.gen(function* () {
  const identity = yield* CurrentIdentity
  const sessions = yield* AccountSessions.sessions
  const devices = yield* AccountSessions.devices
  const methods = yield* Effect.flatMap(SignInMethods, ({ list }) => list(identity.id))
  return { identity, methods, profile: yield* AccountProfile.find(identity.id), sessions, devices } satisfies Account
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

/** A way in, and what can be done with it. */
interface Way {
  readonly name: string
  readonly badge: Html
  readonly action?: { readonly path: string; readonly label: string }
}

const wayRow = ({ action: link, badge, name }: Way): Html =>
  html`<li>
    <p class="row"><strong>${name}</strong> ${badge}</p>
    ${link !== undefined && html`<a class="button quiet small" href="${link.path}">${link.label}</a>`}
  </li>`

const badgeOf = (isUsable: boolean, text: string): Html =>
  html`<span class="badge ${isUsable && html`success`}">${text}</span>`

const passwordRow = ({ password }: Methods, { account, methods }: AllTexts): Html => {
  const labels = { set: account.changePassword, locked: methods.locked.button, none: methods.set.button }
  return wayRow({
    name: account.password,
    badge: badgeOf(password === "set", methods.states[password]),
    action: { path: passwordPaths.page, label: labels[password] }
  })
}

const waysIn = (found: Methods, texts: AllTexts, mounted: ReadonlySet<string>, hasIdentities: boolean): Html => {
  const { methods, passkeys, providers } = texts
  const counted = (name: string, count: number, path: string, label: string): Html =>
    wayRow({ name, badge: badgeOf(count > 0, count > 0 ? String(count) : methods.none), action: { path, label } })
  return html`<section class="card" aria-labelledby="methods">
    <h2 id="methods">${methods.title}</h2>
    <p class="faint">${methods.lead}</p>
    <ul class="list">
      ${mounted.has(passwordPaths.page) && passwordRow(found, texts)}
      ${mounted.has(passkeysPath) && counted(methods.passkeys, found.passkeys, passkeysPath, passkeys.manage)}
      ${hasIdentities && mounted.has(identitiesPath.list) && counted(methods.identities, found.identities, identitiesPath.list, providers.identities.manage)}
    </ul>
  </section>`
}

const secondFactor = AccountCards.linkTo("factor", factors.list, ({ factors: { lead, manage, title } }) => ({
  title,
  lead,
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
  const now = yield* EpochSeconds.seconds
  const parts = { field, language, now, texts }
  const mounted = MountedRoutes.of(services)
  const hasScopes = Object.keys(Context.get(services, OfferedScopes)).length > 0
  // One at a provider that the program no longer has can be disconnected, too.
  const { former, identities } = account.methods
  const hasIdentities = identities + former > 0 || (yield* ProviderButtons.offered).length > 0
  const lifecycle = yield* AccountCards.lifecycle(field)
  const profile = Option.getOrUndefined(
    Option.map(account.profile, ({ definition, row }) => AccountProfile.card(definition, row, texts.profile, language))
  )
  return {
    title: texts.title,
    width: "wide" as const,
    main: html`<h1>${texts.title}</h1>
      ${lifecycle.pending}
      <div class="grid">${profile} ${address(account.identity, parts, lifecycle.emailChange)}
        ${waysIn(account.methods, all, mounted, hasIdentities)} ${mounted.has(factors.list) && secondFactor(all)} ${hasScopes && programs(all)}
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
