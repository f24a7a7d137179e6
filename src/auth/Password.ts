// Passwords: the cost of a hash, and the service that makes and checks hashes.
import { Context, type Effect, type Redacted, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"

export type { PasswordState } from "./internal/WaysIn.ts"

/** The cost of one argon2id hash; memory in KiB. Parallelism is 1: a second lane would take a second thread. */
export interface Policy {
  readonly memory: number
  readonly time: number
}

/** Too many passwords are waiting to be hashed; the client should retry after `retryAfter` seconds. */
export class Overloaded extends Schema.TaggedError<Overloaded>("effect-framework/auth/Overloaded")(
  "Overloaded",
  { retryAfter: Schema.Number },
  ErrorResponse.declared(503, "Too many passwords are being checked.")
) {
  override get message() {
    return "Too many passwords are being checked at this moment."
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(503, { retryAfter: this.retryAfter })
  }
}

/**
 * Hashes and verifies passwords; fails with `Overloaded` when the queue is full.
 *
 * @example
 * ```ts
 * import { Duration, Effect, type Redacted } from "effect"
 * import { Password } from "effect-framework/auth"
 *
 * // The PIN of a gift card. In a page `Overloaded` responds by itself; a job has time to wait.
 * export const hash = (pin: Redacted.Redacted): Effect.Effect<string, never, Password.Password> =>
 *   Effect.flatMap(Password.Password, (password) => password.hash(pin)).pipe(
 *     Effect.catchTag("Overloaded", ({ retryAfter }: Password.Overloaded) =>
 *       Effect.delay(hash(pin), Duration.seconds(retryAfter))
 *     )
 *   )
 *
 * export const isRight = (stored: string | undefined, pin: Redacted.Redacted) =>
 *   Effect.flatMap(Password.Password, (password) => password.verify(stored, pin))
 * ```
 */
export class Password extends Context.Tag("effect-framework/auth/Password")<
  Password,
  {
    readonly hash: (password: Redacted.Redacted) => Effect.Effect<string, Overloaded>
    /** A missing or malformed hash takes as long as a real one, and never matches. */
    readonly verify: (hash: string | undefined, password: Redacted.Redacted) => Effect.Effect<boolean, Overloaded>
    /** Whether the hash is weaker than the current policy and should be replaced at the next sign-in. */
    readonly isStale: (hash: string) => boolean
  }
>() {}
