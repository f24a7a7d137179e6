// What a page of authentication is made of: the CSRF token of its form, and its texts.
import { Effect } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { FormTexts } from "../../../src/session/FormTexts.ts"
import { HttpTexts } from "../../../src/http/HttpTexts.ts"
import * as CsrfCheck from "../../session/CsrfCheck.ts"
import * as Flash from "../../session/Flash.ts"
import * as StoredFlash from "../../session/internal/StoredFlash.ts"
import * as Remembered from "../../../src/http/internal/text/Remembered.ts"
import * as Texts from "../../http/Texts.ts"

// A quarter of the sign-in form, where each request makes them anew.
const merged = Remembered.byObject((auth: AuthTexts["Type"]) =>
  Remembered.byObject((form: FormTexts["Type"]) =>
    Remembered.byObject(({ reveal }: HttpTexts["Type"]) => ({ ...auth, validation: form, reveal }))
  )
)

/** The texts of the pages, of their forms and of the buttons beside their passwords. */
export const texts = Effect.map(Texts.language, (language) =>
  merged(language.texts(AuthTexts))(language.texts(FormTexts))(language.texts(HttpTexts))
)

/** The CSRF token and the texts of a page with a form. */
export const load = Effect.all({ token: CsrfCheck.token, texts })

type Given = Effect.Effect.Success<typeof texts>

/** Calls a handler with the texts of authentication. */
export const withTexts = <A, E, R>(handler: (given: Given) => Effect.Effect<A, E, R>) => Effect.flatMap(texts, handler)

/** Redirects, and says there that it is done. */
export const redirect = (to: string, done: (given: Given) => string) =>
  withTexts((given) => StoredFlash.redirect(to, Flash.success(done(given))))
