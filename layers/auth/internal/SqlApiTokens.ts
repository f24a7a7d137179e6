// API tokens in the database.
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Redacted } from "effect"
import { defaultTtl, maxTokens, TooManyApiTokens } from "../../../src/auth/internal/ApiTokenRules.ts"
import { type ApiGrant, ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as BearerToken from "../../../src/session/internal/BearerToken.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as CommitCache from "../../database/internal/CommitCache.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import type * as Tables from "../../database/Tables.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as AccountRows from "./AccountRows.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"
import { handleOf } from "../../session/internal/RequestSession.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import { validateGrant } from "./TokenRows.ts"
import * as UserColumns from "../../session/internal/UserColumns.ts"

interface Row {
  readonly user: AccountId
  readonly scopes: string
  readonly last_used: number | null
  readonly expires: number
  readonly email: string
  readonly verified: number | null
}

interface Listed {
  readonly key: string
  readonly name: string
  readonly scopes: string
  readonly created_at: number
  readonly last_used: number | null
  readonly expires: number
}

interface Found {
  readonly key: string
  readonly lastUsed: number
  readonly expires: number
  readonly grant: ApiGrant
}

// Seconds between two writes of a token's last use.
const stampInterval = 60

const maxRecent = 1024

const make = Effect.fnUntraced(function* ({ apiTokens: name, revocations: revoked, users }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const prepared = yield* PreparedStatements.orPlain
  const revocations = yield* Revocations.make(revoked)
  const transaction = Transaction.make(sql)
  const table = sql(name)
  const columns = UserColumns.make(sql, users)

  const read = prepared.one(sql<Row>`
    SELECT t.user_id AS ${sql("user")}, t.scopes, t.last_used, t.expires,
      u.${sql(users.identifier)} AS email, ${columns.verified("u.")} AS verified
    FROM ${table} t JOIN ${sql(users.table)} u ON u.${sql(users.key.column)} = ${columns.asKey(sql`t.user_id`)}
    WHERE t.key = ${""} AND t.expires > ${0}`)
  const recent = yield* CommitCache.make<Found | undefined>({
    most: maxRecent,
    sizeOf: (found) => (found === undefined ? 0 : 1024)
  })
  const find = (text: string, now: number) => {
    const key = sha256(text)
    return Effect.map(Effect.orDie(read([key, now])), (row) =>
      Option.isNone(row) ? undefined : toFound(key, row.value)
    )
  }

  const stamp = ({ key, lastUsed }: Found, now: number) =>
    now - lastUsed < stampInterval
      ? Effect.void
      : Effect.orDie(sql`UPDATE ${table} SET last_used = ${now}
          WHERE key = ${key} AND (last_used IS NULL OR last_used <= ${now - stampInterval})`)

  const verify = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
    const text = Redacted.value(secret)
    if (BearerToken.kindOf(text) !== "token") return Option.none<ApiGrant>()
    const now = yield* EpochSeconds.seconds
    const found = yield* recent.of(text, () => find(text, now))
    // What is remembered may have expired meanwhile.
    if (found === undefined || found.expires <= now) return Option.none<ApiGrant>()
    yield* stamp(found, now)
    return Option.some(found.grant)
  })

  const list = Effect.fnUntraced(function* (user: AccountId) {
    const now = yield* EpochSeconds.seconds
    return yield* Effect.orDie(sql<Listed>`SELECT key, name, scopes, created_at, last_used, expires FROM ${table}
      WHERE user_id = ${user} AND expires > ${now} ORDER BY created_at DESC, key`)
  })

  const create = Effect.fnUntraced(function* (
    user: AccountId,
    { name: given, scopes, ttl = defaultTtl }: Parameters<(typeof ApiTokens.Service)["create"]>[1]
  ) {
    const seconds = yield* validateGrant(user, ttl)
    const secret = BearerToken.print("token", entropy.bytes(BearerToken.secretBytes))
    const now = yield* EpochSeconds.seconds
    const row = {
      key: sha256(secret),
      user_id: user,
      name: AccountRows.nameOf(given),
      scopes: scopes.join(" "),
      created_at: now,
      last_used: null,
      expires: now + seconds
    }
    const insert = Effect.gen(function* () {
      // Holds the row of the user until the end: of two forms that are sent at once, the second counts the first.
      yield* revocations.numberOf(user)
      if ((yield* list(user)).length >= maxTokens) return yield* new TooManyApiTokens({ limit: maxTokens })
      yield* Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(row)}`)
    })
    yield* transaction(insert)
    return { ...toApiToken(row), secret: Redacted.make(secret) }
  })

  const revoke = Effect.fnUntraced(function* (user: AccountId, handle: string) {
    const found = (yield* list(user)).find(({ key }) => handleOf(key) === handle)
    if (found === undefined) return false
    return yield* AccountRows.touched(sql`DELETE FROM ${table} WHERE key = ${found.key} RETURNING key`)
  })

  const service = ApiTokens.of({
    create,
    verify,
    list: (user) => Effect.map(list(user), (rows) => rows.map(toApiToken)),
    revoke,
    revokeAll: (user, since) => AccountRows.remove(sql, name, user, AccountRows.since(sql, since)),
    sweep: ExpiredRows.sweep(sql, name, "key")
  })
  return yield* Tracing.methods("ApiTokens", service)
})

/** API tokens in the table that the migrations create, joined with the accounts. */
export const layer = (tables: Tables.Tables): Layer.Layer<ApiTokens, never, SqlClient.SqlClient> =>
  Layer.effect(ApiTokens, make(tables))

const scopesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.split(" "))

// A client of the program's own returns a `BIGINT` as text.
const toApiToken = ({ created_at, expires, key, last_used, name, scopes }: Listed) => ({
  handle: handleOf(key),
  name,
  scopes: scopesOf(scopes),
  created: Number(created_at),
  lastUsed: last_used === null ? undefined : Number(last_used),
  expires: Number(expires)
})

// Requests share what is remembered.
const toFound = (key: string, { email, expires, last_used, scopes, user, verified }: Row): Found =>
  Object.freeze({
    key,
    lastUsed: last_used === null ? Number.NEGATIVE_INFINITY : Number(last_used),
    expires: Number(expires),
    grant: Object.freeze({
      identity: Object.freeze({ id: user, email, verified: verified !== null }),
      handle: handleOf(key),
      scopes: new Set(scopesOf(scopes))
    })
  })
