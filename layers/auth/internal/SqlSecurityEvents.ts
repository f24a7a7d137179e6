// Security events in the database.
import { SqlClient } from "@effect/sql"
import { Chunk, Clock, Duration, Effect, Either, Layer, Option, Schema, Stream } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import {
  type Entry,
  type Event,
  type ListOptions,
  SecurityEvent,
  SecurityEvents
} from "../../../src/auth/SecurityEvents.ts"
import * as AuthMetrics from "../../../src/auth/internal/AuthMetrics.ts"
import { isText, storable } from "../../../src/session/internal/StorableText.ts"
import { uuid7 } from "./AccountRows.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as Cursor from "../../../src/pagination/Cursor.ts"
import { CursorCodec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import type * as Tables from "../../database/Tables.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

interface Row {
  readonly id: string
  readonly user_id: string
  readonly event: string
  readonly outcome: string
  readonly actor: string
  readonly peer: string
  readonly user_agent: string
  readonly details: string
  readonly created_at: number
}

const failures: ReadonlySet<Event["_tag"]> = new Set(["SignInFailed", "FactorFailed", "SecondStepExhausted"])

const newest = Either.getOrThrow(Pagination.make({ cursor: "" }))

// Names the list to a codec that signs cursors.
const order = "security_events -id"

// A cursor may hold any value, also a text that no database can store.
const positionOf = (token: string): Either.Either<string, Cursor.InvalidCursor> =>
  Either.flatMap(Cursor.decode(token, 1), ([id]) =>
    typeof id === "string" && isText(id)
      ? Either.right(id)
      : Either.left(new Cursor.InvalidCursor({ problem: "list", detail: "" }))
  )

// Rows that a stream reads at once, and decodes: a few milliseconds.
const batch = 100

// Between two batches of an account with many events, other requests are served: SQLite answers without waiting.
const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** The events that an account keeps; the oldest go first. */
const mostEvents = 20_000

const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const { eventsTtl } = yield* AuthConfig
  const table = sql(name)
  const nextId = ids(entropy.bytes)
  const codec = yield* CursorCodec
  yield* AuthMetrics.prepareEvents

  // => … WHERE user_id = ? ORDER BY id DESC LIMIT 1 OFFSET 20000
  const surplusOf = PreparedStatements.reader(
    yield* PreparedStatements.orPlain,
    (user: string) => sql<Pick<Row, "id">>`SELECT id FROM ${table} WHERE user_id = ${user}
      ORDER BY id DESC LIMIT 1 OFFSET ${sql.literal(String(mostEvents))}`,
    [""]
  )
  const trim = Effect.fnUntraced(function* (user: AccountId) {
    const [last] = yield* surplusOf(user)
    if (last === undefined) return
    const surplus = sql`user_id = ${user} AND id <= ${last.id}`
    // Another transaction that deletes the same ones is not waited for.
    const free = sql.onDialectOrElse({
      pg: () => sql`id IN (SELECT id FROM ${table} WHERE ${surplus} FOR UPDATE SKIP LOCKED)`,
      orElse: () => surplus
    })
    yield* sql`DELETE FROM ${table} WHERE ${free}`
  })

  const insert = PreparedStatements.inserter(
    ["id", "user_id", "event", "outcome", "actor", "peer", "user_agent", "details", "created_at"],
    (row) => sql`INSERT INTO ${table} ${sql.insert(row)}`
  )
  const record = Effect.fnUntraced(function* ({ account, actor = "person", event, outcome, device }: Entry) {
    const millis = yield* Clock.currentTimeMillis
    const { _tag, ...details } = event
    const ended = outcome ?? (failures.has(_tag) ? "failure" : "success")
    const row = {
      id: nextId(millis),
      user_id: account,
      event: _tag,
      outcome: ended,
      actor,
      peer: device?.address ?? "",
      user_agent: storable(device?.userAgent ?? ""),
      details: JSON.stringify(details),
      created_at: Math.floor(millis / 1000)
    }
    yield* Effect.orDie(Effect.zipRight(insert(row), trim(account)))
    yield* AuthMetrics.recordEvent(_tag, ended)
    return row.id
  })

  // An id begins with a time that is never before that of its event: of those after a time, no other is looked at.
  const isAfter = (time: number) => {
    const second = Math.floor(time)
    const first = uuid7(Math.max(0, second + 1) * 1000, new Uint8Array(10))
    return sql`AND id >= ${first} AND created_at > ${second}`
  }

  // => … WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?
  const read = (
    user: AccountId,
    before: string | undefined,
    limit: number,
    { after, events: names }: Omit<ListOptions, "pagination"> = {}
  ) =>
    Effect.orDie(sql<Row>`SELECT id, user_id, event, outcome, actor, peer, user_agent, details, created_at FROM ${table}
      WHERE user_id = ${user} ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ${after === undefined ? sql`` : isAfter(after)}
      ${names === undefined ? sql`` : sql`AND ${sql.in("event", names)}`}
      ORDER BY id DESC LIMIT ${limit}`)

  const list = Effect.fnUntraced(function* (user: AccountId, { pagination = newest, ...which }: ListOptions = {}) {
    if (pagination.mode === "Page" || pagination.cursor === null) {
      return yield* new Pagination.InvalidPagination({ reason: "Events are read by cursor, forward." })
    }
    const { cursor, limit } = pagination
    const before = cursor === "" ? undefined : yield* positionOf(yield* codec.decode(cursor, order))
    // One row more says whether others follow.
    const rows = yield* read(user, before, limit + 1, which)
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    const next = last === undefined ? null : codec.encode(yield* Cursor.encode([last.id]), order)
    return { items: toEvents(shown), pagination: { ...pagination, more: next !== null, next } }
  })

  const stream = (user: AccountId) =>
    Stream.paginateChunkEffect(Option.none<string>(), (before) =>
      Effect.map(Effect.zipLeft(read(user, Option.getOrUndefined(before), batch), turn), (rows) => {
        const last = rows.length < batch ? undefined : rows.at(-1)
        return [
          Chunk.unsafeFromArray(toEvents(rows)),
          Option.map(Option.fromNullable(last), ({ id }) => Option.some(id))
        ]
      })
    )

  const sweep = ExpiredRows.sweep(sql, name, "id", {
    column: "created_at",
    seconds: Duration.toSeconds(eventsTtl)
  })

  const service = SecurityEvents.of({ record, list, stream, sweep })
  return yield* Tracing.methods("SecurityEvents", service)
})

