// The address of the database: a SQLite file or a PostgreSQL server.
import { Data, type Redacted } from "effect"

/** The address of the database. The one of a server is redacted, since it may contain a password. */
export type DatabaseUrl = Data.TaggedEnum<{
  /** A relative `path` is resolved against the working directory. */
  Sqlite: { readonly path: string }
  Postgres: { readonly url: Redacted.Redacted }
}>

/** The two kinds of address: `DatabaseUrl.Sqlite({ path: "storage/app.sqlite" })`. */
export const { Sqlite, Postgres } = Data.taggedEnum<DatabaseUrl>()
