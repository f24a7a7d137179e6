// Trusted devices: a series per device whose validator changes with every use, so that a stolen copy shows itself.
import { Context, Duration, type Effect, type Option, type Redacted, Schema, type Scope } from "effect"
import { AccountId } from "./Identity.ts"
import { equal, type InvalidGrant, type Token } from "./Secret.ts"

/** How long a device is remembered: 30 days. */
export const lifetime = Duration.seconds(2592000)

/** A validator came a second time: someone else has used a copy. All devices and sessions of the user are out. */
export class Theft extends Schema.TaggedError<Theft>()("Theft", { user: AccountId }) {
  override get message() {
    return "A remember token was used twice."
  }
}

/** Where a device is seen from, for the list that its owner reads. */
export interface Place {
  readonly peer: string
  readonly agent: string
}

/** A trusted device, as its owner may see it. */
export interface Device {
  /** Names the series in a form; useless without its validator. */
  readonly selector: string
  readonly created: number
  readonly lastUsed: number
  readonly place: Place
}

/** A rotated token, and the number that a revocation has to exceed to undo a sign-in by it. */
export interface Revival {
  readonly token: Token
  readonly asOf: number
}

/** Remembers devices; a replayed validator is taken for theft and ends every series of the account. */
export class Trust extends Context.Tag("auth/Trust")<
  Trust,
  {
    /** A new series. */
    readonly issue: (user: AccountId, ttl?: Duration.DurationInput, place?: Place) => Effect.Effect<Token, InvalidGrant>
    /** The same series with a new validator; nothing for an unknown, expired or malformed one, or for a lost race. */
    readonly rotate: (
      token: Redacted.Redacted,
      ttl?: Duration.DurationInput,
      place?: Place
    ) => Effect.Effect<Option.Option<Token>, Theft>
    /**
     * Notes that a visit with this token is under way, until its scope closes. A browser that restores two tabs is no
     * thief: whoever arrives before the first of them has its answer shares one rotation.
     */
    readonly arrive: (token: Redacted.Redacted, visit: object) => Effect.Effect<void, never, Scope.Scope>
    /** `rotate`, once for all visits that arrived together. */
    readonly revive: (
      token: Redacted.Redacted,
      visit: object,
      ttl?: Duration.DurationInput,
      place?: Place
    ) => Effect.Effect<Option.Option<Revival>, Theft, Scope.Scope>
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
  /** The validator before this one, and when it was replaced, in milliseconds. */
  readonly previous: string | null
  readonly rotatedAt: number | null
}

/** What a presented validator is against its row; `Late` is a lost race, `Replayed` a theft. */
export type Verdict = "Current" | "Late" | "Replayed" | "Expired"

/**
 * What a presented validator is worth. `Late` is the one just before, within the grace: two tabs that were restored
 * together, the second a moment behind.
 */
export const verdict = (row: Row, digest: string, millis: number, grace: Duration.Duration): Verdict => {
  const current = equal(digest, row.verifier)
  const previous = equal(digest, row.previous ?? "")
  if (row.expires <= Math.floor(millis / 1000)) return "Expired"
  if (current) return "Current"
  return previous && row.rotatedAt !== null && millis - row.rotatedAt < Duration.toMillis(grace) ? "Late" : "Replayed"
}
