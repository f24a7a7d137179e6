// The page on which a signed-in user confirms who they are, before a change that a stolen session must not make: by the
// password, or by a factor that the account has.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import { type FactorKind, Factors } from "../../../src/auth/Factors.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import { html } from "../../../src/http/Html.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import { requireUser } from "../Access.ts"
import { confirm as path, home, passkeyConfirm } from "../internal/AuthPaths.ts"
import * as Confirmation from "./Confirmation.ts"
import * as FactorCode from "../factors/FactorCode.ts"
import * as FormState from "../../session/FormState.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as Page from "../../session/Page.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as PasskeyView from "../passkeys/PasskeyView.ts"

// A passkey confirms also where it follows no password: an account without an authenticator app may have one.
const kindsOf = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const { kinds } = yield* Effect.flatMap(Factors, ({ required }) => required(id))
  const codes = kinds.filter((kind) => kind !== "passkey")
  if (!(yield* MountedRoutes.has(passkeyConfirm.verify))) return codes
  const passkeys = yield* Effect.flatMap(Passkeys, ({ list }) => list(id))
  return passkeys.length === 0 ? codes : [...codes, "passkey" as const]
})

/** The forms for what this account has. */
export const view = Effect.fnUntraced(function* (
  kinds: ReadonlyArray<FactorKind>,
  state: FormState.FormState<never> = FormState.empty
) {
  const { email } = yield* CurrentIdentity
  const { texts, token } = yield* PageTexts.load
  const hasCode = kinds.includes("totp")
  const focused = { focus: state.fieldErrors["code"] === undefined ? "current" : "code", ...state }
  const current = FormView.form({
    action: path,
    token,
    button: texts.confirm.button,
    fields: [AccountFields.owner(email), AccountFields.currentPassword(focused, "current", texts)]
  })
  const code = html`<p class="below">${texts.confirm.or}</p>
    ${FormView.form({ action: path, token, button: texts.confirm.buttonWithCode, fields: [FactorCode.field(focused, texts)] })}`
  return {
    title: texts.confirm.title,
    main: html`<h1>${texts.confirm.title}</h1>
      <p class="faint">${hasCode ? texts.confirm.leadWithCode : texts.confirm.lead}</p>
      <div class="card">
        ${current} ${hasCode && code} ${kinds.includes("passkey") && PasskeyView.confirmation(texts.passkeys, token)}
      </div>
      <p class="below"><a href="${home}">${texts.password.back}</a></p>`
  }
})

/** The page again, with what is wrong. */
export const refuse = (invalid: FormState.InvalidForm) =>
  Page.renderInvalid(
    invalid,
    Effect.flatMap(kindsOf, (kinds) => view(kinds, invalid))
  )

/** Where a confirmed person continues: the page that asked for it, once, or the account page. */
export const proceed = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const target = Option.flatMapNullable(yield* session.pull(ReturnTo.confirmKey), ReturnTo.parse)
  return NoStore.seeOther(Option.getOrElse(target, () => home))
})

const open = kindsOf.pipe(Effect.flatMap(view), Effect.flatMap(Page.render))

const submit = Effect.zipRight(Confirmation.submit, proceed).pipe(Effect.catchTag("InvalidForm", refuse))

/** `GET` and `POST /confirm`, for signed-in users, limited by client and by account. */
export const routes = [
  HttpLayerRouter.route("GET", path, requireUser(open)),
  HttpLayerRouter.route("POST", path, requireUser(submit))
]
