import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Tables } from "effect-framework/layers/database"
import { TemporaryDatabase, TestApp } from "effect-framework/testing"

const tables = Tables.make({
  prefix: "auth_",
  users: {
    table: "users",
    key: { type: "integer" },
    secret: "hashed_password",
    verified: { column: "confirmed_at", type: "timestamp" },
    values: ({ now }) => ({ inserted_at: now, updated_at: now })
  }
})

// As the generator writes it, with an account that Phoenix has made.
const migrations = {
  "0001_users": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.onDialectOrElse({
      pg: () =>
        Effect.zipRight(
          sql`CREATE EXTENSION IF NOT EXISTS citext`,
          sql`CREATE TABLE users (id BIGSERIAL PRIMARY KEY, email CITEXT NOT NULL, hashed_password VARCHAR(255),
            confirmed_at TIMESTAMP(0), inserted_at TIMESTAMP(0) NOT NULL, updated_at TIMESTAMP(0) NOT NULL)`
        ),
      orElse: () => sql`CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, email TEXT NOT NULL COLLATE NOCASE,
        hashed_password TEXT, confirmed_at TEXT, inserted_at TEXT NOT NULL, updated_at TEXT NOT NULL)`
    })
    yield* sql`CREATE UNIQUE INDEX users_email_index ON users (email)`
    yield* sql`INSERT INTO users (email, hashed_password, inserted_at, updated_at) VALUES ('Ann@Example.com',
      '$2b$04$2Kgxc63vzwUrviduGvRfvOb1g72uZonCggQzDzQQxN7JA3zvA4IdK', '2025-01-01T00:00:00', '2025-01-01T00:00:00')`
  })
}

const server = process.env["TEST_POSTGRES"] ?? "postgres://localhost/postgres"
const databases = { SQLite: {}, PostgreSQL: { database: TemporaryDatabase.layerPostgres(server) } }

for (const [name, database] of Object.entries(databases)) {
  const app = TestApp.layer([], { tables, migrations, hashing: "argon2", ...database })
  layer(app)(`a user of Phoenix on ${name}`, (it) => {
    it.effect("signs in with the password of before, and others sign up beside", () =>
      Effect.gen(function* () {
        const ann = yield* TestApp.guest
        const known = { email: "ann@example.com", password: "hello world!" }
        expect((yield* ann.json("POST", "/login", known)).json).toMatchObject({ id: "1", verified: false })
        const bob = yield* TestApp.guest
        const fresh = { email: "bob@example.com", password: "quiet harbour" }
        expect((yield* bob.json("POST", "/register", fresh)).json).toMatchObject({ id: "2" })
      })
    )
  })
}
