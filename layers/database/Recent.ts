// What was read a moment ago and still holds. SQLite counts the commits of all other connections and processes, and to
// ask for the count costs a fraction of a read: what many requests ask for is read once a change.
import { SqlClient } from "@effect/sql"
import { type Context, Effect, Option } from "effect"
import { Prepared } from "./Prepared.ts"

export interface Recent<A> {
  readonly has: (key: string) => boolean
  /**
   * What was read under this key if nothing was committed since, else what is read now. A read that finds nothing is
   * not kept: keys that someone makes up must not push out those that are in use.
   */
  readonly of: <E, R>(key: string, read: () => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** How much is kept: more than a busy list has pages at a time, few enough to forget about. */
export const capacity = 256

const none = <A>(): Recent<A> => ({ has: () => false, of: (_key, read) => Effect.suspend(read) })

/** Remembers nothing where the database cannot tell whether it has changed. */
export const make = <A>(most = capacity): Effect.Effect<Recent<A>> =>
  Effect.map(Effect.serviceOption(Prepared), (prepared) => {
    const commits = Option.getOrUndefined(prepared)?.commits
    return commits === undefined ? none<A>() : remembering<A>(commits, most)
  })

const remembering = <A>(commits: () => number, most: number): Recent<A> => {
  const kept = new Map<string, { readonly count: number; readonly value: A }>()
  // The count is taken before the read, however long before: a commit in between makes the value look older than it is.
  let count: number | undefined
  const keep = (key: string, count: number, value: A) => {
    kept.delete(key)
    const [oldest] = kept.size < most ? [] : kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(key, { count, value })
  }
  return {
    has: (key) => kept.has(key),
    of: <E, R>(key: string, read: () => Effect.Effect<A, E, R>) =>
      Effect.contextWithEffect((context: Context.Context<never>): Effect.Effect<A, E, R> => {
        // A transaction sees what it has written itself, which is not committed yet.
        if (context.unsafeMap.has(SqlClient.TransactionConnection.key)) return read()
        const known = kept.get(key)
        if (known !== undefined || count === undefined) count = commits()
        if (known !== undefined && known.count === count) return Effect.succeed(known.value)
        const before = count
        return Effect.map(read(), (value) => {
          if (value !== undefined) keep(key, before, value)
          return value
        })
      })
  }
}
