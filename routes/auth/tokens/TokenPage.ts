// The page on which a person makes and revokes API tokens. It is there where the program offers scopes.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { type Description } from "../../../src/auth/ApiScopes.ts"
import { OfferedScopes } from "../../../src/auth/internal/OfferedScopes.ts"
import { lifetimes } from "../../../src/auth/internal/ApiTokenRules.ts"
import { maxName } from "../../../src/auth/internal/Form.ts"
import type { ApiToken, NewApiToken } from "../../../src/auth/ApiTokens.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { requireConfirmation, requireUser } from "../Access.ts"
import * as AccountTokens from "./AccountTokens.ts"
import { home, newToken, revokeToken, tokens as path } from "../internal/AuthPaths.ts"
import * as Confirmation from "../confirmation/Confirmation.ts"
import * as ConfirmFirst from "../confirmation/ConfirmFirst.ts"
import * as FormState from "../../session/FormState.ts"
import { One } from "../api/AccountSchemas.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as ListPage from "../internal/ListPage.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"

const described = (scope: string, description: Description | undefined, { locale }: Language): string =>
  typeof description === "function" ? description(locale) : (description ?? scope)

const secretCard = ({ name, secret }: NewApiToken, { texts: { tokens } }: ListPage.Parts): Html =>
  html`<section class="card" aria-labelledby="made">
    <h2 id="made">${tokens.done}</h2>
    <p class="notice success" role="status">${tokens.doneHint}</p>
    <div class="field">
      <label for="secret">${tokens.secret} <span class="faint">(${name})</span></label>
      <input id="secret" class="long" type="text" readonly value="${Redacted.value(secret)}" autocomplete="off"
        spellcheck="false" autofocus />
    </div>
  </section>`

const row = ({ created, expires, handle, lastUsed, name, scopes }: ApiToken, parts: ListPage.Parts): Html => {
  const { language, now, texts, token } = parts
  const { tokens } = texts
  const end = new Date(expires * 1000)
  return html`<li>
    <div class="long">
      <p><strong>${name}</strong></p>
      <p>${scopes.map((scope) => html`<code>${scope}</code> `)}</p>
      <p class="faint">
        ${tokens.created} ${LastSeen.time(created, now, language)} ·
        ${lastUsed === undefined ? tokens.neverUsed : html`${tokens.lastUsed} ${LastSeen.time(lastUsed, now, language)}`} ·
        ${tokens.expires} <time datetime="${Words.timestamp(expires)}" title="${Words.moment(end, language.locale)}">${Words.day(end, language.locale)}</time>
      </p>
    </div>
    ${FormView.rowForm({ action: revokeToken, token, handle, button: tokens.revoke, name })}
  </li>`
}

const scopeChoice = (
  scopes: typeof OfferedScopes.Service,
  chosen: ReadonlyArray<string>,
  { fieldErrors }: FormState.FormState,
  { language, texts }: ListPage.Parts
): Html => {
  const error = fieldErrors["scopes"]
  return html`<fieldset ${error !== undefined && html`aria-describedby="scopes-error"`}>
    <legend>${texts.tokens.scopes}</legend>
    ${Object.entries(scopes).map(
      ([scope, description], index) =>
        html`<div class="check">
          <input
            id="scope-${index}"
            name="${AccountTokens.fieldOf(scope)}"
            type="checkbox"
            value="1"
            ${chosen.includes(scope) && html`checked`}
          />
          <label for="scope-${index}">${described(scope, description, language)} <code class="faint">${scope}</code></label>
        </div>`
    )}
    ${error !== undefined && html`<div class="field"><p class="error" id="scopes-error">${error}</p></div>`}
  </fieldset>`
}

const lifetimeChoice = (chosen: string, locale: string): Html =>
  html`${lifetimes.map(
    (days) =>
      html`<option value="${days}" ${String(days) === chosen && html`selected`}>${Words.duration(days, "day", locale)}</option>`
  )}`

type State = FormState.FormState<"name" | "days">