/** Security events in the table that the migrations create. */
export const layer = (tables: Tables.Tables): Layer.Layer<SecurityEvents, never, SqlClient.SqlClient | AuthConfig> =>
  Layer.effect(SecurityEvents, make(tables.securityEvents))

// Ids of one process sort in the order of their events, also within a millisecond and when the clock steps back.
const ids = (bytes: (size: number) => Uint8Array) => {
  let last = 0
  let count = 0
  return (millis: number): string => {
    if (millis > last) {
      last = millis
      count = 0
    } else if (++count > 0xfff) {
      last++
      count = 0
    }
    return uuid7(last, Uint8Array.of(count >> 8, count & 0xff, ...bytes(8)))
  }
}

const decode = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const decodeEvent = Schema.decodeUnknownOption(SecurityEvent)

// `None` for an event that this version does not know, from a newer one.
const toEvent = ({ actor, created_at, details, event, id, outcome, peer, user_agent, user_id }: Row) =>
  Option.flatMap(decode(details), (given) =>
    decodeEvent({
      ...given,
      _tag: event,
      id,
      account: user_id,
      actor,
      device: { address: peer, userAgent: user_agent },
      // A client of the program's own returns a `BIGINT` as text.
      at: Number(created_at),
      outcome
    })
  )

const toEvents = (rows: ReadonlyArray<Row>) => rows.flatMap((row) => Option.toArray(toEvent(row)))
