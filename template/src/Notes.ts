// Everyone's own notes, the newest first, by page or by cursor.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Context, Effect, Schema } from "effect"
import { Identity } from "effect-framework/auth"
import { Accept, Html } from "effect-framework/http"
import { Column, Entity, Links, type Repository } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"
import { Access, Flash, FormRequest, Page, Reply } from "effect-framework/routes/auth"
import { CsrfCheck } from "effect-framework/routes/http"
import { Resource } from "effect-framework/routes/pagination"

const { html } = Html
const { CurrentIdentity } = Identity

const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.integer, owner_id: Column.text, text: Column.text }
})

export class Notes extends Context.Tag("my-app/Notes")<Notes, Repository.Of<typeof Note>>() {}

export const layer = SqlRepository.layer(Notes, Note)

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = sql.onDialectOrElse({
    pg: () => sql`id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
    orElse: () => sql`id INTEGER PRIMARY KEY AUTOINCREMENT`
  })
  yield* sql`CREATE TABLE notes (${id}, owner_id TEXT NOT NULL REFERENCES users (id), text TEXT NOT NULL)`
  yield* sql`CREATE INDEX notes_owner ON notes (owner_id, id)`
})

/** A new migration is a line at the end; one that was applied somewhere is never changed. */
export const migrations = { "0001_notes": table } as const

type Item = (typeof Note)["schema"]["Type"]

const page = (view: Resource.ListPage<Item>, token: string) => {
  const { next, prev } = Links.adjacent(view.request, view.pagination)
  return html`<h1>Notes</h1>
    <form class="card" method="post" action="/notes">
      <input type="hidden" name="_token" value="${token}" />
      <div class="field">
        <label for="text">A new note</label>
        <input id="text" name="text" required maxlength="500" autocomplete="off" />
      </div>
      <button type="submit">Keep it</button>
    </form>
    <ul class="list">
      ${view.items.map(({ text }) => html`<li>${text}</li>`)}
    </ul>
    <nav class="row spread" aria-label="Pages">
      ${prev !== undefined && html`<a rel="prev" href="${prev}">← Newer</a>`}
      ${next !== undefined && html`<a rel="next" href="${next}">Older →</a>`}
    </nav>`
}

const list = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const notes = yield* Notes
  const mine = notes.select.filter("owner_id", "equal", id).order("Desc", "id")
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Accept.prefersJson(request.headers["accept"])) return yield* Resource.respond(notes, mine)
  const view = yield* Resource.paginate(Links.parse(request.originalUrl), notes, mine)
  return yield* Page.render({ title: "Notes", width: "wide", main: page(view, yield* CsrfCheck.token) })
})

const Draft = Schema.Struct({
  text: Schema.Trim.pipe(
    Schema.minLength(1, { message: () => "Write something." }),
    Schema.maxLength(500, { message: () => "Use at most 500 characters." })
  )
})

const add = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const { text } = yield* FormRequest.read(Draft)
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`INSERT INTO notes ${sql.insert({ owner_id: id, text })}`)
  return yield* Reply.redirectWithFlash("/notes", Flash.good("Noted."), { status: 201, value: { text } })
})

export const routes = [
  HttpLayerRouter.route("GET", "/notes", Access.requireUser(list)),
  HttpLayerRouter.route("POST", "/notes", Access.requireUser(add))
]
