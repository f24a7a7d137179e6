// An HTTP app as a value: its routes, and the response when no route matches.
import type { Cause, Context, Effect } from "effect"
import type { State } from "../../http/internal/RequestState.ts"

/** Why no route matches. */
export type NoRoute =
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "MethodNotAllowed"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Options"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Malformed" }

/** Routes whose failures are all handled. */
export interface App<Route, Response, R> {
  readonly routes: ReadonlyArray<Route>
  /** What every request has unless the program provides another: references that other subsystems fill. */
  readonly services: Context.Context<never>
  /** Added to `routes` where requests are recorded: in `development`. */
  readonly development?: ReadonlyArray<Route>
  readonly fallback: (miss: NoRoute) => Effect.Effect<Response, never, R>
  /** The header lines of a response: name, value, name, value. */
  readonly head: (state: State, response: Response) => Array<string>
  /** Reports a body that failed before anything was sent, and makes the response that replaces it. */
  readonly failed: (cause: Cause.Cause<unknown>) => Effect.Effect<Response, never, R>
  /** Reports a failure after the head of the response was sent. */
  readonly late: (cause: Cause.Cause<unknown>) => Effect.Effect<void, never, R>
}
