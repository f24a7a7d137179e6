// The buttons of the providers, on the pages of sign-in, sign-up and confirmation.
import { Effect } from "effect"
import { type Provider, Providers } from "../../../src/auth/Providers.ts"
import { html } from "../../../src/http/Html.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as MountedRoutes from "../../http/internal/MountedRoutes.ts"
import { tokenField } from "../../session/internal/FormView.ts"
import { providers as paths } from "../internal/AuthPaths.ts"

/** The providers that this program offers; none where their routes are not mounted. */
export const offered = Effect.gen(function* () {
  if (!(yield* MountedRoutes.has(paths.callback))) return []
  return yield* Effect.flatMap(Providers, ({ all }) => all)
})

// Chromium applies `form-action` also to the redirect that follows a form.
const allow = Effect.fnUntraced(function* (providers: ReadonlyArray<Provider>) {
  const state = yield* RequestState
  const origins = (yield* Effect.forEach(providers, (one) => one.origins)).flat()
  state.formOrigins = [...new Set(origins)]
})

/** How a page shows the buttons. */
interface View {
  readonly token: string
  /** The id of the form on the page that the buttons send; without one they have a form of their own. */
  readonly form?: string
  /** Where the button of a provider sends its form. */
  readonly action: (id: string) => string
  readonly label: (name: string) => string
  /** Between the buttons and what is above them. */
  readonly or?: string
}

/** The buttons, and with them the permission of the page to send its forms there; nothing without providers. */
export const view = Effect.fnUntraced(function* (
  providers: ReadonlyArray<Provider>,
  { action, form, label, or, token }: View
) {
  if (providers.length === 0) return undefined
  yield* allow(providers)
  // Nothing of the page's own fields has to be filled in for a provider.
  const sends = form !== undefined && html` form="${form}" formnovalidate`
  // The stylesheet knows the colours that a provider prescribes.
  const buttons = providers.map(
    ({ id, name }) =>
      html`<p><button class="quiet wide" data-provider="${id}" type="submit" formaction="${action(id)}"${sends}>${label(name)}</button></p>`
  )
  return html`${or !== undefined && html`<p class="below">${or}</p>`}
    ${form === undefined ? html`<form method="post">${tokenField(token)} ${buttons}</form>` : buttons}`
})
