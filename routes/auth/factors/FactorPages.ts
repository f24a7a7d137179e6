// The pages on which a person adds and removes authenticator apps, and makes recovery codes.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { maxName } from "../../../src/auth/internal/Form.ts"
import { recoveryCodes as total } from "../../../src/auth/internal/factors/FactorRules.ts"
import type { Factor, FactorEnrollment } from "../../../src/auth/Factors.ts"
import { type Html, html, unsafeRaw } from "../../../src/http/Html.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { requireConfirmation } from "../Access.ts"
import * as AccountFactors from "./AccountFactors.ts"
import { factors as paths, home } from "../internal/AuthPaths.ts"
import * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as LastSeen from "../internal/LastSeen.ts"
import * as ListPage from "../internal/ListPage.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as PageTexts from "../internal/PageTexts.ts"

const row = ({ created, handle, lastUsed, name }: Factor, given: ListPage.Parts): Html => {
  const { factors } = given.texts
  return html`<li>
    <div class="long">
      <p><strong>${name}</strong></p>
      <p class="faint">${factors.added} ${LastSeen.time(created, given.now, given.language)} · ${factors.lastUsed} ${LastSeen.time(lastUsed, given.now, given.language)}</p>
    </div>
    ${FormView.rowForm({ action: paths.remove, token: given.token, handle, button: factors.remove, name })}
  </li>`
}

const recoveryCard = (left: number, { texts: { factors }, token }: ListPage.Parts): Html =>
  html`<section class="card" aria-labelledby="recovery">
    <h2 id="recovery">${factors.recoveryCodes}</h2>
    <p class="faint">${factors.recoveryLead}</p>
    <p>${factors.recoveryLeft(left, total)}</p>
    <form method="post" action="${paths.recoveryCodes}">
      ${FormView.tokenField(token)}
      <button class="quiet" type="submit">${factors.renew}</button>
    </form>
  </section>`

const devicesCard = (isAsked: boolean, { texts: { factors }, token }: ListPage.Parts): Html =>
  html`<section class="card" aria-labelledby="trusted">
    <h2 id="trusted">${factors.devices}</h2>
    <form method="post" action="${paths.everyDevice}">
      ${FormView.tokenField(token)}
      <div class="check">
        <input
          id="every_device"
          name="every_device"
          type="checkbox"
          value="1"
          aria-describedby="every_device-hint"
          ${isAsked && html`checked`}
        />
        <label for="every_device">${factors.everyDevice}</label>
      </div>
      <p class="faint" id="every_device-hint">${factors.everyDeviceHint}</p>
      <button class="quiet" type="submit">${factors.save}</button>
    </form>
  </section>`

const listView = Effect.fnUntraced(function* ({
  apps,
  everyDevice,
  recoveryCodes
}: Effect.Effect.Success<typeof AccountFactors.overview>) {
  const given = yield* ListPage.parts
  const { factors, password } = given.texts
  const hasFactor = apps.length > 0
  const rows = apps.map((one) => row(one, given))
  const adding = html`<p><a class="button quiet" href="${paths.add}">${factors.add}</a></p>`
  return {
    title: factors.title,
    width: "wide" as const,
    main: html`<h1>${factors.title}</h1>
      <p class="lead">${factors.lead}</p>
      ${ListPage.card("apps", { existing: factors.apps, none: factors.none }, rows, adding)} ${hasFactor && recoveryCard(recoveryCodes, given)}
      ${hasFactor && devicesCard(everyDevice, given)}
      <p class="below"><a href="${home}">${password.back}</a></p>`
  }
})

const open = AccountFactors.overview.pipe(Effect.flatMap(listView), Effect.flatMap(Page.render))

