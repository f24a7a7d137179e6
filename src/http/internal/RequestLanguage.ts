// The language of a request, bound to the services that hold its texts.
import { Context } from "effect"
import { type Language, Languages } from "../Languages.ts"
import * as RequestServices from "./RequestServices.ts"

/** The language of this header, with the texts of these services. */
export const bind = (services: Context.Context<never>, acceptLanguage: string | undefined): Language => {
  const { catalogues, locale, tag } = Context.get(services, Languages).choose(acceptLanguage)
  return {
    tag,
    locale,
    texts: (catalogue) => Context.get(RequestServices.has(catalogues, catalogue) ? catalogues : services, catalogue)
  }
}
