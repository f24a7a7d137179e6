import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Tables } from "effect-framework/layers/database"
import { CapturedMail, TestApp } from "effect-framework/testing"

const tables = Tables.make({
  users: { table: "members", key: { type: "integer" }, verified: { column: "verified_at", type: "timestamp" } }
})

const migrations = {
  "0001_members": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE members (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL UNIQUE,
      password TEXT NOT NULL, verified_at DATETIME)`
  )
}

layer(TestApp.layer([], { tables, migrations }))("a member", (it) => {
  it.effect("is a row of the program's own table, from sign-up to a new password", () =>
    Effect.gen(function* () {
      const { linkTo } = yield* CapturedMail.CapturedMail
      const guest = yield* TestApp.guest
      const [email, password] = ["ann@example.com", "quiet harbour"]
      expect((yield* guest.json("POST", "/register", { email, password })).status).toBe(201)
      yield* guest.get(yield* linkTo(email))
      const user = { id: "1", email, verified: true }
      expect((yield* guest.json("GET", "/account")).json).toMatchObject(user)

      yield* guest.submit("/forgot", { email })
      const changed = { password: "a quieter harbour", password_confirmation: "a quieter harbour" }
      expect((yield* guest.submit(yield* linkTo(email), changed)).status).toBe(303)
      const again = yield* TestApp.guest
      expect((yield* again.json("POST", "/login", { email, password })).status).toBe(401)
      expect((yield* again.json("POST", "/login", { email, password: changed.password })).json).toMatchObject(user)
    })
  )
})
