// The page on which a person deletes their account, or keeps it. It is there where the program has `AccountDeletion.layer`.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { html } from "../../../src/http/Html.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import * as CsrfCheck from "../../session/CsrfCheck.ts"
import * as Texts from "../../http/Texts.ts"
import { requireConfirmation, requireUser } from "../Access.ts"
import * as AccountCards from "../account/AccountCards.ts"
import { deletion as path, home, keepAccount, signIn } from "../internal/AuthPaths.ts"
import * as DeletionRequest from "./DeletionRequest.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as Page from "../../session/Page.ts"

const view = Effect.fnUntraced(function* (due: Option.Option<number>) {
  const language = yield* Texts.language
  const { deletion: texts, password } = language.texts(AuthTexts)
  const token = yield* CsrfCheck.token
  const { deletionGrace } = yield* AuthConfig
  const form = html`<p>${texts.lead(Words.lifetime(deletionGrace, language.locale))}</p>
    <div class="card">${FormView.form({ action: path, token, button: texts.button, fields: [] })}</div>`
  return {
    title: texts.title,
    main: html`<h1>${texts.title}</h1>
      ${Option.isSome(due) ? yield* AccountCards.pendingCard(due.value, FormView.tokenField(token)) : form}
      <p class="below"><a href="${home}">${password.back}</a></p>`
  }
})

const open = DeletionRequest.current.pipe(Effect.flatMap(view), Effect.flatMap(Page.render))

const submit = Effect.gen(function* () {
  const { message } = yield* DeletionRequest.submit
  return yield* StoredFlash.redirect(signIn, Flash.success(message))
})

const keep = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  yield* DeletionRequest.cancel(id)
  return yield* StoredFlash.redirect(home, Flash.success((yield* Texts.of(AuthTexts)).deletion.kept))
})

/** `GET` and `POST /account/delete` after a recent confirmation, `POST /account/delete/cancel` for signed-in users. */
export const routes = [
  HttpLayerRouter.route("GET", path, DeletionRequest.whenOffered(requireConfirmation(open))),
  HttpLayerRouter.route("POST", path, DeletionRequest.whenOffered(requireConfirmation(submit))),
  HttpLayerRouter.route("POST", keepAccount, DeletionRequest.whenOffered(requireUser(keep)))
]
