// What the driver of SQLite changes without a word: bytes of a text that are none become U+FFFD, and an integer past 2^53 is
// rounded. A list that may hold such a value is read once more by a statement that tells; a cursor would skip rows otherwise.
import { Effect } from "effect"
import type { Kind } from "../../../src/pagination/internal/columns/ColumnKind.ts"
import { columnOf } from "../../../src/pagination/internal/columns/EntityColumns.ts"
import type * as EntityRow from "../../../src/pagination/internal/columns/EntityRow.ts"
import { type Dialect, sqliteExact } from "../../../src/pagination/internal/query/Dialect.ts"
import type { Query } from "../../../src/pagination/internal/query/Writer.ts"
import type { Planning } from "../../database/internal/PreparedStatements.ts"
import * as Statements from "./Statements.ts"

type IsDoubtful = (raw: unknown) => boolean

const isReplaced: IsDoubtful = (raw) => typeof raw === "string" && raw.includes("\ufffd")

const isRounded: IsDoubtful = (raw) => typeof raw === "number" && Number.isInteger(raw) && !Number.isSafeInteger(raw)

const doubtful: Partial<Record<Kind, IsDoubtful>> = {
  text: isReplaced,
  float: isRounded,
  json: (raw) => isReplaced(raw) || isRounded(raw)
}

type Source = Pick<Statements.Statements, "dialect" | "prepare">

/** A statement whose rows begin with the columns of this entity. */
export const compiled = (
  statements: Source,
  entity: EntityRow.Any,
  compile: (dialect: Dialect) => Query,
  planning: Planning
): Statements.Statement => {
  const { dialect } = statements
  const read = Statements.compiled(statements, compile(dialect), planning)
  const checks = entity.names.flatMap((name, index) => {
    const { kind } = columnOf(entity, name)
    const isDoubtful = doubtful[kind]
    return isDoubtful === undefined ? [] : [{ index, isDoubtful, isText: kind !== "float" }]
  })
  if (dialect.name === "pg" || checks.length === 0) return read
  const readExactly = Statements.lazily(() => Statements.compiled(statements, compile(sqliteExact), "unprepared"))
  const texts = new Set(checks.filter(({ isText }) => isText).map(({ index }) => index))
  return (values) =>
    Effect.flatMap(read(values), (rows) =>
      rows.some((row) => checks.some(({ index, isDoubtful }) => isDoubtful(row[index])))
        ? Effect.zipWith(readExactly(values), encoding(statements), (exact, label) => decoded(exact, texts, label))
        : Effect.succeed(rows)
    )
}

// That of the bytes of a text, which a database has for good: UTF-8, UTF-16le or UTF-16be.
const encoding = (statements: Source) =>
  Effect.map(statements.prepare("SELECT encoding FROM pragma_encoding", "unprepared")([]), (rows) =>
    String(rows[0]?.[0])
  )

// What is no text is `undefined`, which no reader accepts.
const decoded = (rows: Statements.Rows, texts: ReadonlySet<number>, label: string): Statements.Rows => {
  const decoder = new TextDecoder(label, { fatal: true, ignoreBOM: true })
  const textOf = (digits: string): string | undefined => {
    try {
      return decoder.decode(Buffer.from(digits, "hex"))
    } catch {
      return undefined
    }
  }
  return rows.map((row) =>
    row.map((value, index) => (texts.has(index) && typeof value === "string" ? textOf(value) : value))
  )
}
