import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Profile } from "effect-framework/auth"
import { Html } from "effect-framework/http"
import { SqlProfile } from "effect-framework/layers/auth"
import { Access } from "effect-framework/routes/auth"
import { Respond } from "effect-framework/routes/session"
import { TestApp } from "effect-framework/testing"

const { html } = Html
const Role = Schema.Literal("guest", "owner")

const Visitor = Profile.make({
  signUp: Schema.Struct({ name: Schema.NonEmptyString }),
  stored: Schema.Struct({ role: Schema.optionalWith(Role, { default: () => "guest" }) }),
  fields: { name: { label: "Name" } }
})

// A page with a way on for a browser, and the sentence for a JSON client.
const notAnOwner = Respond.renderInvalid(
  { status: 403, error: "Only owners set prices." },
  Effect.succeed({ title: "For owners", main: html`<h1>For owners</h1><p><a href="/hosting">Let a room</a></p>` })
)

const requireOwner = Access.requireThat(
  Effect.map(Visitor.current, ({ role }) => role === "owner"),
  notAnOwner
)

const prices = Respond.render(Effect.succeed({ title: "Prices", main: html`<h1>Prices</h1>` }))
const routes = [HttpLayerRouter.route("GET", "/prices", requireOwner(prices))]

const table = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE visitors (user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL, role TEXT NOT NULL)`
)
const options = {
  migrations: { "0001_visitors": table },
  services: SqlProfile.layer(Visitor, { table: "visitors" })
}

layer(TestApp.layer(routes, options))("The prices", (it) => {
  it.effect("are for owners, from the request on in which somebody is one", () =>
    Effect.gen(function* () {
      expect((yield* (yield* TestApp.guest).get("/prices")).location).toBe("/login")
      const ann = yield* TestApp.signedInUser({ profile: { name: "Ann", role: "guest" } })
      const refused = yield* ann.get("/prices")
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("For owners Let a room")])
      expect((yield* ann.json("GET", "/prices")).json).toMatchObject({ error: "Only owners set prices." })
      yield* Visitor.set(ann.user.id, { name: "Ann", role: "owner" })
      expect((yield* ann.get("/prices")).status).toBe(200)
    })
  )
})
