// Kysely with the cursor helper that its users take, kysely-paginate.
import Database from "better-sqlite3"
import { Kysely, PostgresDialect, SqliteDialect } from "kysely"
import { executeWithCursorPagination } from "kysely-paginate"
import { Pool } from "pg"

const dialects = {
  SQLite: (address) => new SqliteDialect({ database: new Database(address, { readonly: true }) }),
  PostgreSQL: (address) => new PostgresDialect({ pool: new Pool({ connectionString: address, max: 4 }) })
}

export const open = ({ address, name }) => {
  const database = new Kysely({ dialect: dialects[name](address) })
  return {
    /** The ten rows of a table after a cursor, in these orders. */
    page: (table, orders, after) =>
      executeWithCursorPagination(database.selectFrom(table).selectAll(), {
        perPage: 10,
        after,
        fields: orders.map(({ column, direction }) => ({ expression: column, direction: direction.toLowerCase() })),
        parseCursor: (values) =>
          Object.fromEntries(Object.entries(values).map(([column, value]) => [column, Number(value)]))
      }),
    close: () => database.destroy()
  }
}
