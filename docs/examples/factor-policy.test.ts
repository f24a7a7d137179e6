import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { FactorPolicy, Profile } from "effect-framework/auth"
import { SqlProfile } from "effect-framework/layers/auth"
import { Access } from "effect-framework/routes/auth"
import { Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const Role = Schema.Literal("guest", "owner")

const Visitor = Profile.make({
  signUp: Schema.Struct({ name: Schema.NonEmptyString }),
  stored: Schema.Struct({ role: Schema.optionalWith(Role, { default: () => "guest" }) }),
  fields: { name: { label: "Name" } }
})

const isOwner = Effect.map(Visitor.current, ({ role }) => role === "owner")

// Every guard asks this policy, of pages and of endpoints.
const policy = FactorPolicy.layer(isOwner)

const services = Layer.provideMerge(policy, SqlProfile.layer(Visitor, { table: "visitors" }))

const table = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE visitors (user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL, role TEXT NOT NULL)`
)

const rooms = HttpLayerRouter.route("GET", "/rooms", Access.requireUser(Effect.succeed(Respond.text("Rooms"))))

layer(TestApp.layer([rooms], { migrations: { "0001_visitors": table }, services }))("An owner", (it) => {
  it.effect("reaches nothing but the own account before there is a second factor", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser({ profile: { name: "Ann", role: "guest" } })
      expect((yield* ann.get("/rooms")).status).toBe(200)
      yield* Visitor.set(ann.user.id, { name: "Ann", role: "owner" })
      expect((yield* ann.get("/rooms")).location).toBe("/account/factors")
      expect((yield* ann.json("GET", "/rooms")).status).toBe(403)
      yield* TestApp.authenticatorApp(ann.user)
      expect((yield* ann.get("/rooms")).status).toBe(200)
    })
  )
})
