// Recoveries after the loss of every factor, in the database.
import type { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option, type Redacted } from "effect"
import { LostFactorRequests, type LostFactorRequest } from "../../../src/auth/internal/LostFactorRequests.ts"
import { lostFactorLifetime, lostFactorState, lostFactorTimes } from "../../../src/auth/internal/Expiry.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type * as Tables from "../../database/Tables.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import * as AccountRows from "./AccountRows.ts"
import * as TokenRows from "./TokenRows.ts"

interface Row {
  readonly user: AccountId
  readonly email: string
  readonly ready: number
  readonly expires: number
  readonly language: string
}

const mostDue = 100

const make = Effect.fnUntraced(function* ({ factorRecoveries: name, revocations: revoked }: Tables.Tables) {
  const rows = yield* TokenRows.make(name)
  const { sql, table } = rows
  const users = yield* Users
  const revocations = yield* Revocations.make(revoked)
  const transaction = Transaction.make(sql)
  const columns = sql`user_id AS ${sql("user")}, email, ready, expires, language`

  // Anyone who changed the address of the account must not get the messages that its owner was promised.
  const isCurrent = ({ email, user }: Pick<Row, "user" | "email">) =>
    Effect.map(
      users.findById(user),
      Option.exists((current) => current.email === email && current.verified)
    )

  const opened = Effect.fnUntraced(function* (row: Row | undefined) {
    if (row === undefined || !(yield* isCurrent(row))) return Option.none<LostFactorRequest>()
    const times = { ready: Number(row.ready), expires: Number(row.expires) }
    const state = lostFactorState(times, yield* EpochSeconds.seconds)
    const { email, language, user } = row
    return state === "Expired" ? Option.none() : Option.some({ user, email, ...times, state, language })
  })

  const find = Effect.fnUntraced(function* (user: AccountId) {
    const [row] = yield* Effect.orDie(sql<Row>`SELECT ${columns} FROM ${table} WHERE user_id = ${user}`)
    return yield* opened(row)
  })

  const request = Effect.fnUntraced(function* (
    user: Identity,
    delay: Duration.DurationInput,
    { language = "" }: { readonly language?: string } = {}
  ) {
    const now = yield* EpochSeconds.seconds
    const { selector, token, verifier } = rows.mint(user.id)
    const row = {
      user_id: user.id,
      email: user.email,
      cancel_selector: selector,
      cancel_verifier: verifier,
      selector: null,
      verifier: null,
      language,
      ...lostFactorTimes(now, delay)
    }
    // One statement: of concurrent requests one opens the recovery. One that has ended is replaced.
    const [inserted] = yield* Effect.orDie(sql<Row>`INSERT INTO ${table} ${sql.insert(row)}
      ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, cancel_selector = excluded.cancel_selector,
        cancel_verifier = excluded.cancel_verifier, selector = NULL, verifier = NULL, ready = excluded.ready,
        expires = excluded.expires, language = excluded.language
      WHERE ${sql(`${name}.expires`)} <= ${now} OR ${sql(`${name}.email`)} <> excluded.email
      RETURNING ${columns}`)
    const recovery: LostFactorRequest = {
      user: user.id,
      email: user.email,
      ready: row.ready,
      expires: row.expires,
      state: "Waiting",
      language
    }
    if (inserted !== undefined) return { request: recovery, cancel: Option.some(token) }
    // One that a concurrent request cancels in between counts as one that was open.
    return { request: Option.getOrElse(yield* find(user.id), () => recovery), cancel: Option.none() }
  })

  const cancels = (token: Redacted.Redacted) => sql.or([rows.isOf(token, "cancel_"), rows.isOf(token)])

  const owner = Effect.fnUntraced(function* (token: Redacted.Redacted, link: "any" | "complete") {
    const [row] = yield* Effect.orDie(sql<Row>`SELECT ${columns} FROM ${table}
      WHERE ${link === "any" ? cancels(token) : rows.isOf(token)}`)
    return yield* opened(row)
  })

  // Looked for first: hardly an account has one, and every use of a factor cancels it.
  const open = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string) => sql<{ user: string }>`SELECT user_id AS ${sql("user")} FROM ${table} WHERE user_id = ${user}`,
    [""]
  )
  const cancel = (user: AccountId) =>
    Effect.flatMap(Effect.orDie(open(user)), (found) =>
      found.length === 0 ? Effect.succeed(false) : Effect.map(rows.remove(user), (removed) => removed > 0)
    )

  const cancelBy = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const now = yield* EpochSeconds.seconds
    const row = yield* AccountRows.first(sql<Row>`DELETE FROM ${table} WHERE ${cancels(token)} AND expires > ${now}
      RETURNING ${columns}`)
    return Option.map(row, ({ user }) => user)
  })

  const due = Effect.gen(function* () {
    const now = yield* EpochSeconds.seconds
    const found = yield* Effect.orDie(sql<Pick<Row, "user">>`SELECT user_id AS ${sql("user")} FROM ${table}
      WHERE selector IS NULL AND ready <= ${now} AND expires > ${now} ORDER BY ready LIMIT ${mostDue}`)
    return found.map(({ user }) => user)
  })

  const announce = Effect.fnUntraced(function* (user: AccountId, { again = false }: { readonly again?: boolean } = {}) {
    const now = yield* EpochSeconds.seconds
    const { selector, token, verifier } = rows.mint(user)
    const until = now + Duration.toSeconds(lostFactorLifetime)
    // The time runs from the first link: another one does not prolong it.
    const [row] = yield* Effect.orDie(sql<Row>`UPDATE ${table} SET
        expires = CASE WHEN selector IS NULL THEN ${until} ELSE expires END,
        selector = ${selector}, verifier = ${verifier}
      WHERE user_id = ${user} AND ready <= ${now} AND expires > ${now} ${again ? sql`` : sql`AND selector IS NULL`}
      RETURNING ${columns}`)
    const recovery = yield* opened(row)
    if (Option.isSome(recovery)) return Option.some({ request: recovery.value, token })
    if (row !== undefined) yield* cancel(user)
    return Option.none()
  })

  const complete = Effect.fnUntraced(function* <E = never, R = never>(
    token: Redacted.Redacted,
    within: (user: AccountId) => Effect.Effect<void, E, R>
  ) {
    const found = yield* owner(token, "complete")
    if (Option.isNone(found)) return Option.none()
    const { user } = found.value
    const end = Effect.gen(function* () {
      // Holds the row of the user until the end: what `within` removes cannot be added or revoked at the same time.
      yield* revocations.hold(user)
      const now = yield* EpochSeconds.seconds
      const [row] = yield* Effect.orDie(sql<Row>`DELETE FROM ${table}
        WHERE ${rows.isLive(token, now)} AND ready <= ${now} RETURNING ${columns}`)
      if (row === undefined || !(yield* isCurrent(row))) return Option.none()
      yield* within(user)
      return Option.some(user)
    })
    return yield* transaction(end)
  })

  const service = LostFactorRequests.of({
    request,
    find,
    owner,
    cancel,
    cancelBy,
    due,
    announce,
    complete,
    sweep: rows.sweep("user_id")
  })
  return yield* Tracing.methods("LostFactorRequests", service)
})

/** Recoveries in the table that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<LostFactorRequests, never, SqlClient.SqlClient | Users> =>
  Layer.effect(LostFactorRequests, make(tables))
