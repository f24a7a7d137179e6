// A page in its frame, for whoever looks: with the message that was left for them and their way out.
import { Effect, Option } from "effect"
import { Exchange } from "../../src/http/Exchange.ts"
import type { Html } from "../../src/http/Html.ts"
import { Layout, type Notice } from "../../src/http/Layout.ts"
import * as CsrfCheck from "../http/CsrfCheck.ts"
import * as NoStore from "../http/NoStore.ts"
import * as Respond from "../http/Respond.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Flash from "./Flash.ts"

/** A page before its frame. */
export interface Page {
  readonly title: string
  readonly main: Html
  /** `narrow` suits a form, which most of these are. */
  readonly width?: "narrow" | "wide"
  /** What went wrong, above all else. */
  readonly problem?: string | undefined
}

/** Who is signed in, for the frame of a page. A page with a name on it is for that person alone, so it is not kept. */
export const viewer = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const identity = yield* session.identity
  if (Option.isNone(identity)) return undefined
  const exchange = yield* Exchange
  for (const [name, value] of Object.entries(NoStore.headers)) exchange.headers.set(name, value)
  return { email: identity.value.email, token: yield* CsrfCheck.token }
})

/** The page in the layout, with the message that was left; what a person sees is never cached. */
export const render = Effect.fnUntraced(function* (
  { main, problem, title, width = "narrow" }: Page,
  status: number = 200
) {
  const layout = yield* Layout
  const left = yield* Flash.take
  const person = yield* viewer
  const notices: ReadonlyArray<Notice> = problem === undefined ? Option.toArray(left) : [Flash.bad(problem)]
  const page = layout.page({
    // A screen reader reads the title first: it should say that something went wrong.
    title: problem === undefined ? title : `Error: ${title}`,
    main,
    notices,
    width,
    ...(person !== undefined && { viewer: person })
  })
  return Respond.page(page, { status, headers: NoStore.headers })
})
