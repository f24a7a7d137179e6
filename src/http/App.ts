// A whole HTTP program as a value: its routes, and what it says when none of them answers.
import type { Cause, Effect } from "effect"
import type { State } from "./Exchange.ts"

/** Why no route answers. */
export type NoRoute =
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "MethodNotAllowed"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Options"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Malformed" }

/** Routes whose failures have all become answers. */
export interface App<Route, Response, R> {
  readonly routes: ReadonlyArray<Route>
  readonly fallback: (miss: NoRoute) => Effect.Effect<Response, never, R>
  /** Every header line of an answer, name and value in turn. */
  readonly head: (exchange: State, response: Response) => Array<string>
  /** Reports a failure of a body of which nothing was sent yet, and answers in its place. */
  readonly failed: (cause: Cause.Cause<unknown>) => Effect.Effect<Response, never, R>
  /** Told of a failure that came too late to be an answer: the head of the response was already sent. */
  readonly late: (cause: Cause.Cause<unknown>) => Effect.Effect<void, never, R>
}
