// A page in the layout of the site, with the flash message and the signed-in user.
import { Effect, Option } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import { readOnce } from "../../src/auth/ProfileRead.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import type { Html } from "../../src/http/Html.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import { Layout, type Notice } from "../../src/http/Layout.ts"
import * as CsrfCheck from "../http/CsrfCheck.ts"
import * as NoStore from "../http/NoStore.ts"
import * as Respond from "../http/Respond.ts"
import * as Texts from "../http/Texts.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Flash from "./Flash.ts"

/** The content of a page, without the layout. */
export interface Page {
  readonly title: string
  readonly main: Html
  /** `narrow` suits a form, which most of these are. */
  readonly width?: "narrow" | "wide"
  /** An error message, shown above the content. */
  readonly problem?: string | undefined
}

/** The signed-in user, for the layout; `undefined` for a guest. A page that shows a user is never cached. */
export const viewer = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const identity = yield* session.identity
  if (Option.isNone(identity)) return undefined
  const exchange = yield* Exchange
  for (const [name, value] of Object.entries(NoStore.headers)) exchange.headers.set(name, value)
  const token = yield* CsrfCheck.token
  return { email: identity.value.email, token, ...(yield* named(identity.value.id)) }
})

// The profile costs a statement, so it is read only where it has a name to show.
const named = Effect.fnUntraced(function* (user: AccountId) {
  const profiles = Option.getOrUndefined(yield* Effect.serviceOption(Profiles))
  const show = profiles?.definition.viewer
  if (profiles === undefined || show === undefined) return {}
  const row = yield* readOnce(profiles, user)
  return Option.isNone(row) ? {} : yield* show(row.value)
})

/** The page in the layout, with the flash message; never cached. */
export const render = Effect.fnUntraced(function* (
  { main, problem, title, width = "narrow" }: Page,
  status: number = 200
) {
  const layout = yield* Layout
  const language = yield* Texts.language
  const flash = yield* Flash.take
  const user = yield* viewer
  const notices: ReadonlyArray<Notice> = problem === undefined ? Option.toArray(flash) : [Flash.bad(problem)]
  const page = layout.page({
    // A screen reader reads the title first, so it names the error.
    title: problem === undefined ? title : language.texts(HttpTexts).layout.errorTitle(title),
    main,
    notices,
    width,
    language,
    ...(user !== undefined && { viewer: user })
  })
  return Respond.page(page, { status, headers: NoStore.headers })
})
