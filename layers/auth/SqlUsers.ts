// Accounts in the database.
import { SqlClient, type Statement } from "@effect/sql"
import { Clock, Effect, Layer, Option, Record, Redacted } from "effect"
import * as AuthMetrics from "../../src/auth/internal/AuthMetrics.ts"
import * as StorableText from "../../src/session/internal/StorableText.ts"
import type { AccountId, Identity } from "../../src/session/Identity.ts"
import { first as one, touched, uuid7 } from "./internal/AccountRows.ts"
import { Password } from "../../src/auth/Password.ts"
import * as PasswordHash from "../../src/auth/internal/passwords/PasswordHash.ts"
import { Entropy } from "../../src/session/internal/Entropy.ts"
import { Duplicate, type Enrollment, type Expected, normalizeEmail, Users } from "../../src/auth/Users.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import * as PreparedStatements from "../database/internal/PreparedStatements.ts"
import * as TableColumns from "../database/internal/TableColumns.ts"
import * as Tables from "../database/Tables.ts"
import * as Transaction from "../database/internal/Transaction.ts"
import * as Revocations from "../session/internal/Revocations.ts"
import * as UserColumns from "../session/internal/UserColumns.ts"

interface Row {
  readonly id: AccountId
  readonly email: string
  readonly secret: string | null
  readonly verified: number | null
}

