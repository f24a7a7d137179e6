// A status as an answer: the project's page, else the built-in one, else plain text; JSON for a program.
import { Headers, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type Cause, Effect, type Option } from "effect"
import * as ErrorBody from "../../src/errors/ErrorBody.ts"
import * as StatusPage from "../../src/errors/StatusPage.ts"
import type { Page, ErrorPages } from "../../src/errors/ErrorPages.ts"
import * as Status from "../../src/http/Status.ts"
import { kind } from "./Negotiation.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What the answer carries besides its status. */
export interface Options {
  readonly headers?: Readonly<Record<string, string>>
  /** Shown in place of the status text. */
  readonly message?: string
  /** What was expected of the request, by path: for a program. */
  readonly fields?: ErrorBody.Fields
}

/** A text body. The answer depends on `Accept` and must not be kept. */
export const send = (
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): Response => {
  const all: Record<string, string> = { "content-type": contentType, vary: "Accept", "cache-control": "no-store" }
  for (const name in headers) all[name.toLowerCase()] = headers[name] ?? ""
  return HttpServerResponse.raw(body, { status, headers: Headers.unsafeFromRecord(all) })
}

const builtInPolicy =
  `default-src 'none'; style-src ${StatusPage.styleHash}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

interface Parts {
  readonly views: ErrorPages["Type"]
  readonly request: HttpServerRequest.HttpServerRequest
  /** Told of a project page that cannot be rendered. */
  readonly report: (cause: Cause.Cause<unknown>) => Effect.Effect<void>
}

/** The answer of a status for this client. Never fails: each way to say it falls back to a simpler one. */
export const make = (
  { report, request, views }: Parts,
  status: number,
  { fields, headers = {}, message }: Options
): Effect.Effect<Response> => {
  const text = Status.text(status)
  const said = message ?? text
  const wanted = kind(request.headers["accept"])
  if (wanted === "application/json") {
    return Effect.sync(() => send(status, wanted, JSON.stringify(ErrorBody.status(said, fields)), headers))
  }
  if (wanted === "application/problem+json") {
    return Effect.sync(() =>
      send(status, wanted, JSON.stringify(ErrorBody.problem(status, said, undefined, fields)), headers)
    )
  }
  const html = (body: string, csp: string) =>
    send(status, "text/html; charset=utf-8", body, { ...headers, "content-security-policy": csp })
  const builtIn = () => html(StatusPage.render(status, said), builtInPolicy)
  const shown = (page: Option.Option<Page>) =>
    page._tag === "Some" ? html(page.value.markup, page.value.policy) : builtIn()
  return Effect.suspend(() => views.page({ status, text, message: said })).pipe(
    Effect.map(shown),
    Effect.catchAllCause((cause) => Effect.as(report(cause), builtIn())),
    Effect.catchAllCause(() => Effect.sync(() => send(status, "text/plain; charset=utf-8", said, headers)))
  )
}
