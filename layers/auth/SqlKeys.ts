// Signing keys in the database, held in memory for a minute by every worker.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer } from "effect"
import { freshness, type Key, Keys, type Ring, ring, settling } from "../../src/auth/Keys.ts"
import { Entropy, toHex } from "../../src/auth/Secret.ts"
import { Settings } from "../../src/auth/Settings.ts"
import * as Now from "./Now.ts"

interface Row {
  readonly id: number
  readonly secret: string
  readonly created: number
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const entropy = yield* Entropy
  const { sessionTtl } = yield* Settings
  const fresh = () => toHex(entropy.bytes(32))

  // Of workers that start at once, one makes the first key and all read it.
  const first = Effect.flatMap(
    Now.seconds,
    (now) => sql`INSERT INTO keys (id, secret, created_at) VALUES (1, ${fresh()}, ${now}) ON CONFLICT (id) DO NOTHING`
  )
  const read = Effect.gen(function* () {
    const [newest, ...older] = yield* sql<Row>`SELECT id, secret, created_at AS created FROM keys ORDER BY id DESC`
    return newest === undefined ? undefined : ring([toKey(newest), ...older.map(toKey)], yield* Now.seconds)
  })
  const readOrMake = Effect.flatMap(read, (found) =>
    found === undefined ? Effect.flatMap(Effect.zipRight(first, read), Effect.fromNullable) : Effect.succeed(found)
  )

  let known: Ring = yield* Effect.orDie(readOrMake)
  let readAt = yield* Now.seconds
  const reload = Effect.map(readOrMake, (found) => {
    known = found
  })

  return Keys.of({
    ring: Effect.flatMap(Now.seconds, (now) => {
      if (now - readAt < Duration.toSeconds(freshness)) return Effect.succeed(known)
      // Noted before it is done: of many requests one reads. A database that is away leaves the keys as they are.
      readAt = now
      return Effect.map(Effect.ignoreLogged(reload), () => known)
    }),
    rotate: Effect.gen(function* () {
      const now = yield* Now.seconds
      yield* sql`INSERT INTO keys (id, secret, created_at)
        SELECT COALESCE(MAX(id), 0) + 1, ${fresh()}, ${now} FROM keys`
      yield* reload
    }).pipe(Effect.orDie),
    // A key may go when its successor has been signing for as long as a session lives.
    sweep: Effect.gen(function* () {
      const since = (yield* Now.seconds) - Duration.toSeconds(sessionTtl) - Duration.toSeconds(settling)
      const gone = yield* sql`DELETE FROM keys
        WHERE id < (SELECT MAX(id) FROM keys WHERE created_at <= ${since}) RETURNING id`
      if (gone.length > 0) yield* reload
      return gone.length
    }).pipe(Effect.orDie)
  })
})

/** Keys that all workers and machines on this database share. */
export const layer: Layer.Layer<Keys, never, SqlClient.SqlClient | Entropy | Settings> = Layer.effect(Keys, make)

const toKey = ({ created, id, secret }: Row): Key => ({ id, secret: Buffer.from(secret, "hex"), created })
