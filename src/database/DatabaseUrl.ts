// The address of the database: a SQLite file or a PostgreSQL server.
import { Data, Option, Redacted } from "effect"

/** The address of the database; that of a server is redacted, since it may contain a password. */
export type DatabaseUrl = Data.TaggedEnum<{
  /** `path` as it was written: relative ones belong to the working directory. */
  Sqlite: { readonly path: string }
  Postgres: { readonly url: Redacted.Redacted }
}>

/** The cases, and `match` over them: `DatabaseUrl.Sqlite({ path: "storage/app.sqlite" })`. */
export const { Sqlite, Postgres, $match: match } = Data.taggedEnum<DatabaseUrl>()

/** `None` when the text is neither of the two. */
export const parse = (text: string): Option.Option<DatabaseUrl> => {
  if (/^file:/i.test(text)) return Option.map(pathOf(text.slice("file:".length)), (path) => Sqlite({ path }))
  if (/^postgres(?:ql)?:\/\//i.test(text) && URL.canParse(text)) {
    return Option.some(Postgres({ url: Redacted.make(text) }))
  }
  return Option.none()
}

// A database in memory would be another one for each connection, and SQLite's own parameters could undo our settings.
const pathOf = (text: string): Option.Option<string> => {
  const authority = /^\/\/(?:localhost)?(?=\/)/i.exec(text)?.[0] ?? ""
  const path = decoded(text.slice(authority.length))
  const refused = path === undefined || path === "" || path.startsWith("//") || path === ":memory:"
  return refused || /[?#\0]/.test(text) || path.includes("\0") ? Option.none() : Option.some(path)
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
