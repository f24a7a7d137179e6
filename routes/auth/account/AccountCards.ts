// What the account page has of its life cycle, where the program has the pages: another address, a download, the deletion.
import type { HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import * as Remembered from "../../../src/http/internal/text/Remembered.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import { languageOf } from "../../http/internal/RequestTexts.ts"
import * as Texts from "../../http/Texts.ts"
import { deletion, emailChange, exported, keepAccount, signOut } from "../internal/AuthPaths.ts"
import * as DeletionRequest from "../deletion/DeletionRequest.ts"

/** What a card says. */
interface Words {
  readonly title: string
  readonly lead: string
  readonly button: string
}

/** The card in the language of these texts, rendered once for each of them. */
export const linkTo = (id: string, path: string, words: (texts: typeof AuthTexts.Service) => Words) =>
  Remembered.byObject((texts: typeof AuthTexts.Service): Html => {
    const { button, lead, title } = words(texts)
    return html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <p class="faint">${lead}</p>
      <a class="button quiet" href="${path}">${button}</a>
    </section>`
  })

type Needs = AccountChanges | CurrentIdentity | HttpServerRequest.HttpServerRequest

const button = (path: string, field: Html, text: string): Html =>
  html`<form method="post" action="${path}">
    ${field}<button class="quiet" type="submit">${text}</button>
  </form>`

/** Says when the account will be deleted, with the button that keeps it; `field` is the token of its form. */
export const pendingCard = Effect.fnUntraced(function* (due: number, field: Html) {
  const language = yield* Texts.language
  const { deletion: texts } = language.texts(AuthTexts)
  return html`<section class="card">
    <p class="notice error" role="status">${texts.pending(DeletionRequest.dayOf(due, language))}</p>
    ${button(keepAccount, field, texts.keep)}
  </section>`
})

const changeLink = Remembered.byObject(
  ({ emailChange: texts }: typeof AuthTexts.Service) =>
    html`<a class="button quiet" href="${emailChange}">${texts.manage}</a>`
)

const download = linkTo("exported", exported, (texts) => texts.exported)

const removal = linkTo("deletion", deletion, ({ deletion: { manage, summary, title } }) => ({
  title,
  lead: summary,
  button: manage
}))

/** The parts of the page; those of pages that the program does not have are `undefined`. */
export const lifecycle = Effect.fnUntraced(function* (field: Html) {
  const services = yield* Effect.context<Needs>()
  const texts = languageOf(services).texts(AuthTexts)
  const { id } = Context.get(services, CurrentIdentity)
  const mounted = MountedRoutes.of(services)
  const canDelete = mounted.has(deletion) && (yield* DeletionRequest.isOffered)
  const due = canDelete ? yield* Context.get(services, AccountChanges).deletion(id) : Option.none()
  return {
    pending: Option.isSome(due) ? yield* pendingCard(due.value, field) : undefined,
    emailChange: mounted.has(emailChange) ? changeLink(texts) : undefined,
    cards: html`${mounted.has(exported) && download(texts)} ${canDelete && Option.isNone(due) && removal(texts)}`,
    everywhere: mounted.has(signOut.everywhere)
      ? button(signOut.everywhere, field, texts.account.signOutEverywhere)
      : undefined
  }
})
