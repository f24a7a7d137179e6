import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as Profile from "../../../src/auth/Profile.ts"
import { describeDatabases } from "../../support/Databases.ts"

const Member = Profile.make({
  signUp: Schema.Struct({ nickname: Schema.String }),
  stored: Schema.Struct({ role: Schema.optionalWith(Schema.String, { default: () => "reader" }) }),
  fields: { nickname: { label: "Nickname" } }
})

const start = (options: Parameters<typeof SqlProfile.layer>[1]) =>
  Effect.asVoid(Effect.scoped(Layer.build(SqlProfile.layer(Member, options))))

const lines = [
  ["nowhere", "", "does not exist"],
  ["no_role", "user_id TEXT PRIMARY KEY, nickname TEXT", "has no column role"],
  ["no_key", "nickname TEXT, role TEXT", "has no column user_id"],
  ["not_unique", "user_id TEXT, nickname TEXT, role TEXT", "has no unique index on user_id alone"],
  [
    "more",
    "user_id TEXT PRIMARY KEY, nickname TEXT, role TEXT, birthday TEXT NOT NULL",
    "requires a value for birthday, which is no field of the profile"
  ],
  ["neither", "user_id TEXT PRIMARY KEY", "has no column nickname; it has no column role"]
] as const

describeDatabases("the table of a profile", (database) => {
  layer(database.layer)((it) => {
    it.effect.each(lines)("stops the start when it does not fit: %s", ([table, columns, problem]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        if (columns !== "") yield* sql.unsafe(`CREATE TABLE ${table} (${columns})`)
        const { message } = yield* Effect.flip(start({ table }))
        expect(message).toBe(`The profile does not fit its table: ${table} ${problem}`)
      })
    )

    it.effect("fits with a unique key, whatever else the table has", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE keyed (user_id INTEGER PRIMARY KEY, nickname TEXT, role TEXT, note TEXT)`
        yield* sql`CREATE TABLE indexed (owner TEXT UNIQUE, nickname TEXT, role TEXT, points INTEGER NOT NULL DEFAULT 0)`
        yield* start({ table: "keyed" })
        yield* start({ table: "indexed", key: "owner" })
      })
    )

    it.effect("is the one of the accounts without a name, also the framework's own with further columns", () =>
      Effect.gen(function* () {
        const { message } = yield* Effect.flip(start({}))
        expect(message).toBe("The profile does not fit its table: users has no column nickname; it has no column role")
        const sql = yield* SqlClient.SqlClient
        yield* sql`ALTER TABLE users ADD COLUMN nickname TEXT NOT NULL DEFAULT ''`
        yield* sql`ALTER TABLE users ADD COLUMN role TEXT NOT NULL DEFAULT 'reader'`
        yield* start({})
      })
    )
  })
})
