// Trusted devices in the database.
import { SqlClient } from "@effect/sql"
import { Clock, Duration, Effect, Layer, Option, Redacted, Schedule } from "effect"
import type { AccountId } from "../../src/session/Identity.ts"
import { Entropy } from "../../src/session/internal/Entropy.ts"
import type { Token } from "../../src/auth/Tokens.ts"
import { equal, isSelector, print, toHex, verifierBytes } from "../../src/session/internal/SplitToken.ts"
import { type DeviceInfo, Sessions } from "../../src/session/Session.ts"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import * as AuthMetrics from "../../src/auth/internal/AuthMetrics.ts"
import { type Device, type Resumption, Theft, Trust } from "../../src/auth/Trust.ts"
import * as Tracing from "../../src/observability/internal/Tracing.ts"
import { lifetime, seriesState } from "../../src/auth/internal/SeriesState.ts"
import type { State as RequestState } from "../../src/http/internal/RequestState.ts"
import { sha256 } from "../session/internal/Digest.ts"
import * as EpochSeconds from "../../src/session/internal/EpochSeconds.ts"
import * as Revocations from "../session/internal/Revocations.ts"
import * as RotationCoordinator from "./internal/RotationCoordinator.ts"
import * as TokenRows from "./internal/TokenRows.ts"
import * as TrustRows from "./internal/TrustRows.ts"
import * as Tables from "../database/Tables.ts"
import * as Transaction from "../database/internal/Transaction.ts"

/** The tables, and how long a rotation waits for concurrent requests. */
export interface Options {
  /** When they are not those that the migrations create without options. */
  readonly tables: Tables.Tables
  /** From the arrival of the first request: tabs that a browser restores together arrive within this time. */
  readonly hold: Duration.DurationInput
}

const defaults: Options = { tables: Tables.defaults, hold: "250 millis" }

/** A validator that was claimed. */
interface Claimed {
  readonly resumption: Resumption
  readonly next: string
}

/** A presented token, and the lifetime of the series if it is valid. */
interface Presented {
  /** Identifies the token without revealing it. */
  readonly name: string
  readonly selector: string
  readonly digest: string
  readonly ttl: Duration.DurationInput
  readonly device: DeviceInfo | undefined
}

// Between two reads of a rotation that another process has claimed.
const interval = Duration.millis(20)

// A process that has claimed a rotation and died is waited for until its lease ends.
const maxWait = Duration.toMillis(TrustRows.lease) * 1.5

const retries = { times: 5, schedule: Schedule.exponential("100 millis") }

