// Accounts and their credentials.
import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import type { AccountId, Identity } from "./Identity.ts"
import type { Overloaded } from "./Password.ts"

/** The e-mail already has an account. */
export class Duplicate extends Schema.TaggedError<Duplicate>("effect-framework/auth/Duplicate")("Duplicate", {}) {
  override get message() {
    return "This e-mail is already registered."
  }
}

/** Accounts by e-mail and password; its answers take the same time whether an account exists or not. */
export class Users extends Context.Tag("effect-framework/auth/Users")<
  Users,
  {
    /** A new account. A taken e-mail costs the same time as a fresh one. */
    readonly enroll: (email: string, password: Redacted.Redacted) => Effect.Effect<AccountId, Duplicate | Overloaded>
    /** The account, when both halves are right. Takes the same time whichever is wrong. */
    readonly verify: (email: string, password: Redacted.Redacted) => Effect.Effect<Option.Option<Identity>, Overloaded>
    /** Whether this is the account's current password. */
    readonly check: (user: AccountId, password: Redacted.Redacted) => Effect.Effect<boolean, Overloaded>
    /** The account of an e-mail, without credentials: never tell a stranger whether there is one. */
    readonly fetch: (email: string) => Effect.Effect<Option.Option<Identity>>
    /** The account of an id. */
    readonly find: (user: AccountId) => Effect.Effect<Option.Option<Identity>>
    /**
     * Replaces the password; `false` when there is no such account. The caller then revokes tokens, trusted devices and
     * sessions and regenerates its own session.
     */
    readonly rotate: (user: AccountId, password: Redacted.Redacted) => Effect.Effect<boolean, Overloaded>
    /** Stamps the e-mail as verified, the first time; `false` when there is no such account. */
    readonly confirm: (user: AccountId) => Effect.Effect<boolean>
  }
>() {}
