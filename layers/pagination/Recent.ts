// Pages that were read a moment ago and still hold. SQLite counts the commits of all other connections and processes,
// and to ask for the count costs a tenth of reading a page: a list that many people look at is read once a change.
import { SqlClient } from "@effect/sql"
import { Context, Effect, Option } from "effect"
import { Prepared } from "../database/Prepared.ts"

export interface Recent<A> {
  readonly has: (key: string) => boolean
  /** What was read under this key if nothing was committed since, else what is read now. */
  readonly of: <E>(key: string, read: () => Effect.Effect<A, E>) => Effect.Effect<A, E>
}

/** More pages than a busy list has at a time, few enough to forget about. */
export const capacity = 256

const none = <A>(): Recent<A> => ({ has: () => false, of: (_key, read) => Effect.suspend(read) })

/** Remembers nothing where the database cannot tell whether it has changed. */
export const make = <A>(): Effect.Effect<Recent<A>, never, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const prepared = yield* Effect.serviceOption(Prepared)
    const isSqlite = sql.onDialectOrElse({ sqlite: () => true, orElse: () => false })
    if (!isSqlite || Option.isNone(prepared)) return none<A>()
    // All prepared reads share one connection, which never writes: every commit is another's and counts.
    const version = prepared.value.one<{ readonly data_version: number }>(sql.unsafe("PRAGMA data_version"))([])
    const pages = new Map<string, { readonly version: number; readonly page: A }>()
    const keep = (key: string, version: number, page: A) => {
      pages.delete(key)
      const [oldest] = pages.size < capacity ? [] : pages.keys()
      if (oldest !== undefined) pages.delete(oldest)
      pages.set(key, { version, page })
    }
    return {
      has: (key) => pages.has(key),
      of: <E>(key: string, read: () => Effect.Effect<A, E>) =>
        Effect.contextWithEffect((context: Context.Context<never>): Effect.Effect<A, E> => {
          // A transaction sees what it has written itself, which is not committed yet.
          if (Context.getOption(context, SqlClient.TransactionConnection)._tag === "Some") return read()
          return Effect.flatMap(Effect.orDie(version), (row) => {
            // The count is taken before the read: a commit in between makes the page look older than it is.
            const now = Option.match(row, { onNone: () => Number.NaN, onSome: (row) => row.data_version })
            const known = pages.get(key)
            if (known !== undefined && known.version === now) return Effect.succeed(known.page)
            return Effect.map(read(), (page) => {
              keep(key, now, page)
              return page
            })
          })
        })
    }
  })
