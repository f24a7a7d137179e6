// A refusal for a client that takes no page.
import { HttpServerRequest } from "@effect/platform"
import { Context, Effect } from "effect"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import { idOf } from "../../../src/http/internal/RequestState.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"
import { kind } from "../../errors/internal/StatusResponse.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { languageOf } from "../../http/internal/RequestTexts.ts"
import * as TextResponse from "../../http/internal/TextResponse.ts"
import * as Flash from "../Flash.ts"
import * as StoredFlash from "./StoredFlash.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Whether the client of the request takes JSON rather than a page. */
export const prefersJson = (services: Context.Context<Request>): boolean =>
  kind(Context.get(services, HttpServerRequest.HttpServerRequest).headers["accept"]) !== "text/html"

/** The refusal as JSON, or as a problem document where the client prefers that. */
export const make = (
  services: Context.Context<Request>,
  status: number,
  error: string,
  fields?: Readonly<Record<string, string>>
) => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  if (kind(headers["accept"]) !== "application/problem+json") {
    return NoStore.json(ErrorBody.status(error, fields), status)
  }
  const title = Status.text(status, languageOf(services).texts(HttpTexts).statuses)
  const problem = ErrorBody.problem(status, error, { id: idOf(services), fields, title })
  return TextResponse.make(JSON.stringify(problem), "application/problem+json", NoStore.headers, status)
}

/** A link that is invalid or expired: 410 for a JSON client, a redirect with the message for a browser. */
export const gone = Effect.fnUntraced(function* (to: string, text: string) {
  const services = yield* Effect.context<Request>()
  return prefersJson(services) ? make(services, 410, text) : yield* StoredFlash.redirect(to, Flash.error(text))
})
