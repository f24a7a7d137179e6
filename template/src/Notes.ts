// Everyone's own notes: their table, and what is done with them.
import { HttpApiSchema, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { SqlClient, type Statement } from "@effect/sql"
import { Array, Context, Effect, Schema } from "effect"
import { Identity } from "effect-framework/session"
import { Column, Entity, ListQuery, type Repository, Selection } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"

const { CurrentIdentity } = Identity

const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.integer, owner_id: Column.text, text: Column.text }
})

export type Note = (typeof Note)["schema"]["Type"]

/** A note in JSON. */
export const Item = Note.schema.annotations({ identifier: "Note" })

/** What a person writes. */
export const Draft = Schema.Struct({
  text: Schema.Trim.pipe(
    Schema.minLength(1, { message: () => "Write something." }),
    Schema.maxLength(500, { message: () => "Use at most 500 characters." }),
    // PostgreSQL cannot store U+0000 and halves of characters.
    Schema.filter((text) => !/[\0\p{Surrogate}]/u.test(text), { message: () => "Leave out what cannot be stored." })
  )
}).annotations({ identifier: "NoteDraft" })

/** The parameter of a path such as `/notes/:id`. */
export const Path = Schema.Struct({ id: Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 2 ** 31 - 1)) })

/** No note of the user has this id: 404 in the API, and a page of its own. */
export class NoteNotFound extends Schema.TaggedError<NoteNotFound>()(
  "NoteNotFound",
  { id: Schema.Int },
  HttpApiSchema.annotations({ status: 404, description: "No note of yours has this id." })
) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("This note does not exist", { status: 404 })
  }
}

export class Notes extends Context.Tag("my-app/Notes")<Notes, Repository.For<typeof Note>>() {}

/** What a reader may choose: `?sort=id` for the oldest first, `?q=tea` for notes with this text. */
export const parameters = ListQuery.make(Note, { sort: ["-id"], search: { columns: ["text"] } })

const of = (owner: string) => Selection.from(Note).filter("owner_id", "equal", owner)

/** The start looks for the index of each list, and prints the one that is missing. */
export const layer = SqlRepository.layer(Notes, Note, {}, { lists: parameters.lists(of("")) })

/** What `npm run export` writes. */
export const collections = { notes: SqlRepository.make(Note) } as const

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

/** The notes of the signed-in user. */
export const mine = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  const notes = yield* Notes
  return { notes, selection: of(id) }
})

// A route may not fail with a SqlError: it is unexpected, so it is a defect.

export const add = Effect.fn("Notes.add")(function* (text: string) {
  const { id } = yield* CurrentIdentity
  const sql = yield* SqlClient.SqlClient
  const added = sql<Note>`INSERT INTO notes ${sql.insert({ owner_id: id, text })} RETURNING *`
  return yield* Effect.orDie(Effect.flatMap(added, Array.head))
})

// Every statement compares the owner, so that no check can be forgotten before it.
const one = Effect.fn("Notes.one")(function* (
  id: number,
  statement: (sql: SqlClient.SqlClient, isIt: Statement.Fragment) => Statement.Statement<Note>
) {
  const owner = yield* CurrentIdentity
  const sql = yield* SqlClient.SqlClient
  const [note] = yield* Effect.orDie(statement(sql, sql`id = ${id} AND owner_id = ${owner.id}`))
  return note ?? (yield* new NoteNotFound({ id }))
})

export const read = (id: number) => one(id, (sql, isIt) => sql`SELECT * FROM notes WHERE ${isIt}`)

export const change = (id: number, text: string) =>
  one(id, (sql, isIt) => sql`UPDATE notes SET text = ${text} WHERE ${isIt} RETURNING *`)

export const remove = (id: number) => one(id, (sql, isIt) => sql`DELETE FROM notes WHERE ${isIt} RETURNING *`)