const make = Effect.fnUntraced(function* (options: Options) {
  const sql = yield* SqlClient.SqlClient
  const entropy = yield* Entropy
  const sessions = yield* Sessions
  const transaction = Transaction.make(sql)
  const revocations = yield* Revocations.make(options.tables.revocations)
  const { rememberGrace } = yield* AuthConfig
  yield* AuthMetrics.prepareThefts
  const rows = yield* TrustRows.make(options.tables.trusts)
  const renewal = Duration.times(TrustRows.lease, 1 / 3)
  const coordinator = yield* RotationCoordinator.make<Claimed, Theft>({ hold: options.hold, renewal })

  const issue = Effect.fnUntraced(function* (
    user: AccountId,
    ttl: Duration.DurationInput = lifetime,
    device: DeviceInfo = unknownDevice
  ) {
    const seconds = yield* TokenRows.validateGrant(user, ttl)
    const now = yield* EpochSeconds.seconds
    const { token, ...columns } = TokenRows.mint(entropy, user)
    yield* rows.insert({ ...columns, user, use: { expires: now + seconds, now, device } })
    return token
  })

  const successor = (selector: string, user: AccountId) => {
    const verifier = toHex(entropy.bytes(verifierBytes))
    return { next: sha256(verifier), token: { value: Redacted.make(print({ selector, verifier })), user } }
  }

  // The number first: a series that is concurrently issued is either deleted here, or its request reads the new number.
  const revoke = (user: AccountId) => Effect.zipRight(revocations.revoke(user), rows.removeOf(user))

  // The thief may already have a session.
  const revokeStolen = Effect.fnUntraced(function* (user: AccountId, device: AuthMetrics.TheftSource) {
    const dropped = yield* transaction(Effect.zipRight(sessions.revoke(user), revoke(user)))
    // Of concurrent replays one finds devices to delete: a theft is recorded once.
    if (dropped > 0) yield* AuthMetrics.recordTheft(user, device)
    return yield* new Theft({ user, revoked: dropped })
    // Also when the thief disconnects.
  }, Effect.uninterruptible)

  const rotate = (token: Redacted.Redacted, ttl: Duration.DurationInput = lifetime, device?: DeviceInfo) => {
    const presented = presentedBy(token, ttl, device)
    return coordinator.exclusive(presented.name, attempt(presented))
  }

  const attempt: (presented: Presented) => Effect.Effect<Option.Option<Token>, Theft> = Effect.fnUntraced(
    function* (presented) {
      const { digest, selector } = presented
      const series = yield* rows.find(selector)
      const now = yield* Clock.currentTimeMillis
      // A direct call has no arrival time: it counts as later than the row it finds.
      const arrived = Math.max(now, series.rotatedAt ?? 0)
      switch (seriesState(series, digest, { now, arrived }, rememberGrace)) {
        case "Current": {
          const { next, token } = successor(selector, series.user)
          const won = yield* rows.replace(selector, digest, next, now, useOf(presented, now))
          return won ? Option.some(token) : Option.none()
        }
        case "Delivered":
          yield* Effect.orDie(rows.settle(selector, digest, null))
          return yield* attempt(presented)
        case "Expired":
          yield* rows.removeExpired(selector, Math.floor(now / 1000))
          return Option.none()
        case "Pending":
        case "Late":
          return Option.none()
        case "Replayed":
          return series === TrustRows.unknownSeries
            ? Option.none()
            : yield* revokeStolen(series.user, presented.device ?? {})
      }
    }
  )

  /** Claims a successor, once no other process holds the lease. */
  const claim = Effect.fnUntraced(function* (presented: Presented, now: number) {
    const { digest, selector } = presented
    // Before the token is checked.
    const asOf = yield* revocations.latest
    const deadline = performance.now() + maxWait
    while (performance.now() < deadline) {
      const series = yield* rows.find(selector)
      const found = seriesState(series, digest, { now, arrived: now }, rememberGrace)
      if (found !== "Current" && found !== "Pending" && found !== "Delivered") break
      if (series.leased) yield* Effect.sleep(interval)
      // Its process died before it could settle the rotation.
      else if (found === "Delivered") yield* Effect.orDie(rows.settle(selector, digest, null))
      else {
        const { next, token } = successor(selector, series.user)
        if (yield* rows.claim(selector, digest, next))
          return Option.some<Claimed>({ resumption: { token, asOf }, next })
      }
    }
    return Option.none<Claimed>()
  })

  const rotationOf = (presented: Presented, now: number): RotationCoordinator.Rotation<Claimed> => {
    const { selector } = presented
    return {
      claim: claim(presented, now),
      renew: ({ next }) => Effect.asVoid(rows.renew(selector, next)),
      settle: ({ next }, sent) =>
        Effect.flatMap(rows.offset, ({ least }) =>
          // The earliest possible time: a client that has read the response arrived later.
          rows.settle(selector, next, Math.floor(sent + least), useOf(presented, now))
        ).pipe(Effect.retry(retries), Effect.orDie),
      rollBack: ({ next }) => Effect.asVoid(rows.rollBack(selector, next))
    }
  }

  const resume = Effect.fnUntraced(function* (
    token: Redacted.Redacted,
    state: RequestState,
    ttl: Duration.DurationInput = lifetime,
    device?: DeviceInfo
  ) {
    const presented = presentedBy(token, ttl, device)
    const now = yield* Clock.currentTimeMillis
    const deadline = performance.now() + maxWait
    do {
      const shared = yield* coordinator.share(presented.name, state, rotationOf(presented, now))
      if (Option.isSome(shared)) return Option.some(shared.value.resumption)
      const outcome = yield* resolveUnclaimed(presented, state, now)
      if (outcome !== "Undecided") return outcome
      yield* RotationCoordinator.pause(interval)
    } while (performance.now() < deadline)
    // The response of the other process is still to come: its cookies must not be replaced.
    state.lostRace = true
    return Option.none<Resumption>()
  })

  // By the database's clock: exact where this process has sent the response, else the latest possible time.
  const arrival = (series: TrustRows.Series, digest: string, { arrived }: RequestState, sent: number | undefined) => {
    const { previous, rotatedAt } = series
    if (rotatedAt === null || !equal(digest, previous ?? "")) return Effect.succeed(Number.MAX_SAFE_INTEGER)
    if (sent !== undefined) return Effect.succeed(rotatedAt + arrived - sent)
    return Effect.map(Effect.orDie(rows.offset), ({ most }) => arrived + most)
  }

  /** The outcome for a validator that could not be claimed, by the arrival of its request. */
  const resolveUnclaimed = Effect.fnUntraced(function* (
    { digest, name, selector }: Presented,
    state: RequestState,
    now: number
  ) {
    const series = yield* rows.find(selector)
    const sent = coordinator.sent(name)
    const arrived = yield* arrival(series, digest, state, sent?.at)
    switch (seriesState(series, digest, { now, arrived }, rememberGrace)) {
      case "Late":
        // A request within the grace period is not a theft, but its client may have read the response: nothing is shared.
        if (sent !== undefined && state.arrived < sent.at && equal(sent.claimed.next, series.verifier)) {
          return Option.some(sent.claimed.resumption)
        }
        state.lostRace = true
        // The client's next request should carry the cookies of the other response, which has to arrive first.
        yield* RotationCoordinator.pause(options.hold)
        return Option.none<Resumption>()
      case "Expired":
        yield* rows.removeExpired(selector, Math.floor(now / 1000))
        return Option.none<Resumption>()
      case "Replayed":
        return series === TrustRows.unknownSeries ? Option.none<Resumption>() : yield* revokeStolen(series.user, state)
      default:
        return "Undecided" as const
    }
  })

  const service = Trust.of({
    issue,
    rotate,
    resume,
    forget: Effect.fnUntraced(function* (token) {
      const { selector, verifier } = TokenRows.presented(token)
      return yield* rows.forget(selector, verifier, yield* EpochSeconds.seconds)
    }),
    revoke,
    drop: (user, selector) => (isSelector(selector) ? rows.remove(selector, user) : Effect.succeed(false)),
    list: (user) => EpochSeconds.use((now) => Effect.map(rows.list(user, now), (listed) => listed.map(toDevice))),
    sweep: rows.sweep
  })
  return yield* Tracing.methods("Trust", service)
})

