// Reads on a hot path: rows by an index, through a statement that is prepared once.
//
//   const read = prepared.one(sql<Row>`SELECT data FROM ${sql(table)} WHERE key = ${""} AND expires > ${0}`)
//   const row = yield* read([key, now]) // Option<Row>
//
// The values in the template are placeholders; each call passes its own, in the same order. Name the columns: a prepared
// `SELECT *` breaks when a migration adds one. Only committed rows are read: inside a transaction use `sql`, which sees
// the transaction's own writes.
import { SqlClient, type SqlError, type Statement } from "@effect/sql"
import { Context, Effect, Option } from "effect"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as StatementSites from "./StatementSites.ts"

export type Parameter = string | number | bigint | null

/** How a statement is planned: once, since the best plan is the same for all values, or by each call. */
export type Planning = "kept" | "unprepared"

export class PreparedStatements extends Context.Tag("effect-framework/database/PreparedStatements")<
  PreparedStatements,
  {
    readonly one: <Row extends object>(
      statement: Statement.Statement<Row>
    ) => (parameters: ReadonlyArray<Parameter>) => Effect.Effect<Option.Option<Row>, SqlError.SqlError>
    /** `kept` by default. */
    readonly all: <Row extends object>(
      statement: Statement.Statement<Row>,
      planning?: Planning
    ) => (parameters: ReadonlyArray<Parameter>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
    /** Rows as lists of values; `unprepared` by default. */
    readonly values?: (
      statement: Statement.Statement<object>,
      planning?: Planning
    ) => (parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError.SqlError>
    /** A number that changes with every commit of any connection; absent where the engine has no such counter. */
    readonly commits?: () => number
  }
>() {}

/** With the spans that other statements have, where a tracer was provided before the database. */
export const traced = (
  statements: Context.Tag.Service<PreparedStatements>,
  attributes: Readonly<Record<string, string>>
): Effect.Effect<Context.Tag.Service<PreparedStatements>> =>
  Effect.map(Tracing.isOn, (isOn) => {
    if (!isOn) return statements
    const { all, one, values } = statements
    const spanned = <Parameters, A>(
      statement: Statement.Statement<object>,
      run: (parameters: Parameters) => Effect.Effect<A, SqlError.SqlError>
    ) => {
      const [text] = statement.compile()
      const options = {
        kind: "client",
        attributes: { ...attributes, "db.operation.name": "execute", "db.query.text": text }
      } as const
      return (parameters: Parameters) => Tracing.span("sql.execute", options)(run(parameters))
    }
    return {
      ...statements,
      one: (statement) => spanned(statement, one(statement)),
      all: (statement, planning) => spanned(statement, all(statement, planning)),
      ...(values === undefined
        ? undefined
        : {
            values: (statement: Statement.Statement<object>, planning?: Planning) =>
              spanned(statement, values(statement, planning))
          })
    }
  })

/** Those of the database layer; on a client of the program's own, plain queries that do the same. */
export const orPlain: Effect.Effect<
  Context.Tag.Service<PreparedStatements>,
  never,
  SqlClient.SqlClient
> = Effect.flatMap(SqlClient.SqlClient, (client) =>
  Effect.map(
    Effect.serviceOption(PreparedStatements),
    Option.getOrElse((): Context.Tag.Service<PreparedStatements> => {
      const all = <Row extends object>(statement: Statement.Statement<Row>) => {
        const [text] = statement.compile()
        const sql = client.withoutTransforms()
        return (parameters: ReadonlyArray<Parameter>) => sql.unsafe<Row>(text, parameters)
      }
      return {
        all,
        one: (statement) => {
          const read = all(statement)
          return (parameters) => Effect.map(read(parameters), ([row]) => Option.fromNullable(row))
        }
      }
    })
  )
)

/**
 * Reads rows by a prepared statement; inside a transaction by a plain one, which sees the transaction's own writes.
 * `placeholders` are values of the right types, for the text of the statement.
 */
export const reader = <Row extends object, Given extends ReadonlyArray<Parameter>>(
  prepared: Context.Tag.Service<PreparedStatements>,
  statement: (...given: Given) => Statement.Statement<Row>,
  placeholders: Given
): ((...given: Given) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const read = prepared.all(statement(...placeholders))
  return (...given) =>
    RequestServices.use((context: Context.Context<never>) =>
      isInTransaction(context) ? statement(...given) : read(given)
    )
}

/**
 * A statement that writes, built and compiled once: an update on SQLite that finds no row takes 13 µs instead of 28. Inside a
 * transaction it is a part of it. `placeholders` are values of the right types, for the text of the statement, which has each
 * of them once and in this order.
 */
export const writer = <Row extends object, Given extends ReadonlyArray<Parameter>>(
  statement: (...given: Given) => Statement.Statement<Row>,
  placeholders: Given
): ((...given: Given) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const run = StatementSites.runWith(statement(...placeholders))
  return (...given) => {
    const plain = Effect.suspend(() => statement(...given))
    return run === undefined ? plain : run(given, plain)
  }
}

/** A `writer` that inserts a row of these columns by `sql.insert`, and has no other values. */
export const inserter = <const Column extends string, Row extends object>(
  columns: ReadonlyArray<Column>,
  statement: (row: Readonly<Record<Column, Parameter>>) => Statement.Statement<Row>
): ((row: Readonly<Record<Column, Parameter>>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  // A boundary: it has every column.
  const rowOf = (values: ReadonlyArray<Parameter>) =>
    Object.fromEntries(columns.map((column, index) => [column, values[index]])) as Record<Column, Parameter>
  const insert = writer<Row, ReadonlyArray<Parameter>>(
    (...values) => statement(rowOf(values)),
    columns.map(() => "")
  )
  return (row) => insert(...columns.map((column) => row[column]))
}

/** Whether an effect runs inside a transaction, which has a connection of its own. */
export const isInTransaction = (context: Context.Context<never>): boolean =>
  RequestServices.has(context, SqlClient.TransactionConnection)
