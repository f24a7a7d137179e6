// A form that was refused, as a page.
import { Effect } from "effect"
import * as Page from "../Page.ts"

/** The form again, with the error above it. */
export const render = <E, R>(
  { error: problem, status }: { readonly status: number; readonly error: string },
  content: Effect.Effect<Page.Page, E, R>
) => Effect.flatMap(content, (page) => Page.render({ ...page, problem }, status))
