// The statements that one would write by hand for each list, and what one writes around them: the cursor is read, ten rows
// and one more are found, and the next cursor is made.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { Engine } from "./Engines.ts"

/** A statement, and its values for a row. */
export interface HandWritten {
  readonly text: string
  readonly values: (row: Readonly<Record<string, unknown>>) => ReadonlyArray<unknown>
}

const columns = "id, at, day, hour, due, word, owner_id"
const from = `SELECT ${columns} FROM entries WHERE`

const written = (text: string, ...names: ReadonlyArray<string>): HandWritten => ({
  text,
  values: (row) => names.map((name) => row[name])
})

/** The same for SQLite, whose places are not numbered: a value that is needed twice is sent twice. */
export const unnumbered = ({ text, values }: HandWritten): HandWritten => {
  const places = Array.from(text.matchAll(/\$(\d+)/g), ([, number]) => Number(number) - 1)
  return { text: text.replace(/\$\d+/g, "?"), values: (row) => places.map((place) => values(row)[place]) }
}

/** A branch of a union with its own limit. SQLite has no parentheses around the parts of a union. */
const union = (...parts: ReadonlyArray<string>): string =>
  parts.map((part) => `SELECT * FROM (${part} LIMIT 11) AS part`).join(" UNION ALL ")

/** The rows after a key. */
export const byKey = written(`${from} id > $1 ORDER BY id LIMIT 11`, "id")

/** The statements of each list, of which the fastest counts. */
export const statements = {
  "one column": [byKey],
  "two columns": [
    written(`${from} (at, id) > ($1, $2) ORDER BY at, id LIMIT 11`, "at", "id"),
    written(`${from} at >= $1 AND (at > $1 OR id > $2) ORDER BY at, id LIMIT 11`, "at", "id")
  ],
  "mixed directions": [
    written(`${from} at <= $1 AND (at < $1 OR id > $2) ORDER BY at DESC, id LIMIT 11`, "at", "id"),
    written(
      `${union(`${from} at = $1 AND id > $2 ORDER BY id`, `${from} at < $1 ORDER BY at DESC, id`)} LIMIT 11`,
      "at",
      "id"
    )
  ],
  "mixed, correlated columns": [
    written(
      `${from} day <= $1 AND (day < $1 OR hour > $2 OR (hour = $2 AND id > $3)) ORDER BY day DESC, hour, id LIMIT 11`,
      "day",
      "hour",
      "id"
    ),
    written(
      `${union(
        `${from} day = $1 AND hour = $2 AND id > $3 ORDER BY id`,
        `${from} day = $1 AND hour > $2 ORDER BY hour, id`,
        `${from} day < $1 ORDER BY day DESC, hour, id`
      )} LIMIT 11`,
      "day",
      "hour",
      "id"
    )
  ],
  "nulls last": [
    written(
      `${union(`${from} (due, id) > ($1, $2) ORDER BY due, id`, `${from} due IS NULL ORDER BY id`)} LIMIT 11`,
      "due",
      "id"
    )
  ]
} satisfies Readonly<Record<string, ReadonlyArray<HandWritten>>>

/** The same for the list that places nulls last, after a null: only nulls follow. */
export const afterNull: HandWritten = written(`${from} due IS NULL AND id > $1 ORDER BY id LIMIT 11`, "id")

type Found = Readonly<Record<string, unknown>>

/** A page by a statement: what a program without a repository would do for a request. */
export const page = ({ name }: Engine, given: HandWritten, columns: ReadonlyArray<string>, cursor: string) => {
  const { text, values } = name === "SQLite" ? unnumbered(given) : given
  return Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const position: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString())
    if (!Array.isArray(position)) return Effect.die("no list of values")
    const row: Found = Object.fromEntries(columns.map((column, index) => [column, position[index]]))
    return Effect.map(sql.unsafe<Found>(text, values(row)), (rows) => {
      const items = rows.slice(0, 10)
      const last = rows.length > 10 ? items.at(-1) : undefined
      const next = last && Buffer.from(JSON.stringify(columns.map((column) => last[column]))).toString("base64url")
      return { items, next: next ?? null }
    })
  })
}
