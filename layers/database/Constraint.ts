// Violated constraints by their names, on both databases: a unique index, a foreign key, a check or an exclusion becomes an
// error of the program.
import { SqlClient, SqlError } from "@effect/sql"
import { Effect, Option } from "effect"
import { textOf } from "../../src/database/internal/UniqueViolation.ts"

/**
 * What a violated constraint becomes, by its name.
 *
 * @example
 * ```ts
 * import { Data } from "effect"
 * import { Constraint } from "effect-framework/layers/database"
 *
 * class RoomTaken extends Data.TaggedError("RoomTaken") {}
 *
 * const violations = { bookings_no_overlap: () => new RoomTaken() } satisfies Constraint.Violations
 *
 * export const translated = Constraint.catch(violations)
 * ```
 */
export interface Violations {
  readonly [constraint: string]: () => unknown
}

type ErrorOf<Given extends Violations> = ReturnType<Given[keyof Given]>

// Integrity violations have the class 23; PostgreSQL names the constraint.
const inPostgres = (cause: unknown): Option.Option<string> =>
  textOf(cause, "code").startsWith("23")
    ? Option.filter(Option.some(textOf(cause, "constraint")), (name) => name !== "")
    : Option.none()

// => "bookings_positive"   of "CHECK constraint failed: bookings_positive"
// => "bookings_day"        of "UNIQUE constraint failed: index 'bookings_day'", an index over an expression
const namedBySqlite = /^(?:CHECK constraint failed: |UNIQUE constraint failed: index ')([^']+)'?$/

// => "bookings.room, bookings.day"   of an index over columns, which SQLite does not name
const columnsBySqlite = /^UNIQUE constraint failed: (.+)$/

const word = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Whether the statement of a table declares a constraint of this name and kind. */
const declares = (statement: string, name: string, kind: string): RegExpExecArray | null =>
  new RegExp(`\\bconstraint\\s+["\`[]?${word(name)}["\`\\]]?\\s+${kind}`, "i").exec(statement)

const columnsIn = (list: string): string =>
  list
    .split(",")
    .map((column) =>
      column
        .trim()
        .replace(/["`[\]]/g, "")
        .replace(/^.*\./, "")
        .toLowerCase()
    )
    .sort()
    .join()

const uniqueIn = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>, columns: string) =>
  Effect.gen(function* () {
    const table = columns.slice(0, columns.indexOf("."))
    const wanted = columnsIn(columns)
    const indexes = yield* sql<{ readonly name: string; readonly columns: string }>`
      SELECT one.name AS name, group_concat(part.name) AS columns
      FROM pragma_index_list(${table}) AS one, pragma_index_info(one.name) AS part
      WHERE one."unique" = 1 GROUP BY one.name`
    const index = indexes.find((one) => names.includes(one.name) && columnsIn(one.columns) === wanted)
    if (index !== undefined) return Option.some(index.name)
    const [stored] = yield* sql<{ readonly sql: string }>`SELECT sql FROM sqlite_master WHERE name = ${table}`
    const found = names.find((name) => {
      const list = declares(stored?.sql ?? "", name, "(?:unique|primary\\s+key)\\s*(?:\\(([^)]*)\\))?")
      return list !== null && (list[1] === undefined || columnsIn(list[1]) === wanted)
    })
    return Option.fromNullable(found)
  })

// SQLite does not say which foreign key failed: it is known where only one of these names is that of one.
const foreignIn = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>) =>
  Effect.map(
    sql<{ readonly sql: string }>`SELECT sql FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL`,
    (tables) => {
      const keys = names.filter((name) =>
        tables.some((one) => declares(one.sql, name, "(?:foreign|references)") !== null)
      )
      return keys.length === 1 ? Option.fromNullable(keys[0]) : Option.none()
    }
  )

const inSqlite = (sql: SqlClient.SqlClient, names: ReadonlyArray<string>, cause: unknown) => {
  const code = textOf(cause, "code")
  const message = textOf(cause, "message")
  if (code === "SQLITE_CONSTRAINT_FOREIGNKEY") return foreignIn(sql, names)
  // A trigger stands for an exclusion: SELECT RAISE(ABORT, 'bookings_no_overlap').
  if (code === "SQLITE_CONSTRAINT_TRIGGER") return Effect.succeedSome(message)
  const name = namedBySqlite.exec(message)?.[1]
  if (name !== undefined) return Effect.succeedSome(name)
  const columns = columnsBySqlite.exec(message)?.[1]
  return columns === undefined ? Effect.succeedNone : uniqueIn(sql, names, columns)
}

/** The name of the constraint that a statement has violated; `None` for any other failure. */
const nameOf = (error: SqlError.SqlError, names: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (client) => {
    const { cause } = error
    if (!textOf(cause, "code").startsWith("SQLITE_CONSTRAINT")) return Effect.succeed(inPostgres(cause))
    return Effect.orElseSucceed(inSqlite(client.withoutTransforms(), names, cause), () => Option.none<string>())
  })

/**
 * Turns the violation of these constraints into the program's own errors. Every other failure stays a `SqlError`.
 *
 * SQLite names neither the unique indexes over columns nor the foreign keys that it found violated: the former are found in
 * the schema, the latter where only one of the names is a foreign key. An exclusion is a trigger there, which raises its name.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { Data, Effect } from "effect"
 * import { Constraint } from "effect-framework/layers/database"
 *
 * class RoomTaken extends Data.TaggedError("RoomTaken") {}
 *
 * export const book = (room: number, day: string) =>
 *   Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO bookings (room, day) VALUES (${room}, ${day})`).pipe(
 *     Constraint.catch({ bookings_no_overlap: () => new RoomTaken() })
 *   )
 * ```
 */
const caught =
  <const Given extends Violations>(violations: Given) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | ErrorOf<Given>, R | SqlClient.SqlClient> => {
    const names = Object.keys(violations)
    return Effect.catchAll(effect, (failure): Effect.Effect<never, E | ErrorOf<Given>, SqlClient.SqlClient> => {
      if (!(failure instanceof SqlError.SqlError)) return Effect.fail(failure)
      return Effect.flatMap(nameOf(failure, names), (found) => {
        const violation =
          Option.isSome(found) && Object.hasOwn(violations, found.value) ? violations[found.value] : undefined
        // A boundary of the type system: it is one of those that were given.
        return Effect.fail(violation === undefined ? failure : (violation() as ErrorOf<Given>))
      })
    })
  }

export { caught as catch }
