import { expect, layer } from "@effect/vitest"
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Effect, Schema } from "effect"
import { Profile } from "effect-framework/auth"
import { SqlProfile } from "effect-framework/layers/auth"
import { Access } from "effect-framework/routes/auth"
import { TestApp } from "effect-framework/testing"

const Role = Schema.Literal("reader", "editor")

const Member = Profile.make({
  signUp: Schema.Struct({ nickname: Schema.NonEmptyTrimmedString }),
  stored: Schema.Struct({ role: Schema.optionalWith(Role, { default: () => "reader" }) }),
  fields: { nickname: { label: "Nickname", autocomplete: "nickname" } }
})

const migrations = {
  "0001_members": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE members (user_id TEXT PRIMARY KEY REFERENCES users (id), nickname TEXT NOT NULL,
      role TEXT NOT NULL)`
  )
}

const isEditor = Effect.map(Member.current, ({ role }) => role === "editor")
const drafts = HttpLayerRouter.route("GET", "/drafts", Access.requireThat(isEditor)(HttpServerResponse.text("Drafts")))
const services = SqlProfile.layer(Member, { table: "members" })

layer(TestApp.layer([drafts], { migrations, services }))("a member", (it) => {
  it.effect("chooses a nickname at sign-up, and no role", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const form = { nickname: "ann", role: "editor", email: "ann@example.com", password: "quiet harbour" }
      expect((yield* guest.submit("/register", form)).location).toBe("/account")
      expect((yield* guest.get("/account")).text).toContain("Nickname ann")
      expect((yield* guest.get("/drafts")).status).toBe(403)
    })
  )

  it.effect("reads drafts from the request on that follows the promotion", () =>
    Effect.gen(function* () {
      const profile = { nickname: "bob", role: "reader" } as const
      const bob = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ profile }))
      expect((yield* bob.get("/drafts")).status).toBe(403)
      yield* Member.set(bob.user.id, { ...profile, role: "editor" })
      expect((yield* bob.get("/drafts")).body).toBe("Drafts")
    })
  )
})
