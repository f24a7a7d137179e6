// Trusted devices: a series per device whose validator changes with every use, so that a stolen copy shows itself.
import { Context, Duration, type Effect, type Option, type Redacted, Schema, type Scope } from "effect"
import type { State as Exchange } from "../http/Exchange.ts"
import { AccountId } from "./Identity.ts"
import type { InvalidGrant, Token } from "./Secret.ts"

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
