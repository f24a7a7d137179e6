// The services that the Catcher needs.
import type { HttpServerRequest } from "@effect/platform"
import type { Environment } from "../../../src/config/Environment.ts"
import type { ErrorPages } from "../../../src/errors/ErrorPages.ts"
import type { Reporters } from "../../../src/errors/Reporters.ts"
import type { Sources } from "../../../src/errors/Sources.ts"
import type { RequestState } from "../../../src/http/internal/RequestState.ts"

/** Where it runs, who hears of a failure, and what a response shows. */
export type Services =
  | Environment
  | Reporters
  | Sources
  | ErrorPages
  | RequestState
  | HttpServerRequest.HttpServerRequest
