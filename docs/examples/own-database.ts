// A shop that has its own SQLite client and its own table of customers.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect } from "effect"
import { App } from "effect-framework"
import { Identity } from "effect-framework/session"
import { Tables } from "effect-framework/layers/database"
import { Access } from "effect-framework/routes/auth"

const database = SqliteClient.layer({ filename: "shop.sqlite" })

const tables = Tables.make({
  prefix: "auth_",
  users: {
    table: "customers",
    key: { column: "number", type: "integer" },
    secret: "password_hash",
    verified: { column: "confirmed", type: "boolean" },
    values: ({ email }) => ({ name: email.slice(0, email.indexOf("@")) })
  }
})

const migrations = {
  "0001_customers": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE customers (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      email TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      confirmed BOOLEAN NOT NULL DEFAULT FALSE
    )`
  )
}

const order = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* Identity.CurrentIdentity
  const customers = sql<{ name: string }>`SELECT name FROM customers WHERE number = ${Number(id)}`
  const [customer] = yield* Effect.orDie(customers)
  return HttpServerResponse.text(`Tea for ${customer?.name}`)
})

const pages = [HttpLayerRouter.route("GET", "/order", Access.requireUser(order))]

App.run({ name: "Shop", pages, tables, migrations, database: () => database })
