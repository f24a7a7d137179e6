// Second factors in the database.
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { type Factor, Factors } from "../../../src/auth/Factors.ts"
import {
  acceptedSteps,
  enrollmentLifetime,
  type FactorKind,
  InvalidEnrollment,
  maxFactors,
  maxWrongCodes,
  TooManyFactors
} from "../../../src/auth/internal/factors/FactorRules.ts"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import { KeyRing } from "../../../src/session/internal/KeyRing.ts"
import * as CodeText from "../../../src/auth/internal/factors/CodeText.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { toHex } from "../../../src/session/internal/SplitToken.ts"
import { storable } from "../../../src/session/internal/StorableText.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type * as Tables from "../../database/Tables.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as Transaction from "../../database/internal/Transaction.ts"
import * as AccountRows from "./AccountRows.ts"
import * as AuthenticatorApp from "./AuthenticatorApp.ts"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import * as RecoveryCodes from "./RecoveryCodes.ts"
import * as Revocations from "../../session/internal/Revocations.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly secret: string
  readonly last_used: number
  readonly created_at: number
}

interface Required {
  readonly codes: number
  readonly passkeys: number
  readonly every_device: number | null
  readonly wrong_codes: number | null
}

// What the form of a new factor carries. The id makes a form that is sent twice one factor.
const Enrollment = Schema.parseJson(Schema.Struct({ id: Schema.String, secret: Schema.String, expires: Schema.Number }))
const encodeEnrollment = Schema.encodeSync(Enrollment)
const decodeEnrollment = Schema.decodeUnknownOption(Enrollment)

const enrollmentOf = (user: AccountId): string => `enrolment\0${user}`
const rowOf = (user: AccountId, id: string): string => `factor\0${user}\0${id}`

