// A page in the layout of the site, with the flash message and the signed-in user.
import { Context, Effect, Option } from "effect"
import type { Html } from "../../src/http/Html.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import { Layout, type Notice, type User } from "../../src/http/Layout.ts"
import { CurrentUser } from "../../src/http/internal/CurrentUser.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import { languageOf } from "../http/internal/RequestTexts.ts"
import type * as SessionCookie from "./internal/SessionCookie.ts"
import * as Flash from "./Flash.ts"
import * as StoredFlash from "./internal/StoredFlash.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

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
export const user: Effect.Effect<User | undefined> = RequestServices.use((services: Context.Context<never>) =>
  Context.get(services, CurrentUser)(services)
)

/**
 * The page in the layout, with the flash message; never cached.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Html } from "effect-framework/http"
 * import { Page } from "effect-framework/routes/session"
 *
 * export const route = HttpLayerRouter.route(
 *   "GET",
 *   "/tea",
 *   Page.render({ title: "Tea", main: Html.html`<h1>Tea</h1>` })
 * )
 * ```
 */
export const render = Effect.fnUntraced(function* (
  { main, problem, title, width = "narrow" }: Page,
  status: number = 200
) {
  const services = yield* Effect.context<Layout | SessionCookie.Needs>()
  const language = languageOf(services)
  const flash = yield* StoredFlash.take
  const signedIn = yield* user
  const notices: ReadonlyArray<Notice> = problem === undefined ? Option.toArray(flash) : [Flash.error(problem)]
  const page = Context.get(services, Layout).page({
    // A screen reader reads the title first, so it names the error.
    title: problem === undefined ? title : language.texts(HttpTexts).layout.errorTitle(title),
    main,
    notices,
    width,
    language,
    ...(signedIn !== undefined && { user: signedIn })
  })
  return NoStore.page(page, status)
})
