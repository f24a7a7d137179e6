// The notes of a new project on both databases; the project's own tests have SQLite alone.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../template/src/Api.ts"
import { migrations, pages, routes, services } from "../../template/src/App.ts"
import * as TestApp from "../../testing/TestApp.ts"
import { describeDatabases } from "../support/Databases.ts"

describeDatabases("The notes of a new project", (database) => {
  layer(TestApp.layer(pages, { routes, migrations, services, database: database.layer }))((it) => {
    it.effect("are kept, read, changed and deleted by their account alone", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.bearerUser()
        const { notes } = yield* TestApp.apiClient(Api, ann)
        const { notes: others } = yield* TestApp.apiClient(Api, yield* TestApp.bearerUser())
        const note = yield* notes.create({ payload: { text: "Tee für 5 🫖" } })
        expect(note).toEqual({ id: note.id, owner_id: ann.user.id, text: "Tee für 5 🫖" })
        const path = { id: note.id }
        const payload = { text: "Milk" }
        for (const attempt of [others.read({ path }), others.change({ path, payload }), others.remove({ path })]) {
          expect(yield* Effect.flip(attempt)).toMatchObject({ _tag: "NoteNotFound", id: note.id })
        }
        expect(yield* notes.change({ path, payload })).toEqual({ ...note, text: "Milk" })
        expect(yield* notes.read({ path })).toEqual({ ...note, text: "Milk" })
        expect(yield* notes.list({ urlParams: {} })).toMatchObject({ items: [{ text: "Milk" }], total: 1 })
        expect(yield* others.list({ urlParams: {} })).toMatchObject({ items: [], total: 0 })
        yield* notes.remove({ path })
        expect(yield* Effect.flip(notes.remove({ path }))).toMatchObject({ _tag: "NoteNotFound" })
      })
    )

    it.effect("refuse text that one of the databases cannot store, and ids that none has, on pages too", () =>
      Effect.gen(function* () {
        const [member, browser] = [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]
        for (const text of ["a\0b", "\ud83e", " ", "x".repeat(501)]) {
          expect((yield* member.json("POST", "/api/notes", { text })).status).toBe(422)
          expect((yield* browser.json("POST", "/notes", { text })).status).toBe(422)
        }
        for (const [id, status] of [
          ["2147483647", 404],
          ["2147483648", 400],
          ["0", 400],
          ["x", 400]
        ] as const) {
          expect((yield* member.json("DELETE", `/api/notes/${id}`)).status).toBe(status)
          expect((yield* browser.json("POST", `/notes/${id}/delete`)).status).toBe(status)
        }
      })
    )
  })
})
