// Runs compiled queries and returns their rows as lists of values: through prepared statements outside a transaction.
import { SqlClient, type SqlError } from "@effect/sql"
import { type Context, Data, Effect, Option } from "effect"
import { isInTransaction, type Planning, PreparedStatements } from "../../database/internal/PreparedStatements.ts"
import { type Dialect, type Named, pgWith, sqlite, tableName } from "../../../src/pagination/internal/query/Dialect.ts"
import * as Query from "../../../src/pagination/internal/query/Query.ts"
import { type Collate, makeCollate, noCollate } from "./ColumnCollations.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

export type Rows = ReadonlyArray<ReadonlyArray<unknown>>

/** The database could not read a value as the type of its column: an enum, a date, an address. */
export class RefusedValue extends Data.TaggedError("RefusedValue")<{ readonly error: SqlError.SqlError }> {}

/** One statement, run with the given values. A database error is a defect. */
export type Statement = (values: ReadonlyArray<unknown>) => Effect.Effect<Rows, RefusedValue>

/** A compiled query as a statement, which takes the values of the query's selection in their order. */
export const compiled = (
  { prepare }: Pick<Statements, "prepare">,
  query: Query.Query,
  planning?: Planning
): Statement => {
  const run = prepare(query.text, planning)
  return (values) => run(Query.bind(query, values))
}

/** A statement that is made when it first runs. */
export const lazily = (make: () => Statement): Statement => {
  let made: Statement | undefined
  return (values) => (made ??= make())(values)
}

export interface Statements {
  readonly dialect: Dialect
  readonly prepare: (text: string, planning?: Planning) => Statement
  /** Whether two statements may run at once: a transaction has one connection. */
  readonly parallel: Effect.Effect<boolean>
  /** Whether a commit that changes a row of these statements is one that the database counts. */
  readonly isCommitCounted: boolean
  /** Makes a selection compare related columns as their own tables do. */
  readonly collate: Collate
}

export const make: Effect.Effect<Statements, never, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const dialect = yield* readDialect(sql)
  const isCommitCounted = dialect.name === "pg" || (yield* hasMainAlone(sql))
  const prepared = isCommitCounted ? Option.getOrUndefined(yield* Effect.serviceOption(PreparedStatements)) : undefined
  const ready = (text: string, planning?: Planning) => prepared?.values?.(sql.unsafe(text), planning)
  // Explained, the values are read by the types of their columns, and no row is: what fails now is what was sent. Not by the
  // connection of a transaction, which has failed with the statement.
  const refusedOrDie = (text: string, values: ReadonlyArray<unknown>) => (error: SqlError.SqlError) => {
    if (!isData(error) || values.length === 0) return Effect.die(error)
    const explained = ready(`EXPLAIN ${text}`)?.(values) ?? sql.unsafe(`EXPLAIN ${text}`, values).values
    const isSent = text.startsWith("EXPLAIN") ? Effect.succeed(true) : Effect.match(explained, faults)
    return Effect.flatMap(isSent, (sent) => (sent ? Effect.fail(new RefusedValue({ error })) : Effect.die(error)))
  }
  const plain =
    (text: string): Statement =>
    (values) =>
      Effect.catchAll(sql.unsafe(text, values).values, refusedOrDie(text, values))
  const prepare = (text: string, planning?: Planning): Statement => {
    const slow = plain(text)
    const read = ready(text, planning)
    if (read === undefined) return slow
    return outsideTransaction(slow, (values) => Effect.catchAll(read(values), refusedOrDie(text, values)))
  }
  // SQLite runs synchronously: two statements cannot overlap.
  const parallel =
    dialect.name === "pg"
      ? Effect.map(Effect.context<never>(), (context) => !isInTransaction(context))
      : Effect.succeed(false)
  const collate = dialect.name === "pg" ? noCollate : makeCollate(sql)
  return { dialect, prepare, parallel, collate, isCommitCounted }
})

// The dialect of the database, with what its catalogue says of all tables.
const readDialect = (sql: SqlClient.SqlClient): Effect.Effect<Dialect> =>
  sql.onDialectOrElse({
    pg: () => Effect.map(Effect.orDie(nondeterministic(sql)), pgWith),
    sqlite: () => Effect.succeed(sqlite),
    orElse: () => Effect.dieMessage("a repository needs SQLite or PostgreSQL")
  })

interface CollatedRow {
  readonly schema: string
  readonly table: string
  readonly column: string
  readonly isVisible: boolean
}

// Which columns have a collation that is not deterministic: mostly none.
const nondeterministic = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const rows = yield* sql<CollatedRow>`
    SELECT n.nspname AS schema, c.relname AS table, a.attname AS column,
      pg_catalog.pg_table_is_visible(c.oid) AS "isVisible"
    FROM pg_catalog.pg_collation k JOIN pg_catalog.pg_attribute a ON a.attcollation = k.oid AND NOT a.attisdropped
    JOIN pg_catalog.pg_class c ON c.oid = a.attrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT k.collisdeterministic`
  return ({ column, table }: Named): boolean => {
    const { name, schema } = tableName(table)
    return rows.some(
      (row) => row.column === column && row.table === name && (schema === null ? row.isVisible : row.schema === schema)
    )
  }
})

// Attached databases and temporary tables are those of one connection. Prepared statements have another one, which counts the
// commits to its own file.
const hasMainAlone = (sql: SqlClient.SqlClient) =>
  sql`SELECT 1 FROM pragma_database_list WHERE name NOT IN ('main', 'temp') UNION ALL SELECT 1 FROM sqlite_temp_schema`.pipe(
    Effect.orDie,
    Effect.map((others) => others.length === 0)
  )

// Class 22, data exceptions: a text that the column's type cannot read, a number or a date out of its range; of a value that
// was sent, or of one that is stored.
const isData = ({ cause }: SqlError.SqlError): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && /^22[0-9A-Z]{3}$/.test(String(cause.code))

const faults = { onFailure: isData, onSuccess: () => false }

// Only the transaction's own connection sees what it has written.
const outsideTransaction =
  (inside: Statement, outside: Statement): Statement =>
  (values) =>
    RequestServices.use((context: Context.Context<never>) =>
      isInTransaction(context) ? inside(values) : outside(values)
    )

/** The least power of two that is not below a number. */
export const powerOf2 = (least: number): number => {
  let power = 1
  while (power < least) power *= 2
  return power
}
