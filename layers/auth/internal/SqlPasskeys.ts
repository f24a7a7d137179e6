// Passkeys in the database.
import { SqlClient, type Statement } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import * as PasskeyOptions from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import * as PasskeyResponse from "../../../src/auth/internal/passkeys/PasskeyResponse.ts"
import {
  counterState,
  maxPasskeys,
  PasskeyRefused,
  TooManyPasskeys
} from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import { Passkeys, type Visit } from "../../../src/auth/Passkeys.ts"
import * as PasskeyRules from "../../../src/auth/internal/passkeys/PasskeyRules.ts"
import { equal } from "../../../src/session/internal/SplitToken.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type * as Tables from "../../database/Tables.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as AccountRows from "./AccountRows.ts"
import { derive } from "../../session/internal/Digest.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as PasskeyChallenges from "./PasskeyChallenges.ts"
import { handleOf } from "../../session/internal/RequestSession.ts"
import * as Revocations from "../../session/internal/Revocations.ts"
import * as UserColumns from "../../session/internal/UserColumns.ts"
import * as WebAuthn from "./WebAuthn.ts"

interface Listed {
  readonly id: string
  readonly name: string
  readonly transports: string
  readonly backed_up: number
  readonly created_at: number
  readonly last_used: number | null
}

interface Row {
  readonly user: AccountId
  readonly public_key: string
  readonly counter: number
  readonly backup_eligible: number
  readonly email: string
  readonly verified: number | null
}

const refuse = (reason: PasskeyRefused["reason"], user?: AccountId): PasskeyRefused =>
  new PasskeyRefused({ reason, ...(user !== undefined && { user }) })

