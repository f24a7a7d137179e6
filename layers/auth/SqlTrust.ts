// Trusted devices in the database.
import { SqlClient } from "@effect/sql"
import { Clock, type Duration, Duration as Durations, Effect, Layer, Option, Redacted } from "effect"
import { AccountId } from "../../src/auth/Identity.ts"
import { Entropy, generate, print, toHex, type Token, verifierBytes } from "../../src/auth/Secret.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Settings } from "../../src/auth/Settings.ts"
import {
  type Device,
  lifetime,
  type Place,
  type Revival,
  type Row,
  Theft,
  Trust,
  verdict
} from "../../src/auth/Trust.ts"
import type { Prepared } from "../database/Prepared.ts"
import * as Batches from "./Batches.ts"
import { sha256 } from "./Digest.ts"
import * as Gatherings from "./Gatherings.ts"
import * as Now from "./Now.ts"
import * as Revocations from "./Revocations.ts"
import { makeRaces, type Race } from "./Races.ts"
import { grantable, halvesOf } from "./SqlTokens.ts"

/** Where the series are. */
export interface Options {
  readonly table: string
}

/** The table that the migrations make. */
export const defaults: Options = { table: "trusts" }

interface Series extends Row {
  readonly user: AccountId
}

interface Listed {
  readonly selector: string
  readonly created_at: number
  readonly last_used: number | null
  readonly peer: string | null
  readonly user_agent: string | null
}

// What an unknown or malformed token is compared with, so that it costs what a known one does.
const nobody: Series = {
  user: AccountId.make(""),
  verifier: "0".repeat(64),
  expires: Number.MAX_SAFE_INTEGER,
  previous: "0".repeat(64),
  rotatedAt: null
}

