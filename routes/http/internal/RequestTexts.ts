// The language of a request, read from its services.
import { HttpServerRequest } from "@effect/platform"
import { Context, Option } from "effect"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { type Language, Languages } from "../../../src/http/Languages.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

/** The language of this header, with the texts of these services. */
export const bind = (services: Context.Context<never>, acceptLanguage: string | undefined): Language => {
  const { catalogues, locale, tag } = Context.get(services, Languages).choose(acceptLanguage)
  return {
    tag,
    locale,
    texts: (catalogue) => Context.get(RequestServices.has(catalogues, catalogue) ? catalogues : services, catalogue)
  }
}

/** The language of the request. Its response then names it and varies with `Accept-Language`. */
export const languageOf = (services: Context.Context<HttpServerRequest.HttpServerRequest>): Language => {
  const { headers } = Context.get(services, HttpServerRequest.HttpServerRequest)
  const language = bind(services, headers["accept-language"])
  if (Context.get(services, Languages).tags.length === 1) return language
  // Another server may run the handler without the state of a request.
  const state = Context.getOption(services, RequestState)
  if (Option.isSome(state)) state.value.language = language.tag
  return language
}
