// The pages of a recovery after the loss of every factor: the request, the link that cancels it, and the one that completes it.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { LostFactorRequests, type LostFactorRequest } from "../../../src/auth/internal/LostFactorRequests.ts"
import { Users } from "../../../src/auth/Users.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as Texts from "../../http/Texts.ts"
import { factorRecovery as paths, forgot, loginFactor, signIn } from "../internal/AuthPaths.ts"
import * as LostFactorOperations from "./LostFactorOperations.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormState from "../../session/FormState.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as FactorSignInPage from "../signin/FactorSignInPage.ts"
import * as Offered from "../internal/Offered.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PendingSession from "../signin/PendingSession.ts"

const whenOffered = Offered.when(LostFactorOperations.isOffered)

const { limitedLinks } = LostFactorOperations

const view = Effect.fnUntraced(function* (recovery: Option.Option<LostFactorRequest>, isVerified: boolean) {
  const { texts, token } = yield* PageTexts.load
  const language = yield* Texts.language
  const { factorRecoveryDelay } = yield* AuthConfig
  const { factorRecovery: own } = texts
  const status = Option.getOrUndefined(Option.map(recovery, (one) => LostFactorOperations.sentence(one, language)))
  const isWaiting = Option.exists(recovery, ({ state }) => state === "Waiting")
  const button = Option.isSome(recovery) ? own.again : own.button
  const form = html`<div class="card">${FormView.form({ action: paths.page, token, button, fields: [] })}</div>`
  return {
    title: own.title,
    main: html`<h1>${own.title}</h1>
      <p>${isVerified ? own.lead(Words.lifetime(factorRecoveryDelay, language.locale)) : own.unverified}</p>
      ${status !== undefined && html`<p class="notice success" role="status">${status}</p>`} ${isVerified && !isWaiting && form}
      <p class="below"><a href="${loginFactor}">${own.back}</a></p>`
  }
})

const current = Effect.flatMap(PendingSession.presented, LostFactorOperations.current)

const open = Effect.gen(function* () {
  const found = yield* current
  if (Option.isNone(found)) return yield* FactorSignInPage.startOver
  const { isVerified, recovery } = found.value
  return yield* Page.render(yield* view(recovery, isVerified))
})

const submit = Effect.gen(function* () {
  const recovery = yield* LostFactorOperations.request(PendingSession.presented)
  return Option.isNone(recovery) ? yield* FactorSignInPage.startOver : NoStore.seeOther(paths.page)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    Effect.gen(function* () {
      const found = yield* current
      if (Option.isNone(found)) return yield* FactorSignInPage.startOver
      return yield* InvalidPage.render(invalid, view(found.value.recovery, found.value.isVerified))
    })
  )
)

const pathOf = (base: string, link: Redacted.Redacted) => `${base}/${Redacted.value(link).replace(".", "/")}`

const expired = PageTexts.withTexts(({ factorRecovery }) =>
  StoredFlash.redirect(signIn, Flash.error(factorRecovery.expired))
)

const page = Effect.fnUntraced(function* (title: string, lead: string, card: Html, below?: Html) {
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${lead}</p>
      <div class="card">${card}</div>
      ${below}`
  }
})

const cancelView = Effect.fnUntraced(function* (link: Redacted.Redacted) {
  const { texts, token } = yield* PageTexts.load
  const { factorRecovery: own } = texts
  const action = pathOf(paths.cancel, link)
  const form = FormView.form({ action, token, button: own.cancelButton, fields: [] })
  return yield* page(own.cancelTitle, own.cancelLead, form)
})

// A page with a button: a scanner that opens the link of an e-mail changes nothing.
const openCancel = Effect.gen(function* () {
  const link = yield* AccountMail.presentedToken
  const found = yield* Effect.flatMap(LostFactorRequests, ({ owner }) => owner(link, "any"))
  return Option.isNone(found) ? yield* expired : yield* Page.render(yield* cancelView(link))
})

const submitCancel = Effect.gen(function* () {
  if (!(yield* Effect.flatMap(AccountMail.presentedToken, LostFactorOperations.cancel))) return yield* expired
  return yield* PageTexts.redirect(forgot, ({ factorRecovery }) => factorRecovery.cancelled)
})

const completeView = Effect.fnUntraced(function* (
  link: Redacted.Redacted,
  { email, user }: Pick<LostFactorRequest, "email" | "user">,
  state: FormState.FormState<"passkeys"> = FormState.empty
) {
  const { texts, token } = yield* PageTexts.load
  const { factorRecovery: own } = texts
  const below = html`<p class="below"><a href="${pathOf(paths.cancel, link)}">${own.notMe}</a></p>`
  if ((yield* Effect.flatMap(Users, ({ passwordState }) => passwordState(user))) !== "set") {
    const choose = html`<a class="button wide" href="${forgot}">${own.choosePassword}</a>`
    return yield* page(own.completeTitle, own.withoutPassword, choose, below)
  }
  const passkeys = html`<div class="check">
    <input id="passkeys" name="passkeys" type="checkbox" value="1" ${state.values.passkeys !== undefined && html`checked`} />
    <label for="passkeys">${own.passkeys}</label>
  </div>`
  const fields = [AccountFields.owner(email), AccountFields.currentPassword(state, "password", texts), passkeys]
  const form = FormView.form({ action: pathOf(paths.page, link), token, button: own.completeButton, fields })
  return yield* page(own.completeTitle, own.completeLead, form, below)
})

const completable = Effect.fnUntraced(function* (link: Redacted.Redacted) {
  const { owner } = yield* LostFactorRequests
  return Option.filter(yield* owner(link, "complete"), ({ state }) => state === "Ready")
})

const openComplete = Effect.gen(function* () {
  const link = yield* AccountMail.presentedToken
  const found = yield* completable(link)
  return Option.isNone(found) ? yield* expired : yield* Page.render(yield* completeView(link, found.value))
})

const submitComplete = Effect.gen(function* () {
  if (!(yield* LostFactorOperations.complete(AccountMail.presentedToken))) return yield* expired
  return yield* PageTexts.redirect(signIn, ({ factorRecovery }) => factorRecovery.done)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    Effect.gen(function* () {
      const link = yield* AccountMail.presentedToken
      const found = yield* completable(link)
      if (Option.isNone(found)) return yield* expired
      return yield* InvalidPage.render(invalid, completeView(link, found.value, invalid))
    })
  )
)

const cancelLink = `${paths.cancel}/:selector/:verifier` as const
const completeLink = `${paths.page}/:selector/:verifier` as const

/**
 * `GET` and `POST /login/factor/recovery` for a pending sign-in, and of the links that cancel and complete a recovery; all
 * limited. 404 in a program without `LostFactors.layer`.
 */
export const routes = [
  HttpLayerRouter.route("GET", paths.page, whenOffered(open)),
  HttpLayerRouter.route("POST", paths.page, whenOffered(submit)),
  HttpLayerRouter.route("GET", cancelLink, whenOffered(limitedLinks(openCancel))),
  HttpLayerRouter.route("POST", cancelLink, whenOffered(limitedLinks(submitCancel))),
  HttpLayerRouter.route("GET", completeLink, whenOffered(limitedLinks(openComplete))),
  HttpLayerRouter.route("POST", completeLink, whenOffered(submitComplete))
]