const make = Effect.fnUntraced(function* ({ passkeyChallenges, passkeys, revocations: revoked, users }: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const site = PasskeyRules.relyingParty((yield* AuthConfig).appUrl)
  const challenges = yield* PasskeyChallenges.make(passkeyChallenges)
  const revocations = yield* Revocations.make(revoked)
  const transaction = Transaction.make(sql)
  const table = sql(passkeys)
  const columns = UserColumns.make(sql, users)

  const rowsOf = (user: AccountId) =>
    Effect.orDie(sql<Listed>`SELECT id, name, transports, backed_up, created_at, last_used FROM ${table}
      WHERE user_id = ${user} ORDER BY created_at DESC, id`)

  // The account is part of the statement: a passkey that a deleted account has left finds none.
  const found = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (id: string) => sql<Row>`SELECT p.user_id AS ${sql("user")}, p.public_key, p.counter, p.backup_eligible,
      u.${sql(users.identifier)} AS email, ${columns.verified("u.")} AS verified
      FROM ${table} p JOIN ${sql(users.table)} u ON u.${sql(users.key.column)} = ${columns.asKey(sql`p.user_id`)}
      WHERE p.id = ${id}`,
    [""]
  )
  const find = (id: string) => AccountRows.first(found(id))

  const redeem = Effect.fnUntraced(function* (clientDataJSON: string, scope: PasskeyChallenges.Scope) {
    const challenge = PasskeyResponse.challengeOf(clientDataJSON)
    if (Option.isNone(challenge)) return yield* refuse("malformed")
    if (!(yield* challenges.redeem(challenge.value, scope))) return yield* refuse("challenge")
    return { site, challenge: challenge.value }
  })

  const creationOptions = Effect.fnUntraced(function* ({ email, id }: Identity, visit: Visit) {
    const challenge = yield* challenges.issue({ visit, purpose: "enrolment", user: id })
    return PasskeyOptions.creation(site, challenge, {
      handle: userHandle(id),
      email,
      existing: (yield* rowsOf(id)).map(toDescriptor)
    })
  })

  const enroll = Effect.fnUntraced(function* (
    user: AccountId,
    visit: Visit,
    { credential, name }: Parameters<(typeof Passkeys.Service)["enroll"]>[2]
  ) {
    const given = PasskeyResponse.parseAttestation(credential)
    if (Option.isNone(given)) return yield* refuse("malformed", user)
    const { response } = given.value
    const expected = yield* redeem(response.clientDataJSON, { visit, purpose: "enrolment", user })
    const attested = yield* WebAuthn.verifyAttestation(expected, given.value)
    if (Option.isNone(attested)) return yield* refuse("invalid", user)
    const { counter, id, isEligible, isSynced, publicKey } = attested.value
    const row = {
      id,
      user_id: user,
      name: AccountRows.nameOf(name),
      public_key: publicKey,
      counter,
      transports: response.transports.join(" "),
      backup_eligible: Number(isEligible),
      backed_up: Number(isSynced),
      created_at: yield* EpochSeconds.seconds,
      last_used: null
    }
    const insert = Effect.gen(function* () {
      // Holds the row of the user until the end: of two forms that are sent at once, the second counts the first.
      yield* revocations.numberOf(user)
      if ((yield* rowsOf(user)).length >= maxPasskeys) return yield* new TooManyPasskeys({ limit: maxPasskeys })
      const made = yield* Effect.orDie(
        sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (id) DO NOTHING RETURNING id`
      )
      // Also when it belongs to another account, which must not lose it.
      if (made.length === 0) return yield* refuse("duplicate", user)
    })
    yield* transaction(insert)
    return toPasskey(row)
  })

  const requestOptions = Effect.fnUntraced(function* (visit: Visit, user?: AccountId) {
    if (user === undefined) {
      return PasskeyOptions.request(site, yield* challenges.issue({ visit, purpose: "sign-in", user: "" }))
    }
    const challenge = yield* challenges.issue({ visit, purpose: "confirmation", user })
    return PasskeyOptions.request(site, challenge, (yield* rowsOf(user)).map(toDescriptor))
  })

  // One statement: of two responses with the same counter, one is the copy. An authenticator that does not count says 0.
  const used = PreparedStatements.writer(
    (counter: number, isSynced: number, now: number, id: string, more: number, none: number) =>
      sql`UPDATE ${table} SET counter = ${counter}, backed_up = ${isSynced}, last_used = ${now}
        WHERE id = ${id} AND (counter < ${more} OR counter + ${none} = 0) RETURNING id`,
    [0, 0, 0, "", 0, 0]
  )
  const advance = (id: string, { counter, isSynced }: WebAuthn.Asserted) =>
    EpochSeconds.use((now) => AccountRows.touched(used(counter, Number(isSynced), now, id, counter, counter)))

  const verify = Effect.fnUntraced(function* (visit: Visit, credential: string, user?: AccountId) {
    const given = PasskeyResponse.parseAssertion(credential)
    if (Option.isNone(given)) return yield* refuse("malformed", user)
    const { id, response } = given.value
    const expected = yield* redeem(
      response.clientDataJSON,
      user === undefined ? { visit, purpose: "sign-in", user: "" } : { visit, purpose: "confirmation", user }
    )
    const stored = yield* find(id)
    if (Option.isNone(stored)) return yield* refuse("unknown", user)
    const { backup_eligible, counter, email, public_key, user: owner, verified } = stored.value
    if (user !== undefined && user !== owner) return yield* refuse("unknown", user)
    const asserted = yield* WebAuthn.verifyAssertion(expected, given.value, public_key)
    if (Option.isNone(asserted) || !isOwn(response.userHandle, owner, user !== undefined)) {
      return yield* refuse("invalid", owner)
    }
    // A passkey cannot become one that is copied to a provider: this is another one.
    if (asserted.value.isEligible !== Number(backup_eligible) > 0) return yield* refuse("invalid", owner)
    if (counterState(Number(counter), asserted.value.counter) === "Rewound") return yield* refuse("counter", owner)
    if (!(yield* advance(id, asserted.value))) return yield* refuse("counter", owner)
    return {
      identity: { id: owner, email, verified: verified !== null },
      handle: handleOf(id)
    }
  })

  const idOf = (user: AccountId, handle: string) =>
    Effect.map(rowsOf(user), (rows) => rows.find(({ id }) => handleOf(id) === handle)?.id)

  const ofHandle = (user: AccountId, handle: string, change: (id: string) => Statement.Statement<object>) =>
    Effect.flatMap(idOf(user, handle), (id) =>
      id === undefined ? Effect.succeed(false) : AccountRows.touched(change(id))
    )

  const service = Passkeys.of({
    creationOptions,
    enroll,
    requestOptions,
    verify,
    list: (user) => Effect.map(rowsOf(user), (rows) => rows.map(toPasskey)),
    rename: (user, handle, name) =>
      ofHandle(
        user,
        handle,
        (id) => sql`UPDATE ${table} SET name = ${AccountRows.nameOf(name)} WHERE id = ${id} RETURNING id`
      ),
    remove: (user, handle) => ofHandle(user, handle, (id) => sql`DELETE FROM ${table} WHERE id = ${id} RETURNING id`),
    removeAll: (user, since) => AccountRows.remove(sql, passkeys, user, AccountRows.since(sql, since)),
    sweep: challenges.sweep
  })
  return yield* Tracing.methods("Passkeys", service)
})

/** Passkeys in the tables that the migrations create, joined with the accounts. */
export const layer = (tables: Tables.Tables): Layer.Layer<Passkeys, never, SqlClient.SqlClient | AuthConfig> =>
  Layer.effect(Passkeys, make(tables))

// An authenticator keeps it, so it does not contain the id of the account.
const userHandle = (user: AccountId): string => Buffer.from(derive("passkey user", user)).toString("base64url")

// An authenticator that was told which passkeys to use may leave it out.
const isOwn = (given: string | null | undefined, owner: AccountId, isOptional: boolean): boolean =>
  given === null || given === undefined ? isOptional : equal(given, userHandle(owner))

const toDescriptor = ({ id, transports }: Listed): PasskeyOptions.Descriptor =>
  PasskeyOptions.descriptor(id, transports === "" ? [] : transports.split(" "))

// A client of the program's own returns a `BIGINT` as text.
const toPasskey = ({ backed_up, created_at, id, last_used, name }: Listed) => ({
  handle: handleOf(id),
  name,
  created: Number(created_at),
  lastUsed: last_used === null ? undefined : Number(last_used),
  isSynced: Number(backed_up) > 0
})