const addView = Effect.fnUntraced(function* (
  { enrollment, picture, secret }: FactorEnrollment,
  state: FormState.FormState<"name"> = FormState.empty
) {
  const { texts, token } = yield* PageTexts.load
  const { factors } = texts
  const shown = Redacted.value(secret).replace(/.{4}(?=.)/g, "$& ")
  return {
    title: factors.add,
    main: html`<h1>${factors.add}</h1>
      <p class="faint">${factors.addLead}</p>
      <div class="card">
        <div class="qr" role="img" aria-label="${factors.picture}">${unsafeRaw(Redacted.value(picture))}</div>
        ${FormView.form({
          action: paths.list,
          token,
          button: factors.button,
          fields: [
            html`<input type="hidden" name="enrolment" value="${Redacted.value(enrollment)}" />
              <p>
                <strong>${factors.secret}</strong><br />
                <code id="secret">${shown}</code><br />
                <span class="faint">${factors.secretHint}</span>
              </p>`,
            FormView.field(state, {
              name: "name",
              label: factors.name,
              hint: factors.nameHint,
              attributes: html`type="text" autocomplete="off" maxlength="${maxName}" value="${state.values.name}"`
            }),
            FormView.field(state, {
              name: "code",
              label: factors.code,
              hint: factors.codeHint,
              attributes: html`type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="16"`
            })
          ]
        })}
      </div>
      <p class="below"><a href="${paths.list}">${factors.back}</a></p>`
  }
})

const openAdd = AccountFactors.begin.pipe(Effect.flatMap(addView), Effect.flatMap(Page.render))

const codesView = Effect.fnUntraced(function* (codes: ReadonlyArray<string>, notice?: string) {
  const { factors } = yield* PageTexts.texts
  return {
    title: factors.newCodes,
    main: html`<h1>${factors.newCodes}</h1>
      ${notice !== undefined && html`<p class="notice success" role="status">${notice}</p>`}
      <div class="card">
        <p><strong>${factors.newCodesHint}</strong></p>
        <ol class="codes">
          ${codes.map((code) => html`<li><code>${code}</code></li>`)}
        </ol>
      </div>
      <p class="below"><a href="${paths.list}">${factors.back}</a></p>`
  }
})

// Not a redirect: the codes would have to be stored until the next request.
const created = (codes: ReadonlyArray<string>, notice?: string) =>
  Effect.flatMap(codesView(codes, notice), (page) => Page.render(page, 201))

const add = Effect.gen(function* () {
  const { recoveryCodes } = yield* AccountFactors.add
  if (recoveryCodes.length === 0) return yield* PageTexts.redirect(paths.list, ({ factors }) => factors.done)
  return yield* created(recoveryCodes, (yield* PageTexts.texts).factors.done)
}).pipe(
  Effect.catchTag("InvalidForm", (invalid) =>
    Effect.flatMap(invalid.status === 410 ? AccountFactors.begin : AccountFactors.again, (begun) =>
      InvalidPage.render(invalid, addView(begun, invalid))
    )
  )
)

const remove = Effect.zipRight(
  AccountFactors.remove,
  PageTexts.redirect(paths.list, ({ factors }) => factors.removed)
)

const renew = Effect.gen(function* () {
  const recoveryCodes = yield* AccountFactors.renewRecoveryCodes
  return recoveryCodes.length > 0 ? yield* created(recoveryCodes) : NoStore.seeOther(paths.list)
})

const choose = Effect.zipRight(
  AccountFactors.choose,
  PageTexts.redirect(paths.list, ({ factors }) => factors.saved)
)

/** The pages of second factors below `/account/factors`, for users who confirmed recently who they are. */
export const routes = [
  HttpLayerRouter.route("GET", paths.list, requireConfirmation(open)),
  HttpLayerRouter.route("POST", paths.list, requireConfirmation(add)),
  HttpLayerRouter.route("GET", paths.add, requireConfirmation(openAdd)),
  HttpLayerRouter.route("POST", paths.remove, requireConfirmation(remove)),
  HttpLayerRouter.route("POST", paths.recoveryCodes, requireConfirmation(renew)),
  HttpLayerRouter.route("POST", paths.everyDevice, requireConfirmation(choose))
]
