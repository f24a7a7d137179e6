// What an API token of the demo may do.
import * as ApiScopes from "../../src/auth/ApiScopes.ts"

const isGerman = (locale: string): boolean => locale.startsWith("de")

export const Scopes = ApiScopes.make({
  "articles:write": (locale) =>
    isGerman(locale) ? "Ihre Artikel veröffentlichen, ändern und löschen" : "Publish, change and delete your articles"
})
