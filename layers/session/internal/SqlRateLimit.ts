// Rate limits in the database: all workers and machines count together.
import { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Metric, Option } from "effect"
import { RateLimit, type Rule } from "../../../src/session/RateLimit.ts"
import { decide, isFull, stamp, stampWidth } from "../../../src/session/internal/SlidingWindow.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as PreparedStatements from "../../database/internal/PreparedStatements.ts"
import * as ExpiredRows from "./ExpiredRows.ts"
import { sha256 } from "./Digest.ts"
import * as Tables from "../../database/Tables.ts"

/** The tables, when they are not those that the migrations create without options. */
interface Options {
  readonly tables?: Tables.Tables
  /** The limits whose refusals are counted from 0 on, so that the first one is an increase. */
  readonly rules?: Readonly<Record<string, Rule>>
}

interface Row {
  readonly hits: string
}

const make = Effect.fnUntraced(function* (name: string, rules: ReadonlyArray<Rule>) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const prepared = yield* PreparedStatements.orPlain
  const table = sql(name)
  const read = prepared.one(sql<Row>`SELECT hits FROM ${table} WHERE key = ${""}`)
  const hitsOf = (key: string) => Effect.map(Effect.orDie(read([key])), (row) => Option.getOrUndefined(row)?.hits ?? "")

  // The row holds the times of the last `limit` hits. One more is allowed when there are fewer, or when the oldest has left
  // the window; both are decided under the row's lock, so exactly `limit` of concurrent hits are allowed.
  const hits = sql(`${name}.hits`)
  const counted = PreparedStatements.writer(
    (
      key: string,
      now: string,
      expires: number,
      full: number,
      kept: number,
      most: number,
      oldest: number,
      size: number,
      ended: number
    ) =>
      sql<Row>`INSERT INTO ${table} (key, hits, expires) VALUES (${key}, ${now}, ${expires})
        ON CONFLICT (key) DO UPDATE SET expires = excluded.expires, hits =
          CASE WHEN length(${hits}) < ${full} THEN ${hits}
            ELSE substr(${hits}, length(${hits}) - ${kept} + 1) END || excluded.hits
        WHERE length(${hits}) < ${most}
          OR CAST(substr(${hits}, length(${hits}) - ${oldest} + 1, ${size}) AS BIGINT) <= ${ended}
        RETURNING hits`,
    ["", "", 0, 0, 0, 0, 0, 0, 0]
  )
  const take = (key: string, { limit, window }: Rule, now: number) => {
    const width = limit * stampWidth
    const millis = Duration.toMillis(window)
    const expires = Math.ceil((now + millis) / 1000)
    const begin = width - stampWidth
    return Effect.orDie(counted(key, stamp(now), expires, width, begin, width, width, stampWidth, now - millis))
  }

  const refusals = countRefusals()
  for (const { scope } of rules) yield* refusals(scope, 0)

  const hit = Effect.fnUntraced(function* (rule: Rule, subject: string) {
    const now = Math.floor(yield* Clock.currentTimeMillis)
    const key = sha256(`${rule.scope}\0${subject}`)
    // A client over the limit costs a read and no lock.
    const before = yield* hitsOf(key)
    if (isFull(before, rule, now)) return yield* Effect.as(refusals(rule.scope, 1), decide(before, rule, now, false))
    const [taken] = yield* take(key, rule, now)
    if (taken !== undefined) return yield* Effect.as(refusals(rule.scope, 0), decide(taken.hits, rule, now, true))
    yield* refusals(rule.scope, 1)
    return decide(yield* hitsOf(key), rule, now, false)
  })

  const service = RateLimit.of({
    hit,
    sweep: ExpiredRows.sweep(sql, name, "key")
  })
  return yield* Tracing.methods("RateLimit", service)
})

/** Rate limits in the table that the migrations create. */
export const layerWith = ({ rules = {}, tables = Tables.defaults }: Options = {}): Layer.Layer<
  RateLimit,
  never,
  SqlClient.SqlClient
> => Layer.effect(RateLimit, make(tables.rateLimits, Object.values(rules)))

// An Effect `Metric`, so that it works without our observability.
const total = Metric.counter("rate_limit_refusals_total", {
  description: "Requests over a rate limit, by the name of the limit",
  incremental: true
})

/** A program that makes the names of its limits from input must not fill the memory. */
const maxNames = 200

/** Counts refusals of one store, none at the first hit of a limit: its counter is made once, and begins with 0. */
export const countRefusals = (): ((scope: string, by: 0 | 1) => Effect.Effect<void>) => {
  const counters = new Map<string, Effect.Effect<void>>()
  const counterOf = (limit: string) => Metric.tagged(total, "limit", limit)
  const others = Metric.increment(counterOf("other"))
  return (scope, by) => {
    const known = counters.get(scope)
    if (known !== undefined) return by === 0 ? Effect.void : known
    if (counters.size >= maxNames) return by === 0 ? Effect.void : others
    const counter = counterOf(scope)
    counters.set(scope, Metric.increment(counter))
    return Metric.incrementBy(counter, by)
  }
}
