// The pages of the password: to change it, to set one where there is none, and to remove it.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { canSignIn, type PasswordState } from "../../../src/auth/internal/WaysIn.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as Flash from "../../session/Flash.ts"
import * as FormState from "../../session/FormState.ts"
import * as FormView from "../../session/internal/FormView.ts"
import * as Page from "../../session/Page.ts"
import * as InvalidPage from "../../session/internal/InvalidPage.ts"
import * as Respond from "../../session/Respond.ts"
import { requireConfirmation, requireUser } from "../Access.ts"
import * as ConfirmFirst from "../confirmation/ConfirmFirst.ts"
import * as AccountFields from "../internal/AccountFields.ts"
import { forgot, home, password as paths } from "../internal/AuthPaths.ts"
import * as PageTexts from "../internal/PageTexts.ts"
import * as AccountTokens from "../tokens/AccountTokens.ts"
import * as ChosenPassword from "./ChosenPassword.ts"
import * as PasswordChange from "./PasswordChange.ts"

const methods = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(SignInMethods, ({ list }) => list(id))
})

const state = Effect.map(methods, ({ password }) => password)

type Texts = Effect.Effect.Success<typeof PageTexts.texts>

const page = (title: string, lead: string, inner: Html, { password }: Texts) => ({
  title,
  main: html`<h1>${title}</h1>
    <p class="faint">${lead}</p>
    <div class="card">${inner}</div>
    <p class="below"><a href="${home}">${password.back}</a></p>`
})

const keepTokens = Effect.map(Effect.all([AccountTokens.list, PageTexts.texts]), ([tokens, texts]) =>
  tokens.length === 0
    ? []
    : [
        html`<div class="check">
          <input id="keep_tokens" name="keep_tokens" type="checkbox" value="1" />
          <label for="keep_tokens">${texts.tokens.keepAll}</label>
        </div>`
      ]
)

// Nobody can enter the current password: the mailbox decides.
const lockedView = Effect.map(PageTexts.texts, (texts) => {
  const { button, lead, title } = texts.methods.locked
  return page(title, lead, html`<a class="button wide" href="${forgot}">${button}</a>`, texts)
})

const formView = Effect.fnUntraced(function* (isFirst: boolean, given: FormState.FormState<never>) {
  const { email, id } = yield* CurrentIdentity
  const hints = yield* ChosenPassword.hints({ email, id })
  const { texts, token } = yield* PageTexts.load
  const { button, lead, title } = isFirst ? texts.methods.set : texts.password
  const form = FormView.form({
    action: paths.page,
    token,
    button,
    fields: [
      AccountFields.owner(email),
      ...(isFirst ? [] : [AccountFields.currentPassword(given, "current", texts)]),
      ...AccountFields.newPassword(given, texts.fields.newPassword, texts, hints),
      ...(yield* keepTokens)
    ]
  })
  const canRemove = !isFirst && canSignIn({ ...(yield* methods), password: "none" })
  const removal = html`<p class="below"><a href="${paths.remove}">${texts.methods.remove.title}</a></p>`
  return page(title, lead, canRemove ? html`${form} ${removal}` : form, texts)
})

const view = (found: PasswordState, given: FormState.FormState<never> = FormState.empty) =>
  found === "locked" ? lockedView : formView(found === "none", given)

// What a person without a password has to prove first is in the place of the current one.
const confirmedFor = <E, R>(handler: (found: PasswordState) => ConfirmFirst.Handler<E, R>) =>
  Effect.flatMap(state, (found): ReturnType<typeof ConfirmFirst.guard<E, R>> =>
    found === "none" ? ConfirmFirst.guard(handler(found)) : handler(found)
  )

const open = confirmedFor((found) => Respond.render(view(found)))

const submit = confirmedFor((found) =>
  Effect.gen(function* () {
    yield* found === "none" ? PasswordChange.set : PasswordChange.change
    const { methods, password } = yield* PageTexts.texts
    return yield* Respond.redirectWithFlash(home, Flash.success(found === "none" ? methods.set.done : password.done))
  }).pipe(
    // Read again: it may have been set meanwhile.
    Effect.catchTag("InvalidForm", (invalid) =>
      Respond.renderInvalid(
        invalid,
        Effect.flatMap(state, (now) => view(now, invalid))
      )
    )
  )
)

const removeView = Effect.fnUntraced(function* (given: FormState.FormState<never> = FormState.empty) {
  const { email } = yield* CurrentIdentity
  const { texts, token } = yield* PageTexts.load
  const { button, lead, title } = texts.methods.remove
  const fields = [
    AccountFields.owner(email),
    AccountFields.currentPassword(given, "current", texts),
    ...(yield* keepTokens)
  ]
  return page(title, lead, FormView.form({ action: paths.remove, token, button, fields }), texts)
})

const openRemove = Effect.flatMap(removeView(), Page.render)

const submitRemove = Effect.zipRight(
  PasswordChange.remove,
  PageTexts.redirect(home, ({ methods }) => methods.remove.done)
).pipe(
  Effect.catchTags({
    InvalidForm: (invalid) => InvalidPage.render(invalid, removeView(invalid)),
    LastSignInMethod: () =>
      PageTexts.withTexts(({ methods: { last: error } }) => InvalidPage.render({ status: 409, error }, removeView()))
  })
)

/** `GET` and `POST /password` and `/password/remove`, for signed-in users, limited; without the current one, after a confirmation. */
export const routes = [
  HttpLayerRouter.route("GET", paths.page, requireUser(open)),
  HttpLayerRouter.route("POST", paths.page, requireUser(submit)),
  HttpLayerRouter.route("GET", paths.remove, requireConfirmation(openRemove)),
  HttpLayerRouter.route("POST", paths.remove, requireConfirmation(submitRemove))
]
