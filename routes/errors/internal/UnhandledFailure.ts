// The failures of a route that would become 500 without anyone having said so, found by the type checker.
import type { HttpLayerRouter, HttpServerRespondable, Multipart } from "@effect/platform"
import type { ParseResult } from "effect"
import type * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"

/** The failures that have a response of their own. */
type Known =
  | HttpServerRespondable.Respondable
  | ErrorResponse.Respondable
  | ParseResult.ParseError
  | Multipart.MultipartError

/** What the type checker shows in place of a route whose failure has no response. */
export interface UnhandledFailure<E> {
  readonly "A route fails with an error that has no response: handle it, implement HttpServerRespondable, or declare it unexpected with Effect.orDie (effect-framework/docs/troubleshooting.md#an-unhandled-failure)": E
}

type Unhandled<Given extends ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>> = Exclude<
  HttpLayerRouter.Route.Error<Given[number]>,
  Known
>

/** The same list when every failure of its routes has a response; else a type that it does not have. */
export type Checked<Given extends ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>> = [Unhandled<Given>] extends [
  never
]
  ? Given
  : UnhandledFailure<Unhandled<Given>>
