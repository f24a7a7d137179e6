// What the account page has of its life cycle, where the program has the pages: another address, a download, the deletion.
import { Effect, Option } from "effect"
import { AccountChanges } from "../../src/auth/AccountChanges.ts"
import { AuthTexts } from "../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import { type Html, html } from "../../src/http/Html.ts"
import * as MountedRoutes from "../http/MountedRoutes.ts"
import * as Texts from "../http/Texts.ts"
import { deletion, emailChange, exported, keepAccount, signOut } from "./AuthPaths.ts"
import * as DeletionRequest from "./DeletionRequest.ts"
import * as DueAccounts from "./DueAccounts.ts"
import { tokenField } from "./FormView.ts"

const button = (path: string, token: string, text: string): Html =>
  html`<form method="post" action="${path}">
    ${tokenField(token)}<button class="quiet" type="submit">${text}</button>
  </form>`

/** Says when the account will be deleted, with the button that keeps it. */
export const pendingCard = Effect.fnUntraced(function* (due: number, token: string) {
  const language = yield* Texts.language
  const { deletion: texts } = language.texts(AuthTexts)
  return html`<section class="card">
    <p class="notice bad" role="status">${texts.pending(DeletionRequest.dayOf(due, language))}</p>
    ${button(keepAccount, token, texts.keep)}
  </section>`
})

const cardOf = (id: string, path: string, texts: { title: string; lead?: string; button: string }): Html =>
  html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${texts.title}</h2>
    ${texts.lead !== undefined && html`<p class="faint">${texts.lead}</p>`}
    <a class="button quiet" href="${path}">${texts.button}</a>
  </section>`

/** The parts of the page; those of pages that the program does not have are `undefined`. */
export const view = Effect.fnUntraced(function* (token: string) {
  const texts = yield* Texts.of(AuthTexts)
  const { id } = yield* CurrentIdentity
  const canDelete = (yield* MountedRoutes.has(deletion)) && (yield* DueAccounts.isOffered)
  const due = canDelete ? yield* Effect.flatMap(AccountChanges, (changes) => changes.deletion(id)) : Option.none()
  const has = { email: yield* MountedRoutes.has(emailChange), exported: yield* MountedRoutes.has(exported) }
  const download = cardOf("exported", exported, texts.exported)
  const removal = cardOf("deletion", deletion, { title: texts.deletion.title, button: texts.deletion.manage })
  return {
    pending: Option.isSome(due) ? yield* pendingCard(due.value, token) : undefined,
    emailChange: has.email
      ? html`<a class="button quiet" href="${emailChange}">${texts.emailChange.manage}</a>`
      : undefined,
    cards: html`${has.exported && download} ${canDelete && Option.isNone(due) && removal}`,
    everywhere: (yield* MountedRoutes.has(signOut.everywhere))
      ? button(signOut.everywhere, token, texts.account.signOutEverywhere)
      : undefined
  }
})
