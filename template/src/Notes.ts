// Everyone's own notes: their table, and what is done with them.
import { SqlClient } from "@effect/sql"
import { Context, Effect } from "effect"
import { Identity } from "effect-framework/auth"
import { Column, Entity, ListParameters, type Repository } from "effect-framework/pagination"
import { SqlRepository } from "effect-framework/layers/pagination"

const { CurrentIdentity } = Identity

const Note = Entity.make("notes", {
  key: "id",
  columns: { id: Column.integer, owner_id: Column.text, text: Column.text }
})

export type Note = (typeof Note)["schema"]["Type"]

export class Notes extends Context.Tag("my-app/Notes")<Notes, Repository.Of<typeof Note>>() {}

/** What a reader may choose: `?sort=id` for the oldest first, `?q=tea` for notes with this text. */
export const parameters = ListParameters.make(Note, { sort: ["-id"], search: { columns: ["text"] } })

export const layer = SqlRepository.layer(Notes, Note)

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
  return { notes, selection: notes.select.filter("owner_id", "equal", id) }
})

// A route may not fail with a SqlError: it is unexpected, so it is a defect.

export const add = Effect.fn("Notes.add")(function* (text: string) {
  const { id } = yield* CurrentIdentity
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`INSERT INTO notes ${sql.insert({ owner_id: id, text })}`)
})

/** Whether the signed-in user had this note. */
export const remove = Effect.fn("Notes.remove")(function* (note: number) {
  const { id } = yield* CurrentIdentity
  const sql = yield* SqlClient.SqlClient
  const removed = sql`DELETE FROM notes WHERE id = ${note} AND owner_id = ${id} RETURNING id`
  return (yield* Effect.orDie(removed)).length > 0
})
