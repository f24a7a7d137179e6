// The page on which a person adds, names and removes passkeys.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import type { Passkey } from "../../../src/auth/Passkeys.ts"
import { maxName } from "../../../src/auth/internal/Form.ts"
import * as UserAgent from "../../../src/auth/internal/UserAgent.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { requireConfirmation } from "../Access.ts"
import * as AccountPasskeys from "./AccountPasskeys.ts"
import { home, passkeyForms, passkeys as path } from "../internal/AuthPaths.ts"
import * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as ListPage from "../internal/ListPage.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeyView from "./PasskeyView.ts"

const renameForm = ({ handle, name }: Passkey, { texts: { passkeys }, token }: ListPage.Parts): Html =>
  html`<details>
    <summary>${passkeys.rename} <span class="visually-hidden">${name}</span></summary>
    <form class="row" method="post" action="${passkeyForms.rename}">
      ${FormView.tokenField(token)}
      <input type="hidden" name="handle" value="${handle}" />
      <div class="field">
        <label for="name-${handle}">${passkeys.name}</label>
        <input id="name-${handle}" name="name" type="text" required maxlength="${maxName}" autocomplete="off"
          value="${name}" />
      </div>
      <button class="quiet" type="submit">${passkeys.saveName}</button>
    </form>
  </details>`

const row = (passkey: Passkey, parts: ListPage.Parts): Html => {
  const { created, handle, isSynced, lastUsed, name } = passkey
  const { passkeys } = parts.texts
  return html`<li>
    <div class="long">
      <p><strong>${name}</strong> ${isSynced && html`<span class="badge">${passkeys.synced}</span>`}</p>
      <p class="faint">
        ${passkeys.created} ${LastSeen.time(created, parts.now, parts.language)} ·
        ${lastUsed === undefined ? passkeys.neverUsed : html`${passkeys.lastUsed} ${LastSeen.time(lastUsed, parts.now, parts.language)}`}
      </p>
    </div>
    ${FormView.rowForm({ action: passkeyForms.remove, token: parts.token, handle, button: passkeys.remove, name })}
    ${renameForm(passkey, parts)}
  </li>`
}

type State = FormState.FormState<"name">

const createForm = Effect.fnUntraced(function* (state: State, { texts, token }: ListPage.Parts) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { passkeys } = texts
  const name = state.values.name ?? UserAgent.describe(headers["user-agent"] ?? "", texts.lastSeen)
  return html`<p data-no-passkeys>${passkeys.unsupported}</p>
    <div data-passkeys hidden>
      ${PasskeyView.form({
        kind: "create",
        action: path,
        options: passkeyForms.options,
        token,
        texts: passkeys,
        fields: FormView.field(state, {
          name: "name",
          label: passkeys.name,
          hint: passkeys.nameHint,
          attributes: html`type="text" autocomplete="off" maxlength="${maxName}" value="${name}"`
        }),
        button: html`<button class="wide" type="submit">${passkeys.button}</button>`
      })}
    </div>
    ${PasskeyView.scriptElement}`
})

const view = Effect.fnUntraced(function* (state: State = FormState.empty) {
  const { verified } = yield* CurrentIdentity
  const parts = yield* ListPage.parts
  const { passkeys, password } = parts.texts
  const rows = (yield* AccountPasskeys.list).map((one) => row(one, parts))
  return {
    title: passkeys.title,
    width: "wide" as const,
    main: html`<h1>${passkeys.title}</h1>
      <p class="lead">${passkeys.lead}</p>
      <div class="grid two">
        ${ListPage.card("passkeys", passkeys, rows)}
        <section class="card" aria-labelledby="new">
          <h2 id="new">${passkeys.create}</h2>
          ${verified ? yield* createForm(state, parts) : html`<p class="faint">${passkeys.unverified}</p>`}
        </section>
      </div>
      <p class="below"><a href="${home}">${password.back}</a></p>`
  }
})

const open = Effect.flatMap(view(), Page.render)

// For the script of the page, which reads a refusal as JSON, too.
const options = Effect.map(AccountPasskeys.options, (value) => NoStore.json(value))

const add = Effect.zipRight(
  AccountPasskeys.add,
  PageTexts.redirect(path, ({ passkeys }) => passkeys.done)
).pipe(Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view(invalid))))

const rename = Effect.zipRight(
  AccountPasskeys.rename,
  PageTexts.redirect(path, ({ passkeys }) => passkeys.renamed)
).pipe(
  // The name of another form than the one that creates a passkey: only the message is shown.
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, view()))
)

// An unknown handle gets the same response as a removed one.
const remove = Effect.zipRight(
  AccountPasskeys.remove,
  PageTexts.redirect(path, ({ passkeys }) => passkeys.removed)
).pipe(
  Effect.catchTag("LastSignInMethod", () =>
    PageTexts.withTexts(({ methods: { last: error } }) => InvalidPage.render({ status: 409, error }, view()))
  )
)

/** `GET` and `POST /account/passkeys`, and `POST` to `/options`, `/rename` and `/remove` below it: after a confirmation. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireConfirmation(open)),
  HttpLayerRouter.route("POST", path, requireConfirmation(add)),
  HttpLayerRouter.route("POST", passkeyForms.options, requireConfirmation(options)),
  HttpLayerRouter.route("POST", passkeyForms.rename, requireConfirmation(rename)),
  HttpLayerRouter.route("POST", passkeyForms.remove, requireConfirmation(remove))
]