const formCard = Effect.fnUntraced(function* (state: State, parts: ListPage.Parts) {
  const { email } = yield* CurrentIdentity
  const { known } = yield* AccountTokens.asked
  const { texts, token } = parts
  const { tokens } = texts
  const isConfirmed = yield* Confirmation.isRecent
  if (!isConfirmed && !(yield* AccountTokens.hasPassword)) {
    return html`<section class="card" aria-labelledby="new">
      <h2 id="new">${tokens.create}</h2>
      <p class="faint">${texts.confirm.required}</p>
      <a class="button wide" href="${newToken}">${tokens.create}</a>
    </section>`
  }
  const { name, days = "90" } = state.values
  return html`<section class="card" aria-labelledby="new">
    <h2 id="new">${tokens.create}</h2>
    ${FormView.form({
      action: path,
      token,
      button: tokens.button,
      fields: [
        AccountFields.owner(email),
        FormView.field(state, {
          name: "name",
          label: tokens.name,
          hint: tokens.nameHint,
          attributes: html`type="text" autocomplete="off" maxlength="${maxName}" value="${name}"`
        }),
        scopeChoice(yield* OfferedScopes, known, state, parts),
        FormView.field(state, {
          name: "days",
          label: tokens.lifetime,
          attributes: html`autocomplete="off"`,
          options: lifetimeChoice(days, parts.language.locale)
        }),
        // Shown also when the confirmation has expired while the form was filled in.
        ...(isConfirmed && state.fieldErrors["current"] === undefined
          ? []
          : [AccountFields.currentPassword(state, "current", texts)])
      ]
    })}
  </section>`
})

const view = Effect.fnUntraced(function* (state: State = FormState.empty, made?: NewApiToken) {
  const parts = yield* ListPage.parts
  const { password, tokens } = parts.texts
  const rows = (yield* AccountTokens.list).map((one) => row(one, parts))
  // The form of a token that was made begins anew.
  const form = made === undefined ? yield* formCard(state, parts) : undefined
  return {
    title: tokens.title,
    width: "wide" as const,
    main: html`<h1>${tokens.title}</h1>
      <p class="lead">${tokens.lead}</p>
      ${made !== undefined && secretCard(made, parts)}
      <div class="grid two">${ListPage.card("tokens", tokens, rows)} ${form}</div>
      <p class="below"><a href="${made === undefined ? home : path}">${made === undefined ? password.back : tokens.manage}</a></p>`
  }
})

const open = Effect.flatMap(view(), Page.render)

// Not a redirect: the secret would have to be stored until the next request.
const submit = Effect.gen(function* () {
  const made = yield* AccountTokens.create
  return yield* Page.render(yield* view(FormState.empty, made), 201)
}).pipe(
  // The form again, with the field of the password; without a password, the page of the confirmation.
  Effect.catchTag("ConfirmationRequired", () =>
    Effect.if(AccountTokens.hasPassword, { onTrue: AccountTokens.askPassword, onFalse: () => ConfirmFirst.redirect })
  ),
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view(invalid)))
)

// An unknown handle gets the same response as a revoked one.
const revoke = Effect.gen(function* () {
  const { handle } = yield* FormState.read(One)
  yield* AccountTokens.revoke(handle)
  return yield* PageTexts.redirect(path, ({ tokens }) => tokens.revoked)
})

/** `GET` and `POST /account/tokens`, `GET /account/tokens/new`, `POST /account/tokens/revoke`, for signed-in users of a program that offers scopes. */
export const routes = [
  HttpLayerRouter.route("GET", path, AccountTokens.whenOffered(requireUser(open))),
  HttpLayerRouter.route("POST", path, AccountTokens.whenOffered(requireUser(submit))),
  HttpLayerRouter.route(
    "GET",
    newToken,
    AccountTokens.whenOffered(requireConfirmation(Effect.succeed(NoStore.seeOther(path))))
  ),
  HttpLayerRouter.route("POST", revokeToken, AccountTokens.whenOffered(requireUser(revoke)))
]
