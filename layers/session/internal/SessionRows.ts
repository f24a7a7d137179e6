// The rows of signed-in sessions. Every write to a row is an update of the version that was read, or a delete: nothing
// here can bring a row back.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Option } from "effect"
import { storable } from "../../../src/session/internal/StorableText.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { SessionConfig } from "../../../src/session/internal/SessionConfig.ts"
import type { DeviceInfo } from "../../../src/session/Session.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as CommitCache from "../../database/internal/CommitCache.ts"
import { sha256 } from "./Digest.ts"
import * as ExpiredRows from "./ExpiredRows.ts"
import type * as Tables from "../../database/Tables.ts"
import * as UserColumns from "./UserColumns.ts"

/** A session and the account it belongs to. */
export interface Row {
  readonly user: AccountId
  readonly data: string
  readonly version: number
  readonly last_seen: number
  readonly expires: number
  readonly absolute: number
  readonly email: string
  readonly verified: number | null
}

/** What the id in a cookie leads to. */
interface Found {
  readonly key: string
  readonly row: Row
  readonly identity: Identity
}

export interface Listed {
  readonly key: string
  readonly created_at: number
  readonly last_seen: number
  readonly peer: string | null
  readonly user_agent: string | null
}

/** A change of the row of this key and version; another key under `moved` when the id was regenerated. */
interface Change {
  readonly key: string
  readonly version: number
  readonly moved: string
  readonly data: string
  readonly absolute: number
  readonly now: number
}

const maxRecent = 1024
const maxListed = 100

export const make = Effect.fnUntraced(function* ({ sessions: name, users }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const prepared = yield* PreparedStatements.orPlain
  const settings = yield* SessionConfig
  const idle = Duration.toSeconds(settings.sessionIdle)
  const ttl = Duration.toSeconds(settings.sessionTtl)
  const table = sql(name)
  const columns = UserColumns.make(sql, users)
  const deadline = (now: number, absolute: number) => Math.min(now + idle, absolute)

  const live = (key: string, now: number) => sql<Row>`
    SELECT s.user_id AS ${sql("user")}, s.data, s.version, s.last_seen, s.expires, s.absolute,
      u.${sql(users.identifier)} AS email, ${columns.verified("u.")} AS verified
    FROM ${table} s JOIN ${sql(users.table)} u ON u.${sql(users.key.column)} = ${columns.asKey(sql`s.user_id`)}
    WHERE s.key = ${key} AND s.expires > ${now}`
  const read = prepared.one(live("", 0))
  const find = (id: string, now: number) => {
    const key = sha256(id)
    return Effect.map(Effect.orDie(read([key, now])), (row) =>
      Option.isNone(row) ? undefined : toFound(key, toRow(row.value))
    )
  }
  const listed = PreparedStatements.reader(
    prepared,
    (user: string, now: number) => sql<Listed>`SELECT key, created_at, last_seen, peer, user_agent FROM ${table}
      WHERE user_id = ${user} AND expires > ${now} ORDER BY last_seen DESC, key LIMIT ${sql.literal(String(maxListed))}`,
    ["", 0]
  )
  const inserted = PreparedStatements.inserter(
    ["key", "user_id", "data", "version", "created_at", "last_seen", "expires", "absolute", "peer", "user_agent"],
    (row) => sql`INSERT INTO ${table} ${sql.insert(row)}`
  )
  const recent = yield* CommitCache.make<Found | undefined>({
    most: maxRecent,
    sizeOf: (found) => (found === undefined ? 0 : 640 + 2 * (found.row.data.length + found.row.email.length))
  })

  return {
    /**
     * The hot read: one prepared statement, by the digest of the id. What is remembered needs neither, and may have
     * expired meanwhile.
     */
    read: (id: string, now: number) => recent.of(id, () => find(id, now)),
    isLive: (key: string, now: number) => Effect.map(Effect.orDie(read([key, now])), Option.isSome),
    reread: (key: string, now: number) =>
      Effect.map(Effect.orDie(live(key, now)), (rows) => Option.map(Option.fromNullable(rows[0]), toRow)),
    insert: (key: string, user: AccountId, data: string, device: DeviceInfo, now: number) => {
      const row = {
        key,
        user_id: user,
        data,
        version: 1,
        created_at: now,
        last_seen: now,
        expires: deadline(now, now + ttl),
        absolute: now + ttl,
        peer: device.address,
        user_agent: storable(device.userAgent)
      }
      return Effect.orDie(inserted(row))
    },
    /** `false` when the row has another version by now, or is gone. */
    update: ({ absolute, data, key, moved, now, version }: Change) =>
      Effect.map(
        Effect.orDie(sql`UPDATE ${table} SET key = ${moved}, data = ${data}, version = version + 1,
          last_seen = ${now}, expires = ${deadline(now, absolute)}
          WHERE key = ${key} AND version = ${version} RETURNING version`),
        (rows) => rows.length > 0
      ),
    touch: (key: string, absolute: number, device: DeviceInfo, now: number) =>
      Effect.orDie(sql`UPDATE ${table} SET last_seen = ${now}, expires = ${deadline(now, absolute)},
        peer = ${device.address}, user_agent = ${storable(device.userAgent)}
        WHERE key = ${key} AND last_seen < ${now}`),
    remove: (key: string) => Effect.orDie(sql`DELETE FROM ${table} WHERE key = ${key}`),
    removeOf: (user: AccountId, except: string) =>
      Effect.map(
        Effect.orDie(sql`DELETE FROM ${table} WHERE user_id = ${user} AND key <> ${except} RETURNING key`),
        (rows) => rows.length
      ),
    list: (user: AccountId, now: number) => Effect.orDie(listed(user, now)),
    sweep: ExpiredRows.sweep(sql, name, "key")
  }
})

export type SessionRows = Effect.Effect.Success<ReturnType<typeof make>>

// Requests share what is remembered.
const toFound = (key: string, row: Row): Found =>
  Object.freeze({
    key,
    row: Object.freeze(row),
    identity: Object.freeze({ id: row.user, email: row.email, verified: row.verified !== null })
  })

// A client of the program's own returns a `BIGINT` as text. The row of ours is not copied.
const toRow = (row: Row): Row =>
  typeof row.expires === "number"
    ? row
    : { ...row, last_seen: Number(row.last_seen), expires: Number(row.expires), absolute: Number(row.absolute) }
