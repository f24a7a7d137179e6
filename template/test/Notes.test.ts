import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestApp } from "effect-framework/testing"
import { migrations, pages, routes, services } from "../src/App.ts"

layer(TestApp.layer(pages, { routes, migrations, services }))("/notes", (it) => {
  it.effect("leads guests to the sign-in page", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      expect((yield* guest.get("/notes")).location).toBe("/login")
      expect((yield* guest.json("GET", "/notes")).status).toBe(401)
    })
  )

  it.effect("keeps what a member writes, for that member alone", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
      expect((yield* ann.submit("/notes", { text: "Buy <tea>" })).location).toBe("/notes")
      expect((yield* ann.get("/notes")).text).toContain("Buy <tea>")
      expect((yield* bob.get("/notes")).text).not.toContain("Buy <tea>")
    })
  )

  it.effect("shows the form again with what was written and what is wrong with it", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      const text = "long ".repeat(101)
      const page = yield* member.submit("/notes", { text })
      expect([page.status, page.text]).toEqual([422, expect.stringContaining("Use at most 500 characters.")])
      expect(page.body).toContain(`value="${text}"`)
      const empty = yield* member.json("POST", "/notes", { text: " " })
      expect([empty.status, empty.json]).toMatchObject([422, { fields: { text: "Write something." } }])
    })
  )

  it.effect("deletes a note of one's own, and no other", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
      yield* ann.submit("/notes", { text: "Buy tea" })
      const [, path = ""] = /action="(\/notes\/\d+\/delete)"/.exec((yield* ann.get("/notes")).body) ?? []
      expect((yield* bob.submit(path, {})).status).toBe(404)
      expect((yield* ann.submit(path, {})).location).toBe("/notes")
      expect((yield* ann.get("/notes")).text).toContain("You have no notes yet.")
      expect((yield* ann.json("POST", "/notes/none/delete")).status).toBe(400)
    })
  )

  it.effect("gives the notes a part at a time, the newest first", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      for (const text of ["one", "two", "three"]) yield* member.json("POST", "/notes", { text })
      const first = yield* member.json("GET", "/notes?limit=2&cursor=")
      expect(first.json).toMatchObject({ items: [{ text: "three" }, { text: "two" }], limit: 2 })
      const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? ""
      expect((yield* member.json("GET", next)).json).toMatchObject({ items: [{ text: "one" }], next: null })
    })
  )

  it.effect("finds notes by their text, and says what is wrong with a parameter", () =>
    Effect.gen(function* () {
      const member = yield* TestApp.signedInUser()
      for (const text of ["Buy tea", "Buy milk"]) yield* member.json("POST", "/notes", { text })
      expect((yield* member.json("GET", "/notes?q=TEA")).json).toMatchObject({ items: [{ text: "Buy tea" }], total: 1 })
      expect((yield* member.get("/notes?q=coffee")).text).toContain("No note has this text.")
      const oldest = yield* member.json("GET", "/notes?sort=id")
      expect(oldest.json).toMatchObject({ items: [{ text: "Buy tea" }, { text: "Buy milk" }] })
      const refused = yield* member.json("GET", "/notes?sort=colour")
      expect([refused.status, refused.json]).toMatchObject([400, { fields: { sort: "one of -id, id" } }])
    })
  )
})
