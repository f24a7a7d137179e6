// The pages of a new e-mail address: the form, the page of its link, and the page that undoes the change.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Redacted } from "effect"
import type { Texts } from "../../../src/auth/AuthTexts.ts"
import type { Duplicate } from "../../../src/auth/Users.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import { requireConfirmation, requireUser } from "../Access.ts"
import { emailCancel, emailChange as path, emailUndo, home, signIn } from "../internal/AuthPaths.ts"
import * as EmailChange from "./EmailChange.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"

const pendingCard = (email: string, token: string, { cancel, pending }: Texts["emailChange"]): Html =>
  html`<section class="card">
    <p class="notice plain" role="status">${pending(email)}</p>
    <form method="post" action="${emailCancel}">
      ${FormView.tokenField(token)}<button class="quiet" type="submit">${cancel}</button>
    </form>
  </section>`

const view = Effect.fnUntraced(function* (state: FormState.FormState<"email"> = FormState.empty) {
  const { email, pending } = yield* EmailChange.overview
  const { texts, token } = yield* PageTexts.load
  return {
    title: texts.emailChange.title,
    main: html`<h1>${texts.emailChange.title}</h1>
      <p class="faint">${texts.emailChange.lead(email)}</p>
      ${pending !== null && pendingCard(pending.email, token, texts.emailChange)}
      <div class="card">
        ${FormView.form({
          action: path,
          token,
          button: texts.emailChange.button,
          fields: [
            FormView.field(state, {
              name: "email",
              label: texts.emailChange.field,
              attributes: html`type="email" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254"
              value="${state.values.email}"`
            })
          ]
        })}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

const open = Effect.flatMap(view(), Page.render)

const submit = Effect.gen(function* () {
  const email = yield* EmailChange.request
  const { emailChange: texts } = yield* PageTexts.texts
  return yield* StoredFlash.redirect(home, Flash.success(texts.sent(email)))
}).pipe(Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view(invalid))))

// The same response where nothing waits: a link that was opened meanwhile has made the change.
const cancel = Effect.zipRight(
  EmailChange.cancel,
  PageTexts.redirect(path, ({ emailChange }) => emailChange.cancelled)
)

// A page with a button: a scanner that opens the link of an e-mail changes nothing.
const linkPages = <R, E2, R2>(
  { base, next, of }: { readonly base: string; readonly next: string; readonly of: "emailChange" | "emailUndo" },
  find: (link: Redacted.Redacted) => Effect.Effect<Option.Option<string>, never, R>,
  redeem: (link: Redacted.Redacted) => Effect.Effect<boolean, E2 | Duplicate, R2>
) => {
  const chosen = Effect.map(PageTexts.texts, (texts) => texts[of])

  const expired = Effect.flatMap(chosen, (texts) => StoredFlash.redirect(next, Flash.error(texts.expired)))

  const page = Effect.fnUntraced(function* (link: Redacted.Redacted, email: string) {
    const { token } = yield* PageTexts.load
    const texts = yield* chosen
    return {
      title: texts.linkTitle,
      main: html`<h1>${texts.linkTitle}</h1>
        <p>${texts.linkLead(email)}</p>
        <div class="card">
          ${FormView.form({
            action: `${base}/${Redacted.value(link).replace(".", "/")}`,
            token,
            button: texts.linkButton,
            fields: []
          })}
        </div>`
    }
  })

  const show = Effect.gen(function* () {
    const link = yield* AccountMail.presentedToken
    const email = yield* find(link)
    return Option.isNone(email) ? yield* expired : yield* Page.render(yield* page(link, email.value))
  })

  const redeemed = Effect.gen(function* () {
    if (!(yield* Effect.flatMap(AccountMail.presentedToken, redeem))) return yield* expired
    return yield* StoredFlash.redirect(next, Flash.success((yield* chosen).done))
  }).pipe(
    // Only the mailbox of the address learns that it has an account by now.
    Effect.catchTag("Duplicate", () =>
      Effect.flatMap(chosen, ({ taken, linkTitle }) =>
        InvalidPage.render(
          { status: 409, error: taken },
          Effect.succeed({ title: linkTitle, main: html`<h1>${linkTitle}</h1>` })
        )
      )
    )
  )

  return { show: EmailChange.limitedLinks(show), redeemed: EmailChange.limitedLinks(redeemed) }
}

const change = linkPages({ base: path, next: home, of: "emailChange" }, EmailChange.find.email, EmailChange.redeem)
const restore = linkPages({ base: emailUndo, next: signIn, of: "emailUndo" }, EmailChange.find.undo, EmailChange.undo)

const link = ":selector/:verifier"

/**
 * `GET` and `POST /account/email` and `POST /account/email/cancel` after a recent confirmation, `GET` and `POST`
 * of the link to the new address in a session of the account, and of the link that restores the old one; all limited.
 */
export const routes = [
  HttpLayerRouter.route("GET", path, requireConfirmation(open)),
  HttpLayerRouter.route("POST", path, requireConfirmation(submit)),
  HttpLayerRouter.route("POST", emailCancel, requireConfirmation(cancel)),
  HttpLayerRouter.route("GET", `${path}/${link}`, requireUser(change.show)),
  HttpLayerRouter.route("POST", `${path}/${link}`, requireUser(change.redeemed)),
  HttpLayerRouter.route("GET", `${emailUndo}/${link}`, restore.show),
  HttpLayerRouter.route("POST", `${emailUndo}/${link}`, restore.redeemed)
]
