// The rows of trusted devices: each statement is atomic, and changes only the version it was decided on.
import { SqlClient, type SqlError } from "@effect/sql"
import { Duration, Effect } from "effect"
import { storable } from "../../../src/session/internal/StorableText.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import type { DeviceInfo } from "../../../src/session/Session.ts"
import type { Row } from "../../../src/auth/internal/SeriesState.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

export interface Series extends Row {
  readonly user: AccountId
}

/** The columns that a use of the series changes besides its validator. */
export interface Use {
  readonly expires: number
  readonly now: number
  readonly device: DeviceInfo | undefined
}

export interface Listed {
  readonly selector: string
  readonly created_at: number
  readonly last_used: number | null
  readonly peer: string | null
  readonly user_agent: string | null
}

/** Compared against when the token is unknown or malformed, so that timing does not reveal it. */
export const unknownSeries: Series = {
  user: AccountId.make(""),
  verifier: "0".repeat(64),
  expires: Number.MAX_SAFE_INTEGER,
  previous: "0".repeat(64),
  rotatedAt: null,
  next: "0".repeat(64),
  leased: false
}

/** How long a claim lasts without renewal. */
export const lease = Duration.seconds(3)

/** Bounds, in milliseconds, of the difference between `performance.now()` and the database's clock. */
interface Offset {
  readonly least: number
  readonly most: number
}

// SQLite's clock, the machine's, is read in whole milliseconds: a reading is up to one too low.
const resolution = 1

const maxListed = 100

export const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const table = sql(name)
  const lasting = Duration.toMillis(lease)
  const listed = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string, now: number) => sql<Listed>`SELECT selector, created_at, last_used, peer, user_agent FROM ${table}
      WHERE user_id = ${user} AND expires > ${now} ORDER BY last_used DESC, selector LIMIT ${sql.literal(String(maxListed))}`,
    ["", 0]
  )

  // One clock for all workers and machines: the server's, or that of the machine that has the file.
  const millis = sql.onDialectOrElse({
    pg: () => () => sql.literal("(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::float8"),
    orElse: () => () => sql`${Date.now()}`
  })

  const reading = Effect.suspend(() => {
    const started = performance.now()
    return Effect.map(sql<{ clock: number }>`SELECT ${millis()} AS clock`, ([row]): Offset => {
      const clock = Number(row?.clock ?? Number.NaN)
      return { least: clock - performance.now(), most: clock + resolution - started }
    })
  })

  const count = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
    Effect.map(Effect.orDie(rows), (found) => found.length)

  return {
    insert: (row: {
      readonly selector: string
      readonly verifier: string
      readonly user: AccountId
      readonly use: Use
    }) => {
      const { selector, use, user, verifier } = row
      const columns = { selector, verifier, user_id: user, created_at: use.now, ...columnsOf(use) }
      return Effect.orDie(sql`INSERT INTO ${table} ${sql.insert(columns)}`)
    },

    /** The series, or `unknownSeries`. */
    find: (selector: string) =>
      Effect.map(
        Effect.orDie(sql<
          Omit<Series, "leased"> & { readonly until: number | null; readonly clock: number }
        >`SELECT user_id AS ${sql("user")}, verifier, expires, previous, rotated_at AS ${sql("rotatedAt")}, next,
          next_until AS ${sql("until")}, ${millis()} AS clock FROM ${table} WHERE selector = ${selector}`),
        ([row]): Series => {
          if (row === undefined) return unknownSeries
          const { clock, until, ...series } = row
          // A client of the program's own returns a `BIGINT` as text.
          const [expires, rotatedAt] = [
            Number(series.expires),
            series.rotatedAt === null ? null : Number(series.rotatedAt)
          ]
          return { ...series, expires, rotatedAt, leased: until !== null && Number(until) > Number(clock) }
        }
      ),

    /** The intersection of three readings of the database's clock: a busy process may receive one late. */
    offset: Effect.map(Effect.replicateEffect(reading, 3), (all): Offset => ({
      least: Math.max(...all.map(({ least }) => least)),
      most: Math.min(...all.map(({ most }) => most))
    })),

    /** Phase one: claims a new validator, unless a process already holds the lease. */
    claim: (selector: string, verifier: string, next: string) =>
      Effect.map(
        count(sql`UPDATE ${table} SET next = ${next}, next_until = ${millis()} + ${lasting}
          WHERE selector = ${selector} AND verifier = ${verifier} AND (next IS NULL OR next_until <= ${millis()})
          RETURNING selector`),
        (count) => count > 0
      ),

    // Made each time: on SQLite the time is a parameter.
    renew: (selector: string, next: string) =>
      Effect.suspend(() =>
        Effect.orDie(sql`UPDATE ${table} SET next_until = ${millis()} + ${lasting}
          WHERE selector = ${selector} AND next = ${next}`)
      ),

    /** Phase two: the response with `next` was sent at this time of the database, or unknownSeries knows when. */
    settle: (selector: string, next: string, sentAt: number | null, use?: Use) =>
      sql`UPDATE ${table} SET verifier = next, previous = verifier, rotated_at = ${sentAt}, next = NULL,
        next_until = NULL ${use === undefined ? sql`` : sql`, ${sql.update(columnsOf(use))}`}
        WHERE selector = ${selector} AND next = ${next}`,

    rollBack: (selector: string, next: string) =>
      Effect.orDie(sql`UPDATE ${table} SET next = NULL, next_until = NULL
        WHERE selector = ${selector} AND next = ${next}`),

    /** Both phases at once. Only over the validator that was read: a concurrent second call changes nothing. */
    replace: (selector: string, verifier: string, next: string, rotatedAt: number, use: Use) => {
      const columns = { verifier: next, previous: verifier, rotated_at: rotatedAt, ...columnsOf(use) }
      return Effect.map(
        count(sql`UPDATE ${table} SET ${sql.update(columns)}, next = NULL, next_until = NULL
          WHERE selector = ${selector} AND verifier = ${verifier} AND (next IS NULL OR next_until <= ${millis()})
          RETURNING selector`),
        (count) => count > 0
      )
    },

    removeExpired: (selector: string, now: number) =>
      Effect.orDie(sql`DELETE FROM ${table} WHERE selector = ${selector} AND expires <= ${now}`),

    /** Whether a live series was deleted; `digest` is its current or its next validator. */
    forget: (selector: string, digest: string, now: number) =>
      Effect.map(
        Effect.orDie(sql<{ expires: number }>`DELETE FROM ${table} WHERE selector = ${selector}
          AND (verifier = ${digest} OR next = ${digest} OR expires <= ${now}) RETURNING expires`),
        (rows) => rows.some(({ expires }) => Number(expires) > now)
      ),

    removeOf: (user: AccountId) => count(sql`DELETE FROM ${table} WHERE user_id = ${user} RETURNING selector`),

    remove: (selector: string, user: AccountId) =>
      Effect.map(
        count(sql`DELETE FROM ${table} WHERE selector = ${selector} AND user_id = ${user} RETURNING selector`),
        (removed) => removed > 0
      ),

    list: (user: AccountId, now: number) => Effect.orDie(listed(user, now)),

    sweep: ExpiredRows.sweep(sql, name, "selector")
  }
})

const columnsOf = ({ expires, now, device }: Use) => ({
  expires,
  last_used: now,
  ...(device === undefined ? {} : { peer: device.address, user_agent: storable(device.userAgent) })
})
