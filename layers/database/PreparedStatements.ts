// Reads of a hot path: one row by an index, through a statement that is prepared once.
//
//   const read = prepared.one(sql<Row>`SELECT data FROM ${sql(table)} WHERE key = ${""} AND expires > ${0}`)
//   const row = yield* read([key, now]) // Option<Row>
//
// The values in the template only hold the places; each call brings its own, in the same order. Name the columns: a
// prepared `SELECT *` breaks when a migration adds one. What is read is what is committed: inside a transaction use
// `sql`, which sees its own writes.
import type { SqlError, Statement } from "@effect/sql"
import { Context, type Effect, type Option } from "effect"

export type Parameter = string | number | bigint | null

export class PreparedStatements extends Context.Tag("effect-framework/database/PreparedStatements")<
  PreparedStatements,
  {
    readonly one: <Row extends object>(
      statement: Statement.Statement<Row>
    ) => (parameters: ReadonlyArray<Parameter>) => Effect.Effect<Option.Option<Row>, SqlError.SqlError>
    /** A number that changes whenever anyone has committed something; absent where the engine keeps no such count. */
    readonly commits?: () => number
  }
>() {}
