// A card of the account page that leads to a page of its own.
import type { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { type Html, html } from "../../../src/http/Html.ts"
import * as Remembered from "../../../src/http/internal/text/Remembered.ts"

/** What a card says. */
interface Words {
  readonly title: string
  readonly lead: string
  readonly button: string
}

/** The card in the language of these texts, rendered once for each of them. */
export const linkTo = (id: string, path: string, words: (texts: typeof AuthTexts.Service) => Words) =>
  Remembered.byObject((texts: typeof AuthTexts.Service): Html => {
    const { button, lead, title } = words(texts)
    return html`<section class="card" aria-labelledby="${id}">
      <h2 id="${id}">${title}</h2>
      <p class="faint">${lead}</p>
      <a class="button quiet" href="${path}">${button}</a>
    </section>`
  })
