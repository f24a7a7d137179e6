// Accounts in the database.
import { SqlClient } from "@effect/sql"
import { Clock, Effect, Layer, Option, type Redacted } from "effect"
import * as Email from "../../src/auth/Email.ts"
import * as StorableText from "../../src/auth/StorableText.ts"
import { AccountId, type Identity } from "../../src/auth/Identity.ts"
import { uuid7 } from "../../src/auth/Uuid.ts"
import { Password } from "../../src/auth/Password.ts"
import { Entropy } from "../../src/auth/Secret.ts"
import { Duplicate, Users } from "../../src/auth/Users.ts"
import * as EpochSeconds from "./EpochSeconds.ts"
import * as Tables from "./Tables.ts"

/** The names of the table and its columns. */
interface Options {
  readonly table: string
  readonly key: string
  readonly identifier: string
  readonly secret: string
  readonly verified: string
  readonly created: string
}

interface Row {
  readonly id: AccountId
  readonly email: string
  readonly secret: string
  readonly verified: number | null
}

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient.SqlClient
  const passwords = yield* Password
  const entropy = yield* Entropy
  const table = sql(options.table)
  const key = sql(options.key)
  const identifier = sql(options.identifier)
  const secret = sql(options.secret)
  const verified = sql(options.verified)

  const columns = sql`${key} AS id, ${identifier} AS email, ${secret} AS secret, ${verified} AS verified`
  const byEmail = (email: string) =>
    StorableText.isText(email)
      ? one(sql<Row>`SELECT ${columns} FROM ${table} WHERE ${identifier} = ${Email.normalise(email)}`)
      : Effect.succeedNone
  const byId = (user: string) =>
    StorableText.isText(user)
      ? one(sql<Row>`SELECT ${columns} FROM ${table} WHERE ${key} = ${user}`)
      : Effect.succeedNone

  const enroll = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted) {
    const hash = yield* passwords.hash(password)
    const millis = yield* Clock.currentTimeMillis
    const id = AccountId.make(uuid7(millis, entropy.bytes(10)))
    const row = {
      [options.key]: id,
      [options.identifier]: Email.normalise(email),
      [options.secret]: hash,
      [options.created]: Math.floor(millis / 1000)
    }
    const made = yield* Effect.orDie(
      sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (${identifier}) DO NOTHING RETURNING ${key}`
    )
    return made.length === 0 ? yield* new Duplicate() : id
  })

  // Only over the hash that was verified, so that a concurrent password change stays. A failure does not fail the login.
  const upgrade = ({ id, secret: old }: Row, password: Redacted.Redacted) =>
    passwords.hash(password).pipe(
      Effect.flatMap(
        (hash) => sql`UPDATE ${table} SET ${secret} = ${hash} WHERE ${key} = ${id} AND ${secret} = ${old}`
      ),
      Effect.catchAllCause((cause) => Effect.logWarning("A password hash could not be upgraded", cause))
    )

  const checkPassword = Effect.fnUntraced(function* (found: Option.Option<Row>, password: Redacted.Redacted) {
    const row = Option.getOrUndefined(found)
    const right = yield* passwords.verify(row?.secret, password)
    if (row === undefined || !right) return Option.none<Row>()
    if (passwords.isStale(row.secret)) yield* upgrade(row, password)
    return Option.some(row)
  })

  return Users.of({
    enroll,
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
    find: (user) => Effect.map(byId(user), Option.map(toIdentity)),
    rotate: (user, password) =>
      Effect.flatMap(passwords.hash(password), (hash) =>
        touched(sql`UPDATE ${table} SET ${secret} = ${hash} WHERE ${key} = ${user} RETURNING ${key}`)
      ),
    confirm: (user) =>
      Effect.flatMap(EpochSeconds.seconds, (now) =>
        touched(
          sql`UPDATE ${table} SET ${verified} = COALESCE(${verified}, ${now}) WHERE ${key} = ${user} RETURNING ${key}`
        )
      )
  })
})

/** Accounts in the table that the migrations create, or in an existing table with its own column names. */
export const layerWith = (
  options: Partial<Options> = {}
): Layer.Layer<Users, never, SqlClient.SqlClient | Password | Entropy> =>
  Layer.effect(Users, make({ ...Tables.users, ...options }))

const one = <A>(statement: Effect.Effect<ReadonlyArray<A>, unknown>): Effect.Effect<Option.Option<A>> =>
  Effect.map(Effect.orDie(statement), (rows) => Option.fromNullable(rows[0]))

const touched = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>): Effect.Effect<boolean> =>
  Effect.map(Effect.orDie(statement), (rows) => rows.length > 0)

const toIdentity = ({ email, id, verified }: Row): Identity => ({ id, email, verified: verified !== null })
