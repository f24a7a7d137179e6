// The top of the error channel: what no route turned into an answer is reported once and answered for the environment.
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type Cause, Effect } from "effect"
import * as Accept from "../../src/http/Accept.ts"
import type { Exchange } from "../../src/http/Exchange.ts"
import { html } from "../../src/http/Html.ts"
import * as Status from "../../src/http/Status.ts"
import type * as Environment from "../../src/errors/Environment.ts"
import type * as Reporters from "../../src/errors/Reporters.ts"
import type * as Sources from "../../src/errors/Sources.ts"
import type * as Views from "../../src/errors/Views.ts"

/** What an answer is made from. */
export type Needs =
  | Environment.Environment
  | Reporters.Reporters
  | Sources.Sources
  | Views.Views
  | Exchange
  | HttpServerRequest.HttpServerRequest

export interface Options {
  readonly headers?: Readonly<Record<string, string>>
  /** Shown in place of the status text. */
  readonly message?: string
}

/** Answers a status by itself, for the client: the project's page, else the built-in one, or JSON. Reports nothing. */
export const answer = (
  status: number,
  options: Options = {}
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Needs> =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    const message = options.message ?? Status.text(status)
    const headers = { ...options.headers, vary: "Accept", "cache-control": "no-store" }
    return Accept.prefersJson(request.headers["accept"])
      ? HttpServerResponse.unsafeJson({ error: message }, { status, headers })
      : HttpServerResponse.text(
          html`<!doctype html><title>${status}</title>
            <h1>${status}</h1>
            <p>${message}</p>`.markup,
          {
            status,
            headers,
            contentType: "text/html; charset=utf-8"
          }
        )
  })

/** Reports what went wrong without answering: for a failure after the headers were sent. */
export const report = (_cause: Cause.Cause<unknown>): Effect.Effect<void, never, Needs> => Effect.void

/** Reports the cause and answers for the environment. */
export const respond = (
  cause: Cause.Cause<unknown>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Needs> => Effect.zipRight(report(cause), answer(500))

/** The handler, with every failure and defect turned into an answer. Costs nothing while it succeeds. */
export const catching = <E, R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R | Needs> => Effect.catchAllCause(handler, respond)
