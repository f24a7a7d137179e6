import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestApp } from "effect-framework/testing"
import { Api } from "../src/Api.ts"
import { migrations, pages, routes, services } from "../src/App.ts"

layer(TestApp.layer(pages, { routes, migrations, services }))("/api/notes", (it) => {
  it.effect("refuses guests", () =>
    Effect.gen(function* () {
      const { notes } = yield* TestApp.apiClient(Api)
      expect(yield* Effect.flip(notes.list({ urlParams: {} }))).toMatchObject({ _tag: "Unauthenticated" })
    })
  )

  it.effect("keeps, reads, changes and deletes a note, by cookie and by bearer", () =>
    Effect.gen(function* () {
      for (const member of [yield* TestApp.signedInUser(), yield* TestApp.bearerUser()]) {
        const { notes } = yield* TestApp.apiClient(Api, member)
        const { id } = yield* notes.create({ payload: { text: "Buy tea" } })
        expect(yield* notes.change({ path: { id }, payload: { text: "Buy milk" } })).toMatchObject({ id })
        expect(yield* notes.read({ path: { id } })).toEqual({ id, owner_id: member.user.id, text: "Buy milk" })
        expect(yield* notes.list({ urlParams: { q: "milk" } })).toMatchObject({ items: [{ id }], total: 1 })
        yield* notes.remove({ path: { id } })
        expect(yield* Effect.flip(notes.read({ path: { id } }))).toMatchObject({ _tag: "NoteNotFound", id })
      }
    })
  )

  it.effect("shows a note to nobody else, and lets nobody else change it", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.apiClient(Api, yield* TestApp.signedInUser())
      const bob = yield* TestApp.apiClient(Api, yield* TestApp.signedInUser())
      const note = yield* ann.notes.create({ payload: { text: "Buy tea" } })
      const path = { id: note.id }
      const payload = { text: "Buy nothing" }
      for (const attempt of [
        bob.notes.read({ path }),
        bob.notes.change({ path, payload }),
        bob.notes.remove({ path })
      ]) {
        expect(yield* Effect.flip(attempt)).toMatchObject({ _tag: "NoteNotFound" })
      }
      expect(yield* bob.notes.list({ urlParams: {} })).toMatchObject({ items: [] })
      expect(yield* ann.notes.read({ path })).toEqual(note)
    })
  )

  it.effect("refuses what is not a note", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.bearerUser()
      for (const text of [" ", "long ".repeat(101), "a\0b", 7]) {
        const { json, status } = yield* member.json("POST", "/api/notes", { text })
        expect([status, json]).toMatchObject([422, { _tag: "InvalidRequest", fields: { text: expect.any(String) } }])
      }
    })
  )

  it.effect("is for a program that signs up without a browser, and has a document", () =>
    Effect.gen(function* () {
      const program = yield* TestApp.guest
      const { accounts, notes } = yield* TestApp.apiClient(Api, program)
      const payload = { email: "ann@example.com", password: Redacted.make("a quiet harbour") }
      const { bearer } = yield* accounts.signUpBearer({ payload })
      program.headers.set("authorization", `Bearer ${Redacted.value(bearer.token)}`)
      expect(yield* notes.create({ payload: { text: "Buy tea" } })).toMatchObject({ text: "Buy tea" })
      expect((yield* program.request("/openapi.json")).json).toMatchObject({ paths: { "/api/notes/{id}": {} } })
      expect((yield* program.get("/api/docs")).text).toContain("Keep a note")
    })
  )
})