/**
 * Trusted devices in other tables, or with another waiting time.
 *
 * @example
 * ```ts
 * import { SqlTrust } from "effect-framework/layers/auth"
 *
 * // Among the services of a program whose visitors restore many tabs at once, over slow networks.
 * export const services = SqlTrust.layerWith({ hold: "500 millis" })
 * ```
 */
export const layerWith = (
  options: Partial<Options>
): Layer.Layer<Trust, never, SqlClient.SqlClient | Sessions | AuthConfig> =>
  Layer.scoped(Trust, make({ ...defaults, ...options }))

/**
 * Trusted devices in the table that the migrations create.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 * import { SqlTrust } from "effect-framework/layers/auth"
 * import { Database } from "effect-framework/layers/database"
 * import type { Session } from "effect-framework/session"
 *
 * // On other sessions than those of the database: a theft ends these as well.
 * export const trust = (sessions: Layer.Layer<Session.Sessions>) =>
 *   SqlTrust.layer.pipe(Layer.provide(Layer.mergeAll(sessions, AuthConfig.layer, Database.layerConfig)))
 * ```
 */
export const layer = layerWith({})

const presentedBy = (token: Redacted.Redacted, ttl: Duration.DurationInput, device?: DeviceInfo): Presented => {
  const { selector, verifier: digest } = TokenRows.presented(token)
  return { name: `${selector}.${digest}`, selector, digest, ttl, device }
}

const useOf = ({ device, ttl }: Presented, millis: number): TrustRows.Use => {
  const now = Math.floor(millis / 1000)
  return { expires: now + Math.max(1, Math.floor(Duration.toSeconds(ttl))), now, device }
}

const unknownDevice: DeviceInfo = { address: "", userAgent: "" }

const toDevice = ({ created_at, last_used, peer, selector, user_agent }: TrustRows.Listed): Device => ({
  selector,
  created: Number(created_at),
  lastUsed: Number(last_used ?? created_at),
  device: { address: peer ?? "", userAgent: user_agent ?? "" }
})
