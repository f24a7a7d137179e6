// The pages and the JSON of notes: a list by page or by cursor, and its forms.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { Accept, Html } from "effect-framework/http"
import { Links } from "effect-framework/pagination"
import { Access } from "effect-framework/routes/auth"
import { Flash, FormState, Page, Respond } from "effect-framework/routes/session"
import { CsrfCheck } from "effect-framework/routes/session"
import { ListRoute } from "effect-framework/routes/pagination"
import * as Notes from "./Notes.ts"

const { html } = Html

const tokenField = (token: string) => html`<input type="hidden" name="_token" value="${token}" />`

const form = ({ fieldErrors, values }: FormState.FormState<"text">, token: string) => {
  const { text: error } = fieldErrors
  const invalid = error !== undefined && html`aria-invalid="true" aria-describedby="text-error" autofocus`
  return html`<form class="card" method="post" action="/notes">
    ${tokenField(token)}
    <div class="field">
      <label for="text">A new note</label>
      <input id="text" name="text" value="${values.text}" required maxlength="500" autocomplete="off" ${invalid} />
      ${error !== undefined && html`<p class="error" id="text-error">${error}</p>`}
    </div>
    <button type="submit">Keep it</button>
  </form>`
}

const item = ({ id, text }: Notes.Note, token: string) =>
  html`<li>
    <p class="long">${text}</p>
    <form method="post" action="/notes/${id}/delete">
      ${tokenField(token)}
      <button class="quiet small" type="submit" aria-label="Delete “${text}”">Delete</button>
    </form>
  </li>`

const search = (q: string) =>
  html`<form class="card row" method="get" action="/notes" role="search">
    <div class="field">
      <label for="q">Search your notes</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="100" />
    </div>
    <button class="quiet" type="submit">Search</button>
  </form>`

const list = ({ items, pagination, request }: ListRoute.ListPage<Notes.Note>, q: string, token: string) => {
  const { next, prev } = Links.adjacent(request, pagination)
  if (items.length === 0 && prev === undefined) {
    return q === ""
      ? html`<p class="below">You have no notes yet.</p>`
      : html`${search(q)}
          <p class="below">No note has this text. <a href="/notes">All notes</a></p>`
  }
  return html`${search(q)}
    <div class="card">
      <ul class="list">
        ${items.map((note) => item(note, token))}
      </ul>
    </div>
    <nav class="row spread" aria-label="Pages">
      <span>${prev !== undefined && html`<a rel="prev" href="${prev}">← Newer</a>`}</span>
      <span>${next !== undefined && html`<a rel="next" href="${next}">Older →</a>`}</span>
    </nav>`
}

const page = Effect.fn("Notes.page")(function* (state: FormState.FormState<"text"> = FormState.empty) {
  const { notes, selection } = yield* Notes.mine
  const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
  const request = Links.parse(originalUrl)
  const chosen = yield* Notes.parameters.decode(request, selection)
  const shown = yield* ListRoute.paginate(request, notes, chosen.selection)
  const token = yield* CsrfCheck.token
  return {
    title: "Notes",
    main: html`<h1>Notes</h1>
      ${form(state, token)} ${list(shown, chosen.values.q ?? "", token)}`
  }
})

const show = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  if (!Accept.prefersJson(headers["accept"])) return yield* Page.render(yield* page())
  const { notes, selection } = yield* Notes.mine
  return yield* ListRoute.respond(notes, selection, { parameters: Notes.parameters })
})

// A form that is refused is shown again, with what was written and what is wrong with it.
const add = Effect.gen(function* () {
  const { text } = yield* FormState.read(Notes.Draft)
  yield* Notes.add(text)
  return yield* Respond.redirectWithFlash("/notes", Flash.success("Noted."), { status: 201, value: { text } })
}).pipe(Effect.catchTag("InvalidForm", (invalid) => Respond.renderInvalid(invalid, page(invalid))))

const remove = Effect.gen(function* () {
  const { id } = yield* HttpLayerRouter.schemaPathParams(Notes.Path)
  yield* Notes.remove(id)
  return yield* Respond.redirectWithFlash("/notes", Flash.success("Deleted."))
})

export const routes = [
  HttpLayerRouter.route("GET", "/notes", Access.requireUser(show)),
  HttpLayerRouter.route("POST", "/notes", Access.requireUser(add)),
  HttpLayerRouter.route("POST", "/notes/:id/delete", Access.requireUser(remove))
]
