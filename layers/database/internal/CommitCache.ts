// A cache of reads that is valid until the next commit. SQLite counts the commits of all other connections and processes,
// and reading the count costs a fraction of a query: a frequently used row is read once for each change.
import { type Context, Effect, Option } from "effect"
import { isInTransaction, PreparedStatements } from "./PreparedStatements.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

interface CommitCache<A> {
  /**
   * The cached value if there was no commit since, otherwise a new read. `undefined` is not cached: made-up keys must
   * not evict those that are in use.
   */
  readonly of: <E, R>(key: string, read: () => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The bounds of what is kept. Callers share a value, so it must not be changed. */
interface Options<A> {
  /** How many values: more than a busy list has pages at a time. */
  readonly most?: number
  /** Bytes of all values and their keys, as `sizeOf` estimates them; a value of more than a quarter is not kept. */
  readonly bytes?: number
  readonly sizeOf: (value: A) => number
}

/** Values that are cached by default. */
const capacity = 256

/** Bytes that are cached by default. */
export const capacityBytes = 8 * 1024 * 1024

const none = <A>(): CommitCache<A> => ({ of: (_key, read) => Effect.suspend(read) })

/** Caches nothing where the database has no commit counter. */
export const make = <A>(options: Options<A>): Effect.Effect<CommitCache<A>> =>
  Effect.map(Effect.serviceOption(PreparedStatements), (prepared) => {
    const commits = Option.getOrUndefined(prepared)?.commits
    return commits === undefined ? none<A>() : caching<A>(commits, options)
  })

interface Kept<A> {
  readonly count: number
  readonly value: A
  readonly size: number
}

// What an entry costs besides its key and its value.
const overhead = 128

const caching = <A>(
  commits: () => number,
  { bytes = capacityBytes, most = capacity, sizeOf }: Options<A>
): CommitCache<A> => {
  const kept = new Map<string, Kept<A>>()
  let total = 0
  const drop = (key: string) => {
    total -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  // The count is taken before the read, however long before: a commit in between makes the value look older than it is.
  let count: number | undefined
  const keep = (key: string, count: number, value: A) => {
    drop(key)
    const size = overhead + 2 * key.length + sizeOf(value)
    if (size * 4 > bytes) return
    for (const oldest of kept.keys()) {
      if (kept.size < most && total + size <= bytes) break
      drop(oldest)
    }
    kept.set(key, { count, value, size })
    total += size
  }
  return {
    of: <E, R>(key: string, read: () => Effect.Effect<A, E, R>) =>
      RequestServices.use((context: Context.Context<never>): Effect.Effect<A, E, R> => {
        // A transaction sees what it has written itself, which is not committed yet.
        if (isInTransaction(context)) return read()
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
