// The pages on which a person manages a list: passkeys, authenticator apps, API tokens, identities.
import { Effect } from "effect"
import { type Html, html } from "../../../src/http/Html.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as Texts from "../../http/Texts.ts"
import * as PageTexts from "./PageTexts.ts"

/** What every part of such a page needs. */
export const parts = Effect.gen(function* () {
  const { texts, token } = yield* PageTexts.load
  return { texts, token, language: yield* Texts.language, now: yield* EpochSeconds.seconds }
})

export type Parts = Effect.Effect.Success<typeof parts>

interface Titles {
  readonly existing: string
  readonly none: string
}

/** The card with the list; `below` it stands what adds to it. */
export const card = (id: string, { existing, none }: Titles, rows: ReadonlyArray<Html>, below?: Html): Html =>
  html`<section class="card" aria-labelledby="${id}">
    <h2 id="${id}">${existing}</h2>
    ${rows.length === 0 ? html`<p class="faint">${none}</p>` : html`<ul class="list">${rows}</ul>`} ${below}
  </section>`