const make = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const { users } = tables
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const passwords = yield* Password
  const entropy = yield* Entropy
  const table = sql(users.table)
  const identifier = sql(users.identifier)
  const secret = sql(users.secret)
  const { confirm, hasId, id, isKey, nobody, verified } = UserColumns.make(sql, users)

  yield* AuthMetrics.prepareSignIns

  const transaction = Transaction.make(sql)
  const revocations = yield* Revocations.make(tables.revocations)
  const noPassword = (yield* isNullable(users)) ? null : PasswordHash.none
  const columns = sql`${id} AS id, ${identifier} AS email, ${secret} AS secret, ${verified()} AS verified`
  const byEmail = (given: string) => {
    if (!StorableText.isText(given)) return Effect.succeedNone
    const email = normalizeEmail(given)
    // A case-insensitive column also finds addresses that only look the same, such as one with a Kelvin sign.
    return Effect.map(
      one(sql<Row>`SELECT ${columns} FROM ${table} WHERE ${identifier} = ${email}`),
      Option.filter((row) => normalizeEmail(row.email) === email)
    )
  }
  const prepared = yield* PreparedStatements.orPlain
  const rowsOf = PreparedStatements.reader(
    prepared,
    (user: string) => sql<Row>`SELECT ${columns} FROM ${table} WHERE ${hasId(user)}`,
    [nobody]
  )
  const byId = (user: string) => (isKey(user) ? one(rowsOf(user)) : Effect.succeedNone)
  const secretOf = PreparedStatements.reader(
    prepared,
    (user: string) => sql<Pick<Row, "secret">>`SELECT ${secret} AS secret FROM ${table} WHERE ${hasId(user)}`,
    [nobody]
  )

  const newRow = (email: string, hash: string | null, millis: number, columns: Enrollment["columns"]) => {
    const now = new Date(millis)
    const { created, key } = users
    return Record.map(
      {
        ...(key.generated === "database" ? {} : { [key.column]: uuid7(millis, entropy.bytes(10)) }),
        [users.identifier]: email,
        [users.secret]: hash,
        ...(created === undefined
          ? {}
          : { [created.column]: created.type === "seconds" ? Math.floor(millis / 1000) : now }),
        ...users.values({ email, now }),
        ...columns
      },
      UserColumns.toParameter
    )
  }

  // SQLite gives a new row the id of a deleted one, unless its key is AUTOINCREMENT: without this, the sessions of the
  // deleted account would sign in to the new one.
  const reusesIds =
    users.key.generated === "database" && sql.onDialectOrElse({ sqlite: () => true, orElse: () => false })
  const {
    accountChanges,
    apiTokens,
    factorRecoveries,
    factors,
    factorSettings,
    linkedIdentities,
    passkeys,
    pendingSignIns,
    recoveryCodes,
    securityEvents,
    sessions,
    tokens,
    trusts
  } = tables
  const owned = [
    sessions,
    tokens,
    trusts,
    apiTokens,
    passkeys,
    linkedIdentities,
    factors,
    recoveryCodes,
    factorSettings,
    pendingSignIns,
    factorRecoveries,
    accountChanges
  ]
  const removeLeft = (id: AccountId) =>
    Effect.forEach(owned, (name) => sql`DELETE FROM ${sql(name)} WHERE user_id = ${id}`)

  // An address that another account can still restore: anyone who took that account over must not block it.
  const isReserved = (email: string, user: AccountId, now: number) =>
    touched(sql`SELECT 1 FROM ${sql(accountChanges)} WHERE email = ${email} AND kind = 'undo' AND expires > ${now}
      AND user_id <> ${user} LIMIT 1`)

  const insertAccount = Effect.fnUntraced(function* <E = never, R = never>(
    email: string,
    hash: string | null,
    { columns, refused = () => Option.none(), within }: Enrollment<E, R>
  ) {
    const address = normalizeEmail(email)
    const millis = yield* Clock.currentTimeMillis
    const row = newRow(address, hash, millis, columns)
    const insert = Effect.catchAll(
      sql<Pick<Row, "id">>`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (${identifier}) DO NOTHING
        RETURNING ${id} AS id`,
      (error) =>
        Option.match(refused(error), { onNone: () => Effect.die(error), onSome: (known) => Effect.fail(known) })
    )
    const complete = Effect.fnUntraced(function* ({ id: user }: Pick<Row, "id">) {
      // After the row: a change of address that commits meanwhile is seen here, or conflicts with it.
      if (yield* isReserved(address, user, Math.floor(millis / 1000))) return yield* new Duplicate()
      if (reusesIds) yield* Effect.orDie(removeLeft(user))
      // A deletion leaves the events; they are not those of the next account.
      if (reusesIds) yield* Effect.orDie(sql`DELETE FROM ${sql(securityEvents)} WHERE user_id = ${user}`)
      if (within !== undefined) yield* within(user)
    })
    const [made] = yield* transaction(Effect.tap(insert, ([one]) => (one === undefined ? Effect.void : complete(one))))
    return made === undefined ? yield* new Duplicate() : made.id
  })

  const enroll = <E = never, R = never>(
    email: string,
    password: Redacted.Redacted,
    enrollment: Enrollment<E, R> = {}
  ) =>
    // Hashed before the transaction, which blocks other writers.
    Effect.flatMap(enrollment.hashed === true ? knownHash(password) : passwords.hash(password), (hash) =>
      insertAccount(email, hash, enrollment)
    )

  const locked = sql.onDialectOrElse({ pg: () => sql` FOR UPDATE`, orElse: () => sql`` })

  const changeEmail = (user: AccountId, given: string) =>
    transaction(
      Effect.gen(function* () {
        if (!isKey(user)) return Option.none<Identity>()
        const email = normalizeEmail(given)
        const before = yield* one(sql<Row>`SELECT ${columns} FROM ${table} WHERE ${hasId(user)}${locked}`)
        if (Option.isNone(before)) return Option.none<Identity>()
        const millis = yield* Clock.currentTimeMillis
        const update = sql`UPDATE ${table} SET ${identifier} = ${email}, ${confirm(millis)} WHERE ${hasId(user)}`
        // Of two accounts that take one address at once, the index refuses the second.
        yield* Effect.catchAll(sql.withTransaction(update), (error) =>
          Effect.flatMap(byEmail(email), (taken) =>
            Option.exists(taken, (other) => other.id !== user) ? new Duplicate() : Effect.die(error)
          )
        )
        if (yield* isReserved(email, user, Math.floor(millis / 1000))) return yield* new Duplicate()
        return Option.map(before, toIdentity)
      })
    )

  const remove = <E = never, R = never>(
    user: AccountId,
    within: (identity: Identity) => Effect.Effect<void, E, R> = () => Effect.void
  ) =>
    transaction(
      Effect.gen(function* () {
        const identity = Option.map(yield* byId(user), toIdentity)
        if (Option.isNone(identity)) return identity
        // What else changes the account in several tables waits here, or is waited for: none meets it half-way.
        yield* revocations.numberOf(user)
        yield* within(identity.value)
        yield* Effect.orDie(removeLeft(user))
        // Someone else may have deleted it meanwhile.
        const isDeleted = yield* touched(sql`DELETE FROM ${table} WHERE ${hasId(user)} RETURNING ${identifier}`)
        yield* revocations.dropUnused(user)
        return isDeleted ? identity : Option.none<Identity>()
      })
    )

  // Only over the hash that was verified, so that a concurrent password change stays. A failure does not fail the login.
  const upgrade = ({ id: user, secret: old }: Row, password: Redacted.Redacted) =>
    passwords.hash(password).pipe(
      Effect.flatMap(
        (hash) => sql`UPDATE ${table} SET ${secret} = ${hash} WHERE ${hasId(user)} AND ${secret} = ${old}`
      ),
      Effect.catchAllCause((cause) => Effect.logWarning("A password hash could not be upgraded", cause))
    )

  const update = (user: AccountId, assignment: Statement.Fragment, expected = sql``) =>
    isKey(user)
      ? touched(sql`UPDATE ${table} SET ${assignment} WHERE ${hasId(user)}${expected} RETURNING ${identifier}`)
      : Effect.succeed(false)

  const matching = Effect.fnUntraced(function* (found: Option.Option<Row>, password: Redacted.Redacted) {
    const usable = Option.filter(found, hasPassword)
    // Without a password to compare with, a decoy takes as long.
    const right = yield* passwords.verify(Option.getOrUndefined(usable)?.secret ?? undefined, password)
    return right ? usable : Option.none<Row>()
  })

  const checkPassword = Effect.fnUntraced(function* (found: Option.Option<Row>, password: Redacted.Redacted) {
    const row = yield* matching(found, password)
    if (Option.isSome(row) && passwords.isStale(row.value.secret ?? "")) yield* upgrade(row.value, password)
    return row
  })

  const matchingExpected = (found: Option.Option<Row>, current: Redacted.Redacted | "none") =>
    current === "none"
      ? Effect.succeed(Option.filter(found, (row) => PasswordHash.stateOf(row.secret) === "none"))
      : matching(found, current)

  const holds = (stored: string | null) => (stored === null ? sql`${secret} IS NULL` : sql`${secret} = ${stored}`)

  // Only over the hash that was verified: another request may have locked or replaced it meanwhile.
  const removePassword = Effect.fnUntraced(function* <E = never, R = never>(
    user: AccountId,
    current: Redacted.Redacted,
    within: (removal: Effect.Effect<boolean>) => Effect.Effect<boolean, E, R> = (removal) => removal
  ) {
    const row = yield* matching(yield* byId(user), current)
    if (Option.isNone(row)) return false
    return yield* within(update(user, sql`${secret} = ${noPassword}`, sql` AND ${holds(row.value.secret)}`))
  })

  // Only over the hash that was verified: anyone who resets the password meanwhile has the last word.
  const rotate = Effect.fnUntraced(function* (
    user: AccountId,
    password: Redacted.Redacted,
    { current, email }: Expected = {}
  ) {
    const row = current === undefined ? Option.none() : yield* matchingExpected(yield* byId(user), current)
    if (current !== undefined && Option.isNone(row)) return false
    // Hashed also for an id that cannot be one: it takes as long.
    const hash = yield* passwords.hash(password)
    const sameSecret = Option.isNone(row) ? sql`` : sql` AND ${holds(row.value.secret)}`
    const sameEmail = email === undefined ? sql`` : sql` AND ${identifier} = ${email}`
    const isSet = update(user, sql`${secret} = ${hash}`, sql`${sameSecret}${sameEmail}`)
    // Wrong codes are counted for each password: who guessed them knew the old one.
    const forgiven = Effect.orDie(sql`UPDATE ${sql(factorSettings)} SET wrong_codes = 0
      WHERE user_id = ${user} AND wrong_codes > 0`)
    return yield* Effect.tap(isSet, (done) => (done ? forgiven : Effect.void))
  })

  const service = Users.of({
    enroll,
    enrollWithoutPassword: (email, enrollment = {}) => insertAccount(email, noPassword, enrollment),
    passwordState: (user) =>
      isKey(user)
        ? Effect.map(Effect.orDie(secretOf(user)), ([row]) => PasswordHash.stateOf(row?.secret ?? null))
        : Effect.succeed("none"),
    removePassword,
    verify: (email, password) =>
      Effect.map(
        Effect.flatMap(byEmail(email), (row) => checkPassword(row, password)),
        Option.map(toIdentity)
      ),
    check: (user, password) =>
      Effect.map(
        Effect.flatMap(byId(user), (row) => checkPassword(row, password)),
        Option.isSome
      ),
    fetch: (email) => Effect.map(byEmail(email), Option.map(toIdentity)),
    findById: (user) => Effect.map(byId(user), Option.map(toIdentity)),
    rotate,
    lock: (user) =>
      Effect.suspend(() => {
        const hash = PasswordHash.locked(entropy.bytes(PasswordHash.lockedBytes))
        return update(user, sql`${secret} = ${hash}`)
      }),
    changeEmail,
    remove,
    confirm: (user) => Effect.flatMap(Clock.currentTimeMillis, (millis) => update(user, confirm(millis)))
  })
  return yield* Tracing.methods("Users", service)
})

