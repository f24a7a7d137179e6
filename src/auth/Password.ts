// Passwords: what may be one, how a stored hash reads, and the service that makes and checks hashes.
import { Context, type Effect, type Redacted, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"

/** The cost of one argon2id hash; memory in KiB. One lane: a second one would take a second thread. */
export interface Policy {
  readonly memory: number
  readonly time: number
}

/** What a new hash costs unless the settings say otherwise: 64 MiB and three passes. */
export const defaultPolicy: Policy = { memory: 65536, time: 3 }

/** Nothing below this is ever made, whatever the settings say. */
export const minimumPolicy: Policy = { memory: 19456, time: 2 }

/** More people want to sign in than can be hashed for. Come back in a moment. */
export class Overloaded extends Schema.TaggedError<Overloaded>("effect-framework/auth/Overloaded")("Overloaded", {
  retryAfter: Schema.Number
}) {
  override get message() {
    return "Too many passwords are being checked at this moment."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: this.retryAfter })
  }
}

/** Hashes and checks passwords; fails with `Overloaded` when too many wait already. */
export class Password extends Context.Tag("effect-framework/auth/Password")<
  Password,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, Overloaded>
    /** A missing or unreadable hash costs what a real one does, and is never right. */
    readonly verify: (hash: string | undefined, password: Redacted.Redacted) => Effect.Effect<boolean, Overloaded>
    /** Whether the hash is weaker than the current policy and should be replaced at the next sign-in. */
    readonly isStale: (hash: string) => boolean
  }
>() {}

/** The shortest password that may be chosen, in Unicode code points. */
export const minCharacters = 8

/** The longest password that is hashed, in bytes of UTF-8: no request may buy unbounded work. */
export const maxBytes = 1024
