// The language of a request, read from its services.
import { HttpServerRequest } from "@effect/platform"
import { Context, Option } from "effect"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { type Language, Languages } from "../../../src/http/Languages.ts"
import * as RequestLanguage from "../../../src/http/internal/RequestLanguage.ts"

/** The language of the request. Its response then names it and varies with `Accept-Language`. */
export const languageOf = (services: Context.Context<HttpServerRequest.HttpServerRequest>): Language => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  const language = RequestLanguage.bind(services, headers["accept-language"])
  if (Context.get(services, Languages).tags.length === 1) return language
  // Another server may run the handler without an exchange.
  const exchange = Context.getOption(services, RequestState)
  if (Option.isSome(exchange)) exchange.value.language = language.tag
  return language
}
