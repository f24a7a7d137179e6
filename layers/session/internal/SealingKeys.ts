// Keys that seal what the program has to read again, such as the secret of an authenticator app: AES-256-GCM. They are in a
// table of their own, so that a copy of the rows they seal reveals nothing, and apart from the signing keys, which end
// while the rows stay.
import { SqlClient } from "@effect/sql"
import { Effect, Option } from "effect"
import { createCipheriv, createDecipheriv } from "node:crypto"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { toHex } from "../../../src/session/internal/SplitToken.ts"
import type * as Tables from "../../database/Tables.ts"
import { isInTransaction } from "../../database/internal/PreparedStatements.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"

interface Row {
  readonly id: number
  readonly secret: string
  readonly created: unknown
}

interface Key {
  readonly id: number
  readonly secret: Uint8Array
}

const nonceBytes = 12
const tagBytes = 16

/** Seconds for which a worker seals with the keys that it has read. */
const maxCacheAge = 60

/** Seconds after which no worker seals with the predecessor of a key any more. Generous, for clocks that differ. */
const retirement = 3600

const shape = /^(\d{1,9})\.([A-Za-z0-9_-]+)$/

const encrypt = ({ id, secret }: Key, nonce: Uint8Array, text: string, context: string): string => {
  const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(`${id}\0${context}`))
  const parts = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]
  return `${id}.${Buffer.concat(parts).toString("base64url")}`
}

const decrypt = ({ id, secret }: Key, sealed: Buffer, context: string): string | undefined => {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const end = sealed.length - tagBytes
  try {
    const cipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    cipher.setAAD(Buffer.from(`${id}\0${context}`)).setAuthTag(sealed.subarray(end))
    return cipher.update(sealed.subarray(nonceBytes, end), undefined, "utf8") + cipher.final("utf8")
  } catch {
    // `final` throws for a text that was changed.
    return undefined
  }
}

export const make = Effect.fnUntraced(function* ({ factors, jobs, sealingKeys }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const table = sql(sealingKeys)
  const fresh = () => toHex(entropy.bytes(32))
  let known: ReadonlyArray<Key> = []
  let readAt = Number.NEGATIVE_INFINITY

  const reload = Effect.gen(function* () {
    const rows = yield* sql<Row>`SELECT id, secret, created_at AS created FROM ${table} ORDER BY id DESC`
    const now = yield* EpochSeconds.seconds
    const keys = rows.map(({ id, secret }): Key => ({ id, secret: Buffer.from(secret, "hex") }))
    // A key that this transaction has made is gone when it rolls back: nothing may be sealed with it afterwards.
    const isMaybeOwn = isInTransaction(yield* Effect.context<never>())
    if (isMaybeOwn && rows.some(({ created }) => now - Number(created) < retirement)) return keys
    readAt = now
    known = keys
    return keys
  })

  // Of workers that seal for the first time together, one creates the first key and all read it.
  const first = Effect.gen(function* () {
    const now = yield* EpochSeconds.seconds
    yield* sql`INSERT INTO ${table} (id, secret, created_at) VALUES (1, ${fresh()}, ${now}) ON CONFLICT (id) DO NOTHING`
    return yield* Effect.flatMap(reload, ([key]) => Effect.fromNullable(key))
  })

  const newest = Effect.gen(function* () {
    const isFresh = (yield* EpochSeconds.seconds) - readAt < maxCacheAge
    const [key] = isFresh && known.length > 0 ? known : yield* reload
    return key ?? (yield* first)
  })

  const find = Effect.fnUntraced(function* (id: number) {
    const cached = known.find((key) => key.id === id)
    if (cached !== undefined) return cached
    return (yield* reload).find((key) => key.id === id)
  })

  return {
    seal: (text: string, context: string) =>
      Effect.map(Effect.orDie(newest), (key) => ({
        text: encrypt(key, entropy.bytes(nonceBytes), text, context),
        key: key.id
      })),
    unseal: Effect.fnUntraced(function* (sealed: string, context: string) {
      const [, id, body] = shape.exec(sealed) ?? []
      if (id === undefined || body === undefined) return Option.none<string>()
      const key = yield* Effect.orDie(find(Number(id)))
      if (key === undefined) return Option.none<string>()
      return Option.fromNullable(decrypt(key, Buffer.from(body, "base64url"), context))
    }),
    /** A new key, when there is one that it succeeds. */
    rotate: Effect.gen(function* () {
      const now = yield* EpochSeconds.seconds
      yield* sql`INSERT INTO ${table} (id, secret, created_at)
        SELECT MAX(id) + 1, ${fresh()}, ${now} FROM ${table} HAVING COUNT(*) > 0`
      yield* reload
    }),
    /** Deletes the keys that no row needs, once their successor has been known to every worker for long. */
    sweep: Effect.gen(function* () {
      const since = (yield* EpochSeconds.seconds) - retirement
      const gone = yield* sql`DELETE FROM ${table}
        WHERE id < (SELECT MAX(id) FROM ${table} WHERE created_at <= ${since})
          AND NOT EXISTS (SELECT 1 FROM ${sql(factors)} WHERE key_id = ${sql(`${sealingKeys}.id`)})
          AND NOT EXISTS (SELECT 1 FROM ${sql(jobs)} WHERE key_id = ${sql(`${sealingKeys}.id`)}) RETURNING id`
      if (gone.length > 0) yield* reload
      return gone.length
    })
  }
})
