// Signing keys in the database, held in memory by every worker.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Schedule } from "effect"
import { type Key, Keys, refresh, settling, signing } from "../../src/auth/Keys.ts"
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
    return newest === undefined ? undefined : ([toKey(newest), ...older.map(toKey)] as const)
  })
  const readOrMake = Effect.flatMap(read, (keys) =>
    keys === undefined ? Effect.flatMap(Effect.zipRight(first, read), Effect.fromNullable) : Effect.succeed(keys)
  )

  let known = yield* Effect.orDie(readOrMake)
  let current = signing(known, yield* Now.seconds)
  const reload = Effect.gen(function* () {
    known = yield* readOrMake
    current = signing(known, yield* Now.seconds)
  })
  // A database that is away for a while leaves the keys as they are.
  yield* Effect.forkScoped(Effect.schedule(Effect.ignoreLogged(reload), Schedule.spaced(refresh)))

  return Keys.of({
    signing: () => current,
    find: (id) => known.find((key) => key.id === id),
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
      yield* reload
      return gone.length
    }).pipe(Effect.orDie)
  })
})

export const layer: Layer.Layer<Keys, never, SqlClient.SqlClient | Entropy | Settings> = Layer.scoped(Keys, make)

const toKey = ({ created, id, secret }: Row): Key => ({ id, secret: Buffer.from(secret, "hex"), created })
