// Which columns of a row another row already has, as the error of a violated unique index says.
import { Option } from "effect"

// SQLite: "UNIQUE constraint failed: customers.shop, customers.handle".
const sqliteColumns = /^UNIQUE constraint failed: (?!index )(.+)$/

// PostgreSQL: "Key (shop, lower(handle))=(7, ann) already exists.", in the language of the server.
const postgresKey = /\((.*?)\)=\(/s

/** A text among the fields of what a driver has thrown; empty where there is none. */
export const textOf = (value: unknown, name: string): string => {
  const text: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof text === "string" ? text : ""
}

const violated = (cause: unknown): string | undefined => {
  switch (textOf(cause, "code")) {
    case "SQLITE_CONSTRAINT_UNIQUE":
      return sqliteColumns.exec(textOf(cause, "message"))?.[1]?.replace(/(^|, )[^,]*?\./g, "$1")
    case "23505":
      return postgresKey.exec(textOf(cause, "detail"))?.[1]
    default:
      return undefined
  }
}

/**
 * Those of these columns that the violated index is over; `None` for any other error and for an index over none of them.
 * SQLite does not name the columns of an index over an expression.
 */
export const columnsOf = (
  error: unknown,
  names: ReadonlyArray<string>
): Option.Option<readonly [string, ...ReadonlyArray<string>]> => {
  const text = violated(typeof error === "object" && error !== null ? Reflect.get(error, "cause") : undefined)
  const words = new Set(text?.match(/[\p{L}\p{N}_$]+/gu))
  const [first, ...others] = names.filter((name) => words.has(name))
  return first === undefined ? Option.none() : Option.some([first, ...others])
}