const make = Effect.fnUntraced(function* (tables: Tables.Tables) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const keys = yield* KeyRing
  const { appUrl } = yield* AuthConfig
  const revocations = yield* Revocations.make(tables.revocations)
  const transaction = Transaction.make(sql)
  const recovery = RecoveryCodes.make(sql, tables.recoveryCodes, entropy)
  const table = sql(tables.factors)
  const settings = sql(tables.factorSettings)
  const issuer = new URL(appUrl).host

  // Holds the row of the user until the end: of two forms that are sent at once, the second sees what the first did.
  const locked = <A, E>(user: AccountId, effect: Effect.Effect<A, E>) =>
    transaction(Effect.zipRight(revocations.numberOf(user), effect))

  const rows = (user: AccountId) =>
    Effect.orDie(sql<Row>`SELECT id, name, secret, last_used, created_at FROM ${table}
      WHERE user_id = ${user} ORDER BY created_at, id`)

  // Each sign-in reads it.
  const requirement = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string) => sql<Required>`SELECT
        (SELECT COUNT(*) FROM ${sql(tables.recoveryCodes)} r WHERE r.user_id = f.user_id) AS codes,
        (SELECT COUNT(*) FROM ${sql(tables.passkeys)} p WHERE p.user_id = f.user_id) AS passkeys,
        (SELECT every_device FROM ${settings} s WHERE s.user_id = f.user_id) AS every_device,
        (SELECT wrong_codes FROM ${settings} s WHERE s.user_id = f.user_id) AS wrong_codes
      FROM ${table} f WHERE f.user_id = ${user} LIMIT 1`,
    [""]
  )

  const required = Effect.fnUntraced(function* (user: AccountId) {
    const [found] = yield* Effect.orDie(requirement(user))
    if (found === undefined) return { kinds: [], onEveryDevice: false, isLocked: false }
    const kinds: ReadonlyArray<FactorKind> = [
      "totp",
      ...(Number(found.codes) > 0 ? ["recovery" as const] : []),
      ...(Number(found.passkeys) > 0 ? ["passkey" as const] : [])
    ]
    const isLocked = Number(found.wrong_codes ?? 0) >= maxWrongCodes
    return { kinds, onEveryDevice: found.every_device === 1, isLocked }
  })

  const opened = Effect.fnUntraced(function* (user: AccountId, enrollment: Redacted.Redacted) {
    const now = yield* EpochSeconds.seconds
    const content = yield* keys.unseal(Redacted.value(enrollment), enrollmentOf(user))
    return Option.filter(Option.flatMap(content, decodeEnrollment), ({ expires }) => expires > now)
  })

  const newEnrollment = Effect.fnUntraced(function* (user: AccountId) {
    const secret = AuthenticatorApp.printSecret(entropy.bytes(AuthenticatorApp.secretBytes))
    const expires = (yield* EpochSeconds.seconds) + Duration.toSeconds(enrollmentLifetime)
    const content = encodeEnrollment({ id: toHex(entropy.bytes(16)), secret, expires })
    return { secret, text: (yield* keys.seal(content, enrollmentOf(user))).text }
  })

  const begin = Effect.fnUntraced(function* ({ email, id: user }: Identity, enrollment?: Redacted.Redacted) {
    const begun = enrollment === undefined ? Option.none() : yield* opened(user, enrollment)
    const { secret, text } =
      enrollment !== undefined && Option.isSome(begun)
        ? { secret: begun.value.secret, text: Redacted.value(enrollment) }
        : yield* newEnrollment(user)
    const uri = AuthenticatorApp.addressOf(secret, issuer, email)
    return {
      enrollment: Redacted.make(text),
      secret: Redacted.make(secret),
      uri: Redacted.make(uri),
      picture: Redacted.make(AuthenticatorApp.pictureOf(uri))
    }
  })

  const confirm = Effect.fnUntraced(function* (
    user: AccountId,
    enrollment: Redacted.Redacted,
    code: Redacted.Redacted,
    name: string
  ) {
    const now = yield* EpochSeconds.seconds
    const begun = yield* opened(user, enrollment)
    if (Option.isNone(begun)) return yield* new InvalidEnrollment({ reason: "expired" })
    const { id, secret } = begun.value
    const digits = CodeText.parseOneTimeCode(Redacted.value(code)) ?? ""
    const [step] = AuthenticatorApp.matchingSteps(secret, digits, acceptedSteps(now))
    if (step === undefined) return yield* new InvalidEnrollment({ reason: "code" })
    const sealed = yield* keys.seal(secret, rowOf(user, id))
    const row = {
      id,
      user_id: user,
      name: AccountRows.nameOf(name),
      secret: sealed.text,
      key_id: sealed.key,
      // The code that confirms the factor is used, too.
      last_step: step,
      last_used: now,
      created_at: now
    }
    const insert = Effect.gen(function* () {
      const existing = yield* rows(user)
      if (existing.length >= maxFactors) return yield* new TooManyFactors({ limit: maxFactors })
      const inserted = yield* Effect.orDie(
        sql`INSERT INTO ${table} ${sql.insert(row)} ON CONFLICT (id) DO NOTHING RETURNING id`
      )
      if (inserted.length === 0) return yield* new InvalidEnrollment({ reason: "expired" })
      const isFirst = (yield* recovery.count(user)) === 0
      return isFirst ? yield* recovery.renew(user) : []
    })
    const recoveryCodes = yield* locked(user, insert)
    return { factor: toFactor(row), recoveryCodes }
  })

  // One statement: a step is taken only when it is later than the last one, so of concurrent uses of a code one succeeds.
  // The secret is sealed anew, so that keys that were rotated come out of use.
  const take = Effect.fnUntraced(function* (user: AccountId, id: string, secret: string, step: number, now: number) {
    const { key, text } = yield* keys.seal(secret, rowOf(user, id))
    return yield* AccountRows.touched(sql`UPDATE ${table}
      SET last_step = ${step}, last_used = ${now}, secret = ${text}, key_id = ${key}
      WHERE id = ${id} AND last_step < ${step} RETURNING id`)
  })

  const useOneTimeCode = Effect.fnUntraced(function* (user: AccountId, digits: string) {
    const now = yield* EpochSeconds.seconds
    for (const { id, secret } of yield* rows(user)) {
      const plain = yield* keys.unseal(secret, rowOf(user, id))
      if (Option.isNone(plain)) {
        yield* Effect.logError("The secret of a factor could not be opened").pipe(Effect.annotateLogs({ factor: id }))
        continue
      }
      for (const step of AuthenticatorApp.matchingSteps(plain.value, digits, acceptedSteps(now))) {
        if (yield* take(user, id, plain.value, step, now)) return true
      }
    }
    return false
  })

  const verify = Effect.fnUntraced(function* (user: AccountId, code: Redacted.Redacted) {
    const text = Redacted.value(code)
    const digits = CodeText.parseOneTimeCode(text)
    if (digits !== undefined) {
      return (yield* useOneTimeCode(user, digits)) ? Option.some("totp" as const) : Option.none()
    }
    const spelled = CodeText.parseRecoveryCode(text)
    if (spelled === undefined) return Option.none()
    return (yield* recovery.use(user, spelled)) ? Option.some("recovery" as const) : Option.none()
  })

  const forget = (user: AccountId) =>
    Effect.zipRight(recovery.removeAll(user), Effect.orDie(sql`DELETE FROM ${settings} WHERE user_id = ${user}`))

  const remove = (user: AccountId, handle: string) =>
    locked(
      user,
      Effect.gen(function* () {
        const one = sql`DELETE FROM ${table} WHERE id = ${storable(handle)} AND user_id = ${user} RETURNING id`
        if (!(yield* AccountRows.touched(one))) return false
        if ((yield* required(user)).kinds.length === 0) yield* forget(user)
        return true
      })
    )

  const removeAll = (user: AccountId, since?: number) =>
    locked(
      user,
      Effect.gen(function* () {
        const added = AccountRows.since(sql, since)
        const gone = yield* AccountRows.remove(sql, tables.factors, user, added)
        yield* AccountRows.remove(sql, tables.recoveryCodes, user, added)
        if ((yield* required(user)).kinds.length === 0) yield* forget(user)
        return gone
      })
    )

  // Only with a factor: a trusted device of an account without one could not answer.
  const askOnEveryDevice = (user: AccountId, asked: boolean) =>
    locked(
      user,
      Effect.gen(function* () {
        if ((yield* required(user)).kinds.length === 0) return
        yield* Effect.orDie(sql`INSERT INTO ${settings} (user_id, every_device) VALUES (${user}, ${Number(asked)})
          ON CONFLICT (user_id) DO UPDATE SET every_device = excluded.every_device`)
      })
    )

  // One statement: of codes that are sent at once, each counts.
  const countWrongCode = (user: AccountId) =>
    Effect.asVoid(
      Effect.orDie(sql`INSERT INTO ${settings} (user_id, every_device, wrong_codes) VALUES (${user}, 0, 1)
        ON CONFLICT (user_id) DO UPDATE SET wrong_codes = ${sql(`${tables.factorSettings}.wrong_codes`)} + 1`)
    )

  const service = Factors.of({
    countWrongCode,
    required,
    begin,
    confirm,
    verify,
    list: (user) => Effect.map(rows(user), (all) => all.map(toFactor)),
    remove,
    removeAll,
    renewRecoveryCodes: (user) => locked(user, recovery.renew(user)),
    countRecoveryCodes: recovery.count,
    askOnEveryDevice
  })
  return yield* Tracing.methods("Factors", service)
})

/** Factors in the tables that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<Factors, never, SqlClient.SqlClient | KeyRing | AuthConfig> =>
  Layer.effect(Factors, make(tables))

// A client of the program's own returns a `BIGINT` as text.
const toFactor = ({ created_at, id, last_used, name }: Omit<Row, "secret">): Factor => ({
  handle: id,
  name,
  created: Number(created_at),
  lastUsed: Number(last_used)
})
