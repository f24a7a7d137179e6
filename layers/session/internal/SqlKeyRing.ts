// Signing and sealing keys in the database, cached for a minute by every worker, and when a new one starts to sign.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer } from "effect"
import { type Key, KeyRing, type Keys } from "../../../src/session/internal/KeyRing.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { toHex } from "../../../src/session/internal/SplitToken.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import type * as Tables from "../../database/Tables.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as SealingKeys from "./SealingKeys.ts"

interface Row {
  readonly id: number
  readonly secret: string
  readonly created: number
}

const make = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const table = sql(tables.keys)
  const sealing = yield* SealingKeys.make(tables)
  const entropy = yield* Entropy
  const { sessionTtl } = yield* SessionConfig
  const fresh = () => toHex(entropy.bytes(32))

  // Of workers that start together, one creates the first key and all read it.
  const first = Effect.flatMap(
    EpochSeconds.seconds,
    (now) =>
      sql`INSERT INTO ${table} (id, secret, created_at) VALUES (1, ${fresh()}, ${now}) ON CONFLICT (id) DO NOTHING`
  )
  const read = Effect.gen(function* () {
    const [newest, ...older] = yield* sql<Row>`SELECT id, secret, created_at AS created FROM ${table} ORDER BY id DESC`
    return newest === undefined
      ? undefined
      : fromKeys([toKey(newest), ...older.map(toKey)], yield* EpochSeconds.seconds)
  })
  const readOrMake = Effect.flatMap(read, (found) =>
    found === undefined ? Effect.flatMap(Effect.zipRight(first, read), Effect.fromNullable) : Effect.succeed(found)
  )

  let known: Keys = yield* Effect.orDie(readOrMake)
  let readAt = yield* EpochSeconds.seconds
  const reload = Effect.map(readOrMake, (found) => {
    known = found
  })

  return KeyRing.of({
    ring: Effect.flatMap(EpochSeconds.seconds, (now) => {
      if (now - readAt < Duration.toSeconds(maxCacheAge)) return Effect.succeed(known)
      // Set before the read, so that one of many requests reads. When the database is unavailable, the keys stay as they are.
      readAt = now
      return Effect.map(Effect.ignoreLogged(reload), () => known)
    }),
    rotate: Effect.gen(function* () {
      const now = yield* EpochSeconds.seconds
      yield* sql`INSERT INTO ${table} (id, secret, created_at)
        SELECT COALESCE(MAX(id), 0) + 1, ${fresh()}, ${now} FROM ${table}`
      yield* reload
      yield* sealing.rotate
    }).pipe(Effect.orDie),
    seal: sealing.seal,
    unseal: sealing.unseal,
    // A key can be deleted when its successor has been signing for the lifetime of a session.
    sweep: Effect.gen(function* () {
      const since = (yield* EpochSeconds.seconds) - Duration.toSeconds(sessionTtl) - Duration.toSeconds(activationDelay)
      const gone = yield* sql`DELETE FROM ${table}
        WHERE id < (SELECT MAX(id) FROM ${table} WHERE created_at <= ${since}) RETURNING id`
      if (gone.length > 0) yield* reload
      return gone.length + (yield* sealing.sweep)
    }).pipe(Effect.orDie)
  })
})

/** Keys shared by all workers and machines on this database. */
export const layer = (tables: Tables.Tables): Layer.Layer<KeyRing, never, SqlClient.SqlClient | SessionConfig> =>
  Layer.effect(KeyRing, make(tables))

// A client of the program's own returns a `BIGINT` as text.
const toKey = ({ created, id, secret }: Row): Key => ({
  id,
  secret: Buffer.from(secret, "hex"),
  created: Number(created)
})

/** A new key signs only after this time: by then every worker has read the keys again. */
export const activationDelay = Duration.seconds(120)

/** How long a worker caches the keys. Well below `activationDelay`, for clocks that differ. */
export const maxCacheAge = Duration.seconds(60)

/** Keys that sign with the newest active one; the first key signs at once. */
export const fromKeys = (keys: readonly [Key, ...ReadonlyArray<Key>], now: number): Keys => {
  const [first, ...rest] = [...keys].sort((a, b) => a.id - b.id)
  const active = rest.filter((key) => key.created + Duration.toSeconds(activationDelay) <= now)
  return { signing: active.at(-1) ?? first ?? keys[0], find: (id) => keys.find((key) => key.id === id) }
}
