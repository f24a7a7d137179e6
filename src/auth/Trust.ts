// Trusted devices: a series per device whose validator changes with every use, so that a stolen copy shows itself.
import { Context, Duration, type Effect, type Option, type Redacted, Schema, type Scope } from "effect"
import type { State as Exchange } from "../http/Exchange.ts"
import { AccountId } from "./Identity.ts"
import { equal, type InvalidGrant, type Token } from "./Secret.ts"

/** How long a device is remembered: 30 days. */
export const lifetime = Duration.seconds(2592000)

/** A validator came a second time: someone else has used a copy. All devices and sessions of the user are out. */
export class Theft extends Schema.TaggedError<Theft>("effect-framework/auth/Theft")("Theft", { user: AccountId }) {
  override get message() {
    return "A remember token was used twice."
  }
}

/** Where a device is seen from, for the list that its owner reads. */
export interface DeviceInfo {
  readonly peer: string
  readonly agent: string
}

/** A trusted device, as its owner may see it. */
export interface Device {
  /** Names the series in a form; useless without its validator. */
  readonly selector: string
  readonly created: number
  readonly lastUsed: number
  readonly place: DeviceInfo
}

/** A rotated token, and the number that a revocation has to exceed to undo a sign-in by it. */
export interface Resumption {
  readonly token: Token
  readonly asOf: number
}

/** Remembers devices; a replayed validator is taken for theft and ends every series of the account. */
export class Trust extends Context.Tag("effect-framework/auth/Trust")<
  Trust,
  {
    /** A new series. */
    readonly issue: (
      user: AccountId,
      ttl?: Duration.DurationInput,
      place?: DeviceInfo
    ) => Effect.Effect<Token, InvalidGrant>
    /** The same series with a new validator; nothing for an unknown, expired or malformed one, or for a lost race. */
    readonly rotate: (
      token: Redacted.Redacted,
      ttl?: Duration.DurationInput,
      place?: DeviceInfo
    ) => Effect.Effect<Option.Option<Token>, Theft>
    /**
     * The rotation for a request, in two phases: the new validator is handed out now, and becomes the current one when
     * the response that carries it has been sent. Until then requests with the same token share it, and the series is
     * as before if no response can be sent. The scope is the request's: its exit tells whether the response was sent.
     * Nothing for a request that lost the race to another process.
     */
    readonly resume: (
      token: Redacted.Redacted,
      exchange: Exchange,
      ttl?: Duration.DurationInput,
      place?: DeviceInfo
    ) => Effect.Effect<Option.Option<Resumption>, Theft, Scope.Scope>
    /** Drops one series, for whoever holds its current validator. */
    readonly forget: (token: Redacted.Redacted) => Effect.Effect<boolean>
    /** Drops every series of the user; how many there were. */
    readonly revoke: (user: AccountId) => Effect.Effect<number>
    /** Drops one series of the user by its selector. */
    readonly drop: (user: AccountId, selector: string) => Effect.Effect<boolean>
    /** The live series of the user, the one used last first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<Device>>
    /** Drops what has expired; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

/** What is stored of a series: digests, never validators. */
export interface Row {
  readonly verifier: string
  readonly expires: number
  /** The validator before this one, and when its successor was sent out, in milliseconds of the database's clock. */
  readonly previous: string | null
  readonly rotatedAt: number | null
  /** The validator of a response that is about to be sent. */
  readonly next: string | null
  /** Whether the process that made `next` is still at work on that response, as far as its lease tells. */
  readonly leased: boolean
}

/**
 * What a presented validator is against its row. `Pending` is the current one while its successor is on its way out,
 * `Delivered` that successor: it proves that the response arrived. `Late` is a lost race, `Replayed` a theft.
 */
export type SeriesState = "Current" | "Pending" | "Delivered" | "Late" | "Replayed" | "Expired"

/** When a validator was presented, in milliseconds: `now` for its expiry, `arrived` by the clock of `rotatedAt`. */
export interface Moment {
  readonly now: number
  readonly arrived: number
}

/**
 * What a presented validator is worth. `Late` is the one just before, in a request that arrived before its successor
 * was sent out (so its sender cannot have seen it), or within the grace after that.
 */
export const seriesState = (
  row: Row,
  digest: string,
  { arrived, now }: Moment,
  grace: Duration.Duration
): SeriesState => {
  const current = equal(digest, row.verifier)
  const next = equal(digest, row.next ?? "")
  const previous = equal(digest, row.previous ?? "")
  if (row.expires <= Math.floor(now / 1000)) return "Expired"
  if (current) return row.leased ? "Pending" : "Current"
  if (next) return "Delivered"
  return previous && row.rotatedAt !== null && arrived - row.rotatedAt < Duration.toMillis(grace) ? "Late" : "Replayed"
}
