// The settings of the database, from the environment.
import { Config, ConfigError, Either, Option, Redacted } from "effect"
import * as Setting from "../../config/internal/Setting.ts"
import { type DatabaseUrl, Postgres, Sqlite } from "../DatabaseUrl.ts"
import * as RedactedUrl from "./RedactedUrl.ts"

/** The forms that `DatabaseUrlParser.parse` reads, for an error message. */
const expected = "file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE"

/** The variable that names the database. */
export const urlVariable = "DATABASE_URL"

/** The database when the variable is unset. */
const defaultUrl = "file:storage/demo.sqlite"

/** Where the data is, from the environment. */
export const url: Config.Config<DatabaseUrl> = Setting.text(urlVariable, defaultUrl).pipe(
  Config.mapOrFail((text) =>
    Either.fromOption(parse(text), () => {
      const shown = JSON.stringify(RedactedUrl.redact(text).slice(0, 200))
      return ConfigError.InvalidData([urlVariable], `${urlVariable} is ${shown}, expected ${expected}`)
    })
  )
)

/** The variable that bounds a statement on PostgreSQL. */
const statementTimeoutVariable = "DATABASE_STATEMENT_TIMEOUT"

/** Seconds that a statement may take on PostgreSQL by default. */
export const defaultStatementTimeout = 30

/** Seconds that a statement may take on PostgreSQL, from the environment; 0 for no bound. */
export const statementTimeout: Config.Config<number> = Setting.integer(
  statementTimeoutVariable,
  defaultStatementTimeout,
  {
    min: 0,
    max: 86_400
  }
)

/** The variable by which an operator lets an older version start on a newer schema. */
export const allowNewerVariable = "DATABASE_ALLOW_NEWER"

/** Whether an older version may start on a newer schema, from the environment. */
export const allowNewer: Config.Config<boolean> = Setting.flag(allowNewerVariable, false)

/** The address that a text names; `None` when it is neither `file:` nor `postgres:`. */
export const parse = (text: string): Option.Option<DatabaseUrl> => {
  if (/^file:/i.test(text)) return Option.map(pathOf(text.slice("file:".length)), (path) => Sqlite({ path }))
  if (/^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text)) {
    return Option.some(Postgres({ url: Redacted.make(text) }))
  }
  return Option.none()
}

const decode = Option.liftThrowable(decodeURIComponent)

// A database in memory would be a separate one for each connection, and SQLite's URL parameters could undo our settings.
const pathOf = (text: string): Option.Option<string> => {
  if (/[?#\0]/.test(text)) return Option.none()
  const authority = /^\/\/(?:localhost)?(?=\/)/i.exec(text)?.[0] ?? ""
  return Option.filter(decode(text.slice(authority.length)), isFilePath)
}

const isFilePath = (path: string): boolean =>
  path !== "" && path !== ":memory:" && !path.startsWith("//") && !path.includes("\0")
