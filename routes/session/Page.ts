// A page in the layout of the site, with the flash message and the signed-in user.
import { Context, Effect, Option } from "effect"
import type { Html } from "../../src/http/Html.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import { CurrentViewer, Layout, type Notice, type Viewer } from "../../src/http/Layout.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import { languageOf } from "../http/internal/RequestTexts.ts"
import type * as SessionCookie from "./internal/SessionCookie.ts"
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
export const viewer: Effect.Effect<Viewer | undefined> = Effect.contextWithEffect((services: Context.Context<never>) =>
  Context.get(services, CurrentViewer)(services)
)

/** The page in the layout, with the flash message; never cached. */
export const render = Effect.fnUntraced(function* (
  { main, problem, title, width = "narrow" }: Page,
  status: number = 200
) {
  const services = yield* Effect.context<Layout | SessionCookie.Needs>()
  const language = languageOf(services)
  const flash = yield* Flash.take
  const user = yield* viewer
  const notices: ReadonlyArray<Notice> = problem === undefined ? Option.toArray(flash) : [Flash.bad(problem)]
  const page = Context.get(services, Layout).page({
    // A screen reader reads the title first, so it names the error.
    title: problem === undefined ? title : language.texts(HttpTexts).layout.errorTitle(title),
    main,
    notices,
    width,
    language,
    ...(user !== undefined && { viewer: user })
  })
  return NoStore.page(page, status)
})

/** The form again, with the error above it. */
export const renderInvalid = <E, R>(
  { error: problem, status }: { readonly status: number; readonly error: string },
  content: Effect.Effect<Page, E, R>
) => Effect.flatMap(content, (page) => render({ ...page, problem }, status))
