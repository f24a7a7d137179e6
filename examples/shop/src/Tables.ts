// The tables, on SQLite and on PostgreSQL: the framework's behind a prefix, and the shop's own.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { Tables } from "effect-framework/layers/database"

export const tables = Tables.make({ prefix: "auth_" })

const shop = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const id = sql.onDialectOrElse({
    pg: () => sql`id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY`,
    orElse: () => sql`id INTEGER PRIMARY KEY AUTOINCREMENT`
  })
  yield* sql`CREATE TABLE customers (user_id TEXT PRIMARY KEY REFERENCES auth_users (id) ON DELETE CASCADE,
    display_name TEXT NOT NULL, role TEXT NOT NULL)`
  yield* sql`CREATE TABLE products (${id}, name TEXT NOT NULL, price INTEGER NOT NULL,
    stock INTEGER NOT NULL CHECK (stock >= 0), picture TEXT NOT NULL)`
  yield* sql`CREATE TABLE orders (${id}, product_id INTEGER NOT NULL REFERENCES products (id),
    customer_id TEXT NOT NULL REFERENCES customers (user_id) ON DELETE CASCADE, quantity INTEGER NOT NULL)`
  yield* sql`CREATE INDEX orders_customer ON orders (customer_id, id)`
  yield* sql`CREATE TABLE reports (day TEXT PRIMARY KEY, orders INTEGER NOT NULL, stock INTEGER NOT NULL)`
})

/** A new migration is a line at the end; one that was applied somewhere is never changed. */
export const migrations = { "0001_shop": shop } as const
