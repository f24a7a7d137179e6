// Changes of accounts that wait, in the database.
import type { SqlClient, Statement } from "@effect/sql"
import { Duration, Effect, Layer, Option, type Redacted } from "effect"
import { AccountChanges, type Restored } from "../../../src/auth/internal/AccountChanges.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { type Token, Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import type * as Tables from "../../database/Tables.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import * as AccountRows from "./AccountRows.ts"
import * as TokenRows from "./TokenRows.ts"

interface Row {
  readonly user: AccountId
  readonly email: string
  readonly position: number
  readonly created_at: number
}

type Kind = "email" | "undo" | "deletion"

const mostDue = 100

const make = Effect.fnUntraced(function* ({ accountChanges: name, revocations: revoked }: Tables.Tables) {
  const rows = yield* TokenRows.make(name)
  const { sql, table } = rows
  const users = yield* Users
  const tokens = yield* Tokens
  const transaction = Transaction.make(sql)
  const revocations = yield* Revocations.make(revoked)
  const columns = sql`user_id AS ${sql("user")}, email, position, created_at`

  const insert = (row: Readonly<Record<string, string | number>>) =>
    Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(row)}
    ON CONFLICT (user_id, kind) WHERE kind <> 'undo' DO UPDATE SET selector = excluded.selector,
      verifier = excluded.verifier, email = excluded.email, created_at = excluded.created_at, expires = excluded.expires,
      language = excluded.language`)

  const requestEmail = Effect.fnUntraced(function* (user: AccountId, email: string, ttl: Duration.DurationInput) {
    const seconds = yield* TokenRows.validateGrant(user, ttl)
    const now = yield* EpochSeconds.seconds
    const { selector, token, verifier } = rows.mint(user)
    const times = { position: 0, created_at: now, expires: now + seconds }
    yield* insert({ selector, verifier, user_id: user, kind: "email", email, ...times })
    return token
  })

  const live = (token: Redacted.Redacted, kind: Kind) =>
    Effect.map(EpochSeconds.seconds, (now) => sql`${rows.isLive(token, now)} AND kind = ${kind}`)

  const find = Effect.fnUntraced(function* (token: Redacted.Redacted, kind: "email" | "undo") {
    return yield* AccountRows.first(sql<Row>`SELECT ${columns} FROM ${table} WHERE ${yield* live(token, kind)}`)
  })

  const dropped = (condition: Statement.Fragment, user: AccountId) =>
    Effect.map(
      Effect.orDie(sql<{ selector: string }>`DELETE FROM ${table} WHERE user_id = ${user} AND ${condition}
        RETURNING selector`),
      (gone) => gone.map(({ selector }) => selector)
    )

  const isAny = (selectors: ReadonlyArray<string>) => selectors.length > 0

  const ofKind = (kind: Kind) => sql`kind = ${kind}`

  const keepForUndo = Effect.fnUntraced(function* (user: AccountId, email: string, undoTtl: Duration.DurationInput) {
    const now = yield* EpochSeconds.seconds
    const expires = now + Math.floor(Duration.toSeconds(undoTtl))
    const [last] = yield* Effect.orDie(sql<{ position: number | null }>`SELECT MAX(position) AS position FROM ${table}
      WHERE user_id = ${user} AND kind = 'undo'`)
    const { selector, token, verifier } = rows.mint(user)
    const position = Number(last?.position ?? 0) + 1
    yield* insert({ selector, verifier, user_id: user, kind: "undo", email, position, created_at: now, expires })
    // Anyone who took the account over may have asked for the deletion before: it must not come before the undo ends.
    yield* Effect.orDie(sql`UPDATE ${table} SET expires = ${expires}
      WHERE user_id = ${user} AND kind = 'deletion' AND expires < ${expires}`)
    return token
  })

  // What was mailed to the address, except what reports a change: its owner keeps that.
  const revokeLinks = (user: AccountId) =>
    Effect.zipRight(tokens.revoke(user, "recovery"), tokens.revoke(user, "verification"))

  const changeEmail = Effect.fnUntraced(function* (token: Redacted.Redacted, undoTtl: Duration.DurationInput) {
    const found = yield* find(token, "email")
    if (Option.isNone(found)) return Option.none()
    const { email, user } = found.value
    // Of all that changes an account in several tables, one runs at a time: the positions of two changes differ.
    yield* revocations.numberOf(user)
    const redeemed = yield* dropped(yield* live(token, "email"), user)
    if (!isAny(redeemed)) return Option.none()
    const before = yield* users.changeEmail(user, email)
    if (Option.isNone(before)) return Option.none()
    const { email: previous, verified } = before.value
    // An address that nobody has proved may be a slip of the pen: a stranger who reads it would take the account over.
    const undo = verified ? Option.some(yield* keepForUndo(user, previous, undoTtl)) : Option.none<Token>()
    yield* revokeLinks(user)
    return Option.some({ user: { id: user, email, verified: true }, previous, undo })
  })

  // Anyone who took the account over may have changed the address again: the undo of an earlier change ends later ones, and
  // never the other way round.
  const dropFrom = (position: number, user: AccountId) =>
    dropped(sql`kind = 'undo' AND position >= ${Number(position)}`, user)

  const restore = Effect.fnUntraced(function* ({ email, user }: Pick<Row, "email" | "user">) {
    if (Option.isNone(yield* users.changeEmail(user, email))) return false
    yield* dropped(sql`kind <> 'undo'`, user)
    yield* revokeLinks(user)
    return true
  })

  const restoreEmail = Effect.fnUntraced(function* (user: AccountId, since: number) {
    yield* revocations.numberOf(user)
    yield* dropped(ofKind("email"), user)
    const now = yield* EpochSeconds.seconds
    const found = yield* AccountRows.first(sql<Row>`SELECT ${columns} FROM ${table} WHERE user_id = ${user}
      AND kind = 'undo' AND created_at >= ${since} AND expires > ${now} ORDER BY position LIMIT 1`)
    if (Option.isNone(found)) return false
    yield* dropFrom(found.value.position, user)
    return yield* restore(found.value)
  })

  const undoEmail = Effect.fnUntraced(function* <E = never, R = never>(
    token: Redacted.Redacted,
    within: (restored: Restored) => Effect.Effect<void, E, R> = () => Effect.void
  ) {
    const found = yield* find(token, "undo")
    if (Option.isNone(found)) return Option.none()
    const { created_at, email, position, user } = found.value
    yield* revocations.hold(user)
    const ended = yield* dropFrom(position, user)
    if (!ended.includes(TokenRows.presented(token).selector)) return Option.none()
    if (!(yield* restore({ email, user }))) return Option.none()
    // The links that report what came before the change stay: the undo leaves the passkeys from then.
    yield* tokens.revoke(user, "not_me", Number(created_at))
    const restored: Restored = { user: { id: user, email, verified: true }, since: Number(created_at) }
    yield* within(restored)
    return Option.some(restored)
  })

  const pendingEmail = Effect.fnUntraced(function* (user: AccountId) {
    const now = yield* EpochSeconds.seconds
    const row = yield* AccountRows.first(sql<{ email: string; expires: number }>`SELECT email, expires FROM ${table}
      WHERE user_id = ${user} AND kind = 'email' AND expires > ${now}`)
    return Option.map(row, ({ email, expires }) => ({ email, expires: Number(expires) }))
  })

  const requestDeletion = Effect.fnUntraced(function* (
    user: AccountId,
    grace: Duration.DurationInput,
    language: string
  ) {
    const now = yield* EpochSeconds.seconds
    const [undo] = yield* Effect.orDie(sql<{ expires: number | null }>`SELECT MAX(expires) AS expires FROM ${table}
      WHERE user_id = ${user} AND kind = 'undo'`)
    // Anyone who took the account over must not delete it before its owner could undo that.
    const expires = Math.max(now + Math.floor(Duration.toSeconds(grace)), Number(undo?.expires ?? 0))
    const { selector, verifier } = rows.mint(user)
    yield* insert({
      selector,
      verifier,
      user_id: user,
      kind: "deletion",
      email: "",
      position: 0,
      created_at: now,
      expires,
      language
    })
    return expires
  })

  const dueAt = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string) => sql<{ expires: number }>`SELECT expires FROM ${table}
      WHERE user_id = ${user} AND kind = 'deletion'`,
    [""]
  )
  const deletion = (user: AccountId) =>
    Effect.map(Effect.orDie(dueAt(user)), ([row]) =>
      Option.map(Option.fromNullable(row), ({ expires }) => Number(expires))
    )

  // A request of the deletion and a change of the address that are made at the same time may not have seen each other.
  const isDue = (now: number) => sql`kind = 'deletion' AND expires <= ${now}
    AND user_id NOT IN (SELECT user_id FROM ${table} WHERE kind = 'undo' AND expires > ${now})`

  const due = Effect.gen(function* () {
    const now = yield* EpochSeconds.seconds
    const found = yield* Effect.orDie(sql<{
      user: AccountId
      language: string
    }>`SELECT user_id AS ${sql("user")}, language
      FROM ${table} WHERE ${isDue(now)} ORDER BY expires LIMIT ${mostDue}`)
    return found.map(({ language, user }) => ({ user, language }))
  })

  const service = AccountChanges.of({
    requestEmail,
    find: (token, kind) =>
      Effect.map(
        find(token, kind),
        Option.map(({ email, user }) => ({ email, user }))
      ),
    changeEmail: (token, undoTtl) => transaction(changeEmail(token, undoTtl)),
    undoEmail: (token, within) => transaction(undoEmail(token, within)),
    restoreEmail: (user, since) => transaction(restoreEmail(user, since)),
    pendingEmail,
    cancelEmail: (user) => Effect.map(dropped(ofKind("email"), user), isAny),
    requestDeletion: (user, grace, { language = "" } = {}) => transaction(requestDeletion(user, grace, language)),
    deletion,
    cancelDeletion: (user) => Effect.map(dropped(ofKind("deletion"), user), isAny),
    endAll: (user) => Effect.asVoid(rows.remove(user)),
    due,
    claim: (user) => Effect.flatMap(EpochSeconds.seconds, (now) => Effect.map(dropped(isDue(now), user), isAny)),
    sweep: ExpiredRows.sweep(sql, name, "selector", { where: sql` AND kind <> 'deletion'` })
  })
  return yield* Tracing.methods("AccountChanges", service)
})

/** Changes in the table that the migrations create. */
export const layer = (
  tables: Tables.Tables
): Layer.Layer<AccountChanges, never, SqlClient.SqlClient | Tokens | Users> =>
  Layer.effect(AccountChanges, make(tables))