// Nobody could sign in by a hash of another kind, or by a password that was taken for one.
const knownHash = (given: Redacted.Redacted): Effect.Effect<string> => {
  const hash = Redacted.value(given)
  return PasswordHash.parseHash(hash) === undefined
    ? Effect.dieMessage("The password of an account was given as hashed, and is no hash by argon2id or bcrypt")
    : Effect.succeed(hash)
}

// The framework's own column is not: an older version of the program, which may run beside this one, expects a text.
const isNullable = (users: Tables.Tables["users"]) =>
  users.owner === "framework"
    ? Effect.succeed(false)
    : Effect.map(Effect.orDie(TableColumns.read(users.table)), (columns) =>
        columns.some(({ name, nullable }) => name === users.secret && nullable)
      )

/** The tables of accounts. */
export interface Options {
  /** The tables, when they are not those that the migrations create without options. */
  readonly tables?: Tables.Tables
}

/**
 * Accounts in the program's own table.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { AuthConfig, Tokens, Users } from "effect-framework/auth"
 * import { Argon2Password, SqlTokens, SqlUsers } from "effect-framework/layers/auth"
 * import { Database, Migrations, Tables } from "effect-framework/layers/database"
 *
 * const tables = Tables.make({ users: { table: "customers", key: { type: "integer" }, secret: "password_hash" } })
 *
 * const services = Layer.merge(SqlUsers.layerWith({ tables }), SqlTokens.layerWith({ tables })).pipe(
 *   Layer.provide(Layer.provideMerge(Argon2Password.layer, AuthConfig.layer)),
 *   Layer.provide(Layer.provideMerge(Migrations.layerWith({}, { tables }), Database.layerConfig))
 * )
 *
 * // A new customer, and the token of the link by which they choose a password.
 * export const invite = (email: string) =>
 *   Effect.gen(function* () {
 *     const users = yield* Users.Users
 *     const tokens = yield* Tokens.Tokens
 *     return yield* tokens.mint(yield* users.enrollWithoutPassword(email), "recovery", "3 days")
 *   }).pipe(Effect.provide(services))
 * ```
 */
export const layerWith = ({
  tables = Tables.defaults
}: Options): Layer.Layer<Users, never, SqlClient.SqlClient | Password> => Layer.effect(Users, make(tables))

/**
 * Accounts in the table that the migrations create.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 * import { Argon2Password, SqlUsers } from "effect-framework/layers/auth"
 * import { Database, Migrations } from "effect-framework/layers/database"
 *
 * const database = Layer.provideMerge(Migrations.layer, Database.layerConfig)
 *
 * // For a command that makes accounts: without sessions, e-mails and the sweeper.
 * export const users = SqlUsers.layer.pipe(
 *   Layer.provide(Layer.provideMerge(Argon2Password.layer, AuthConfig.layer)),
 *   Layer.provide(database)
 * )
 * ```
 */
export const layer = layerWith({})

const hasPassword = ({ secret }: Row): boolean => PasswordHash.stateOf(secret) === "set"

const toIdentity = ({ email, id, verified }: Row): Identity => ({ id, email, verified: verified !== null })
