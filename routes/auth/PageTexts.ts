// What a page of authentication is made of: the CSRF token of its form, and its texts.
import { Effect } from "effect"
import { AuthTexts } from "../../src/auth/AuthTexts.ts"
import { HttpTexts } from "../../src/http/HttpTexts.ts"
import * as CsrfCheck from "../http/CsrfCheck.ts"
import * as Texts from "../http/Texts.ts"

/** The texts of the pages and of the buttons beside their passwords. */
export const texts = Effect.map(Texts.language, (language) => ({
  ...language.texts(AuthTexts),
  reveal: language.texts(HttpTexts).reveal
}))

/** The CSRF token and the texts of a page with a form. */
export const load = Effect.all({ token: CsrfCheck.token, texts })

/** Calls a handler with the texts of authentication. */
export const withTexts = <A, E, R>(handler: (texts: typeof AuthTexts.Service) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Texts.of(AuthTexts), handler)
