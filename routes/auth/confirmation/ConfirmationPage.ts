// The page on which a signed-in user confirms who they are, before a change that a stolen session must not make: by the
// password, or by a factor that the account has.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import type { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import { html } from "../../../src/http/Html.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { requireUser } from "../Access.ts"
import { confirm as path, home } from "../internal/AuthPaths.ts"
import * as Confirmation from "./Confirmation.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as FormState from "../../session/FormState.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as IdentityPage from "../providers/IdentityPage.ts"
import * as PasskeyView from "../passkeys/PasskeyView.ts"

type Ways = Effect.Effect.Success<ReturnType<typeof Confirmation.waysOf>>

const leadOf = (
  { hasCode, hasPasskey, hasPassword }: Ways,
  { confirm }: typeof AuthTexts.Service,
  hasProvider: boolean
): string => {
  if (hasPassword) return hasCode ? confirm.leadWithCode : confirm.lead
  return hasCode || hasPasskey || hasProvider ? confirm.leadWithoutPassword : confirm.leadWithNothing
}

/** The forms for what this account has. */
const view = Effect.fnUntraced(function* (state: FormState.FormState<never> = FormState.empty) {
  const { email, id } = yield* CurrentIdentity
  const { texts, token } = yield* PageTexts.load
  const ways = yield* Confirmation.waysOf(id)
  const { hasCode, hasPasskey, hasPassword } = ways
  const focused = { focus: hasPassword && state.fieldErrors["code"] === undefined ? "current" : "code", ...state }
  const current = FormView.form({
    action: path,
    token,
    button: texts.confirm.button,
    fields: [AccountFields.owner(email), AccountFields.currentPassword(focused, "current", texts)]
  })
  const code = html`${hasPassword && html`<p class="below">${texts.confirm.or}</p>`}
    ${FormView.form({ action: path, token, button: texts.confirm.buttonWithCode, fields: [FactorCode.field(focused, texts)] })}`
  // In a browser without scripts or without passkeys a new sign-in is left. One with a provider that asks again would not count
  // unless it has asked.
  const isAlone = !hasPassword && !hasCode
  const again = FormView.form({ action: "/logout", token, button: texts.confirm.signInAgain, fields: [] })
  const { confirm: label, or } = texts.providers
  const providers = yield* IdentityPage.confirmButtons(token, or, label)
  return {
    title: texts.confirm.title,
    main: html`<h1>${texts.confirm.title}</h1>
      <p class="faint">${leadOf(ways, texts, providers !== undefined)}</p>
      <div class="card">
        ${hasPassword && current} ${hasCode && code}
        ${hasPasskey && PasskeyView.confirmation(texts.passkeys, token, isAlone)} ${providers}
        ${isAlone && providers === undefined && (hasPasskey ? html`<div data-no-passkeys>${again}</div>` : again)}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

/** The page again, with what is wrong. */
export const refuse = (invalid: FormState.InvalidForm) => InvalidPage.render(invalid, view(invalid))

/** Where a confirmed person continues: the page that asked for it, once, or the account page. */
export const proceed = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const target = Option.flatMapNullable(yield* session.pull(ReturnTo.confirmKey), ReturnTo.parse)
  return NoStore.seeOther(Option.getOrElse(target, () => home))
})

const open = Effect.flatMap(view(), Page.render)

const submit = Effect.zipRight(Confirmation.submit, proceed).pipe(Effect.catchTag("InvalidForm", refuse))

/** `GET` and `POST /confirm`, for signed-in users, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(open)),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
