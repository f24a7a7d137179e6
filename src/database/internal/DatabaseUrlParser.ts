// The text form of a database's address, as `DATABASE_URL` holds it.
import { Option, Redacted } from "effect"
import { type DatabaseUrl, Postgres, Sqlite } from "../DatabaseUrl.ts"

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