const maxAgent = 256
const maxListed = 100

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient.SqlClient
  const entropy = yield* Entropy
  const sessions = yield* Sessions
  const revocations = yield* Revocations.make
  const { rememberGrace } = yield* Settings
  const table = sql(options.table)
  const races = makeRaces()
  const gatherings = Gatherings.make<Option.Option<Revival>, Theft>()

  const issue = Effect.fnUntraced(function* (
    user: AccountId,
    ttl: Duration.DurationInput = lifetime,
    place: Place = nowhere
  ) {
    const seconds = yield* grantable(user, ttl)
    const now = yield* Now.seconds
    const halves = generate(entropy)
    const row = {
      selector: halves.selector,
      verifier: sha256(halves.verifier),
      user_id: user,
      expires: now + seconds,
      created_at: now,
      last_used: now,
      ...columnsOf(place)
    }
    yield* Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(row)}`)
    return { value: Redacted.make(print(halves)), user } satisfies Token
  })

  const find = (selector: string) =>
    Effect.map(
      Effect.orDie(sql<Series>`SELECT user_id AS ${sql("user")}, verifier, expires, previous,
        rotated_at AS ${sql("rotatedAt")} FROM ${table} WHERE selector = ${selector}`),
      (rows) => rows[0] ?? nobody
    )

  const rotate = (token: Redacted.Redacted, ttl: Duration.DurationInput = lifetime, place?: Place) => {
    const { selector, verifier } = halvesOf(token)
    const digest = sha256(verifier)
    return Effect.acquireUseRelease(
      Effect.sync(() => races.enter(digest)),
      (race) => attempt(selector, digest, ttl, place, race),
      (race) => race.leave
    )
  }

  const attempt = Effect.fnUntraced(function* (
    selector: string,
    digest: string,
    ttl: Duration.DurationInput,
    place: Place | undefined,
    race: Race
  ) {
    // Those that come in the same moment all enter the race before one of them writes.
    yield* Effect.yieldNow()
    const series = yield* find(selector)
    const millis = yield* Clock.currentTimeMillis
    switch (verdict(series, digest, millis, rememberGrace)) {
      case "Current":
        return yield* renew(series.user, selector, digest, ttl, place, race)
      case "Expired":
        yield* Effect.orDie(
          sql`DELETE FROM ${table} WHERE selector = ${selector} AND expires <= ${Math.floor(millis / 1000)}`
        )
        return Option.none<Token>()
      case "Late":
        return Option.none<Token>()
      case "Replayed":
        if (series === nobody || (yield* race.isLost)) return Option.none<Token>()
        // The thief may be inside a session already.
        yield* Effect.orDie(sql.withTransaction(Effect.zipRight(sessions.revoke(series.user), revoke(series.user))))
        return yield* new Theft({ user: series.user })
    }
  })

  const renew = Effect.fnUntraced(function* (
    user: AccountId,
    selector: string,
    digest: string,
    ttl: Duration.DurationInput,
    place: Place | undefined,
    race: Race
  ) {
    const verifier = toHex(entropy.bytes(verifierBytes))
    const millis = yield* Clock.currentTimeMillis
    const now = Math.floor(millis / 1000)
    const row = {
      verifier: sha256(verifier),
      previous: digest,
      rotated_at: millis,
      expires: now + Math.max(1, Math.floor(Durations.toSeconds(ttl))),
      last_used: now,
      ...(place === undefined ? {} : columnsOf(place))
    }
    // Only over the validator that was read: whoever comes second changes nothing.
    const won = yield* Effect.orDie(sql`UPDATE ${table} SET ${sql.update(row)}
      WHERE selector = ${selector} AND verifier = ${digest} RETURNING selector`)
    if (won.length === 0) return Option.none<Token>()
    yield* race.win
    return Option.some<Token>({ value: Redacted.make(print({ selector, verifier })), user })
  })

  const revival = Effect.fnUntraced(function* (token: Redacted.Redacted, ttl?: Duration.DurationInput, place?: Place) {
    // Before the evidence is looked at.
    const asOf = yield* revocations.latest
    return Option.map(yield* rotate(token, ttl, place), (rotated): Revival => ({ token: rotated, asOf }))
  })

  const forget = Effect.fnUntraced(function* (token: Redacted.Redacted) {
    const now = yield* Now.seconds
    const { selector, verifier } = halvesOf(token)
    const digest = sha256(verifier)
    const rows = yield* Effect.orDie(sql<{ expires: number }>`DELETE FROM ${table}
      WHERE selector = ${selector} AND (verifier = ${digest} OR expires <= ${now}) RETURNING expires`)
    return rows.some(({ expires }) => expires > now)
  })

  // The number first: a device that is just being trusted is seen by the delete, or sees the number.
  const revoke = (user: AccountId) =>
    Effect.zipRight(
      revocations.revoke(user),
      count(Effect.orDie(sql`DELETE FROM ${table} WHERE user_id = ${user} RETURNING selector`))
    )

  return Trust.of({
    issue,
    rotate,
    arrive: (token, visit) => gatherings.arrive(nameOf(token), visit),
    revive: (token, visit, ttl, place) => gatherings.share(nameOf(token), visit, revival(token, ttl, place)),
    forget,
    revoke,
    drop: (user, selector) =>
      Effect.map(
        Effect.orDie(sql`DELETE FROM ${table} WHERE selector = ${selector} AND user_id = ${user} RETURNING selector`),
        (rows) => rows.length > 0
      ),
    list: Effect.fnUntraced(function* (user) {
      const now = yield* Now.seconds
      const rows = yield* Effect.orDie(sql<Listed>`SELECT selector, created_at, last_used, peer, user_agent
        FROM ${table} WHERE user_id = ${user} AND expires > ${now} ORDER BY last_used DESC, selector LIMIT ${maxListed}`)
      return rows.map(toDevice)
    }),
    sweep: Effect.flatMap(Now.seconds, (now) => Effect.orDie(Batches.sweep(sql, options.table, "selector", now)))
  })
})

/** Trusted devices in a table of another name. */
export const layerWith = (
  options: Partial<Options>
): Layer.Layer<Trust, never, SqlClient.SqlClient | Prepared | Entropy | Sessions | Settings> =>
  Layer.effect(Trust, make({ ...defaults, ...options }))

/** Trusted devices in the table that the migrations make. */
export const layer = layerWith({})

const nameOf = (token: Redacted.Redacted): string => sha256(Redacted.value(token))

const nowhere: Place = { peer: "", agent: "" }

const columnsOf = ({ agent, peer }: Place) => ({ peer, user_agent: agent.slice(0, maxAgent) })

const count = <A, E>(rows: Effect.Effect<ReadonlyArray<A>, E>) => Effect.map(rows, (found) => found.length)

const toDevice = ({ created_at, last_used, peer, selector, user_agent }: Listed): Device => ({
  selector,
  created: created_at,
  lastUsed: last_used ?? created_at,
  place: { peer: peer ?? "", agent: user_agent ?? "" }
})
