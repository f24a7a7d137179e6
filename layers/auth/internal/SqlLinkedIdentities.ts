// Linked identities in the database.
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import {
  IdentityTaken,
  LinkedIdentities,
  type LinkedIdentity,
  type NewIdentity,
  type Subject
} from "../../../src/auth/LinkedIdentities.ts"
import { resumed, sessionKey } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { storable } from "../../../src/session/internal/StorableText.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import type * as Tables from "../../database/Tables.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import * as UserColumns from "../../session/internal/UserColumns.ts"
import * as AccountRows from "./AccountRows.ts"

interface Row extends Subject {
  readonly provider: string
  readonly label: string
  readonly created_at: number
  readonly last_used: number | null
}

interface Found {
  readonly user: AccountId
  readonly email: string
  readonly verified: number | null
}

const maxLabel = 254

const Data = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
const decodeData = Schema.decodeUnknownOption(Data)

const make = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const { linkedIdentities, pendingSignIns, revocations: revoked, sessions, users } = tables
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const revocations = yield* Revocations.make(revoked)
  const transaction = Transaction.make(sql)
  const table = sql(linkedIdentities)
  const columns = UserColumns.make(sql, users)

  const prepared = yield* PreparedStatements.orPlain
  const listed = PreparedStatements.reader(
    prepared,
    (user: string) => sql<Row>`SELECT issuer, subject, provider, label, created_at, last_used FROM ${table}
      WHERE user_id = ${user} ORDER BY created_at DESC, issuer, subject`,
    [""]
  )
  const rowsOf = (user: AccountId) => Effect.orDie(listed(user))

  const isSubject = ({ issuer, subject }: Subject) => sql`issuer = ${issuer} AND subject = ${subject}`

  // The account is part of the statement: an identity that a deleted account has left finds none.
  const owner = PreparedStatements.reader(
    prepared,
    (issuer: string, subject: string) => sql<Found>`SELECT i.user_id AS ${sql("user")},
      u.${sql(users.identifier)} AS email, ${columns.verified("u.")} AS verified
      FROM ${table} i JOIN ${sql(users.table)} u ON u.${sql(users.key.column)} = ${columns.asKey(sql`i.user_id`)}
      WHERE ${isSubject({ issuer, subject })}`,
    ["", ""]
  )
  const find = (given: Subject) =>
    Effect.map(Effect.orDie(owner(given.issuer, given.subject)), ([found]) =>
      Option.map(Option.fromNullable(found), ({ email, user, verified }) => ({
        identity: { id: user, email, verified: verified !== null },
        handle: handleOf(given)
      }))
    )

  const insert = Effect.fnUntraced(function* (user: AccountId, identity: NewIdentity) {
    const { issuer, label, provider, subject } = identity
    const row = {
      issuer,
      subject,
      user_id: user,
      provider,
      label: storable(label.slice(0, maxLabel)),
      created_at: yield* EpochSeconds.seconds,
      last_used: null
    }
    const made = yield* Effect.orDie(
      sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (issuer, subject) DO NOTHING RETURNING issuer`
    )
    return made.length > 0 ? Option.some(toLinked(row)) : Option.none()
  })

  const link = (user: AccountId, identity: NewIdentity) =>
    transaction(
      Effect.gen(function* () {
        const made = yield* insert(user, identity)
        if (Option.isSome(made)) return made.value
        const owner = yield* find(identity)
        if (Option.isSome(owner)) {
          const handle = handleOf(identity)
          const own = (yield* rowsOf(user)).map(toLinked).find((one) => one.handle === handle)
          return own ?? (yield* new IdentityTaken({ provider: identity.provider }))
        }
        // Left by an account that was deleted while it was being linked.
        yield* Effect.orDie(sql`DELETE FROM ${table} WHERE ${isSubject(identity)}`)
        const again = yield* insert(user, identity)
        return Option.isSome(again) ? again.value : yield* new IdentityTaken({ provider: identity.provider })
      })
    )

  const subjectOf = (user: AccountId, handle: string) =>
    Effect.map(rowsOf(user), (rows) => Option.fromNullable(rows.find((row) => handleOf(row) === handle)))

  const used = PreparedStatements.writer(
    (now: number, issuer: string, subject: string, user: string) =>
      sql`UPDATE ${table} SET last_used = ${now} WHERE ${isSubject({ issuer, subject })} AND user_id = ${user}`,
    [0, "", "", ""]
  )
  const recordUse = (user: AccountId, { issuer, subject }: Subject) =>
    EpochSeconds.use((now) => Effect.asVoid(Effect.orDie(used(now, issuer, subject, user))))

  const endSessions = Effect.fnUntraced(function* (user: AccountId, handle: string) {
    const rows = yield* sql<{
      key: string
      data: string
    }>`SELECT key, data FROM ${sql(sessions)} WHERE user_id = ${user}`
    for (const { data, key } of rows) {
      const isBegunByIt = Option.exists(decodeData(data), (held) =>
        [handle, resumed].includes(String(held[sessionKey]))
      )
      if (isBegunByIt) yield* sql`DELETE FROM ${sql(sessions)} WHERE key = ${key}`
    }
    yield* sql`DELETE FROM ${sql(pendingSignIns)} WHERE user_id = ${user}`
  })

  const remove = (user: AccountId, handle: string) =>
    transaction(
      Effect.gen(function* () {
        // The number first: a concurrent sign-in by this identity either finds no row, or reads the new number.
        yield* revocations.revoke(user)
        const found = yield* subjectOf(user, handle)
        if (Option.isNone(found)) return false
        const gone = yield* Effect.orDie(sql`DELETE FROM ${table}
          WHERE ${isSubject(found.value)} AND user_id = ${user} RETURNING issuer`)
        yield* Effect.orDie(endSessions(user, handle))
        return gone.length > 0
      })
    )

  const service = LinkedIdentities.of({
    link,
    find,
    recordUse,
    list: (user) => Effect.map(rowsOf(user), (rows) => rows.map(toLinked)),
    remove,
    removeAll: (user, since) => AccountRows.remove(sql, linkedIdentities, user, AccountRows.since(sql, since))
  })
  return yield* Tracing.methods("LinkedIdentities", service)
})

/** Linked identities in the table that the migrations create, joined with the accounts. */
export const layer = (tables: Tables.Tables): Layer.Layer<LinkedIdentities, never, SqlClient.SqlClient> =>
  Layer.effect(LinkedIdentities, make(tables))

// A public name that tells nothing of the subject.
const handleOf = ({ issuer, subject }: Subject): string => sha256(`identity\0${issuer}\0${subject}`).slice(0, 32)

// A client of the program's own returns a `BIGINT` as text.
const toLinked = ({ created_at, issuer, label, last_used, provider, subject }: Row): LinkedIdentity => ({
  handle: handleOf({ issuer, subject }),
  issuer,
  provider,
  label,
  created: Number(created_at),
  lastUsed: last_used === null ? undefined : Number(last_used)
})
