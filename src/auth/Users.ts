// Accounts and their credentials.
import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import { english as validation } from "../session/FormTexts.ts"
import type { AccountId, Identity } from "../session/Identity.ts"
import type { Overloaded } from "./Password.ts"
import type { PasswordState } from "./internal/WaysIn.ts"
import * as Domain from "../http/internal/text/Domain.ts"

/**
 * The e-mail already has an account.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { Users } from "effect-framework/auth"
 * import { FormState } from "effect-framework/routes/session"
 *
 * const Form = Schema.Struct({ email: Schema.Trim })
 *
 * // For a page on which an administrator invites people.
 * export const invite = Effect.gen(function* () {
 *   const { email } = yield* FormState.read(Form)
 *   const users = yield* Users.Users
 *   return yield* users.enrollWithoutPassword(email)
 * }).pipe(
 *   Effect.catchTag("Duplicate", ({ message }: Users.Duplicate) =>
 *     FormState.invalid(Form, { status: 409, fieldErrors: { email: message } })
 *   )
 * )
 * ```
 */
export class Duplicate extends Schema.TaggedError<Duplicate>("effect-framework/auth/Duplicate")("Duplicate", {}) {
  override get message() {
    return validation.emailTaken
  }
}

/** What is stored with a new account, in the same transaction. */
export interface Enrollment<E = never, R = never> {
  /** Whether the password is a hash that another program has made, argon2id or bcrypt, and is stored as it is. */
  readonly hashed?: boolean
  /** Further columns of the account's row. */
  readonly columns?: Readonly<Record<string, string | number | boolean | null>>
  /** The failure that a refused row means, such as a value that another account has; `None` for a mistake. */
  readonly refused?: (error: unknown) => Option.Option<E>
  /** Runs once the row is written. When it fails, there is no account. */
  readonly within?: (user: AccountId) => Effect.Effect<void, E, R>
}

/** What an account has to be like, also at the moment of a change: hashing takes a while, in which it may become another one. */
export interface Expected {
  /** Its password; `"none"` for an account without one. */
  readonly current?: Redacted.Redacted | "none"
  /** Its address, as it is stored. */
  readonly email?: string
}

/**
 * Accounts by e-mail and password; timing does not reveal whether an account exists.
 *
 * @example
 * ```ts
 * import { Effect, Option, Redacted } from "effect"
 * import { Users } from "effect-framework/auth"
 *
 * export const program = Effect.gen(function* () {
 *   const users = yield* Users.Users
 *   const password = Redacted.make("correct-horse-battery")
 *   yield* users.enroll("ann@example.com", password)
 *   const found = yield* users.verify("ann@example.com", password)
 *   return Option.map(found, ({ id }) => id)
 * })
 * ```
 */
export class Users extends Context.Tag("effect-framework/auth/Users")<
  Users,
  {
    /** A new account. A registered e-mail takes as long to hash as a new one. */
    readonly enroll: <E = never, R = never>(
      email: string,
      password: Redacted.Redacted,
      enrollment?: Enrollment<E, R>
    ) => Effect.Effect<AccountId, Duplicate | Overloaded | E, R>
    /**
     * A new account without a password, for a program with another way to sign in (`SignIn.complete`). Its owner can set one,
     * also by a reset.
     */
    readonly enrollWithoutPassword: <E = never, R = never>(
      email: string,
      enrollment?: Omit<Enrollment<E, R>, "hashed">
    ) => Effect.Effect<AccountId, Duplicate | E, R>
    /**
     * The account, when e-mail and password are right. Takes the same time whichever is wrong, and for an account without a
     * password.
     */
    readonly verify: (email: string, password: Redacted.Redacted) => Effect.Effect<Option.Option<Identity>, Overloaded>
    /** Whether this is the account's current password. */
    readonly check: (user: AccountId, password: Redacted.Redacted) => Effect.Effect<boolean, Overloaded>
    /** Whether the account has a password; `none` when there is no such account. */
    readonly passwordState: (user: AccountId) => Effect.Effect<PasswordState>
    /** The account of an e-mail, without credentials. A response must not reveal whether it exists. */
    readonly fetch: (email: string) => Effect.Effect<Option.Option<Identity>>
    /** The account of an id. */
    readonly findById: (user: AccountId) => Effect.Effect<Option.Option<Identity>>
    /**
     * Replaces the password of an account that is as `expected`; `false` when there is none. The caller must then revoke
     * tokens, trusted devices and sessions, and regenerate its own session.
     */
    readonly rotate: (
      user: AccountId,
      password: Redacted.Redacted,
      expected?: Expected
    ) => Effect.Effect<boolean, Overloaded>
    /**
     * Leaves the account without a password, when this is its current one; `false` when it is not. `within` runs the removal:
     * `(removal) => methods.remove(user, "password", removal)` keeps the last way to sign in. The caller must then revoke as
     * after `rotate`.
     */
    readonly removePassword: <E = never, R = never>(
      user: AccountId,
      current: Redacted.Redacted,
      within?: (removal: Effect.Effect<boolean>) => Effect.Effect<boolean, E, R>
    ) => Effect.Effect<boolean, Overloaded | E, R>
    /**
     * Makes the password useless: none is right until `rotate` stores another one; `false` when there is no such account. It
     * hashes nothing, so that it waits behind no queue. The caller must then revoke as after `rotate`.
     */
    readonly lock: (user: AccountId) => Effect.Effect<boolean>
    /** Marks the e-mail as verified; `false` when there is no such account. */
    readonly confirm: (user: AccountId) => Effect.Effect<boolean>
    /**
     * Gives the account another address, which counts as verified; the account as it was, or `None` when there is none.
     * Fails when another account has the address, or may restore it (`AccountChanges`). The caller must have proved it.
     */
    readonly changeEmail: (user: AccountId, email: string) => Effect.Effect<Option.Option<Identity>, Duplicate>
    /**
     * Deletes the account with its sessions, tokens and trusted devices; `None` when there is no such account. `within`
     * runs first, in the same transaction: when it fails, the account stays. `AccountDeletion.remove` runs the hooks too.
     */
    readonly remove: <E = never, R = never>(
      user: AccountId,
      within?: (user: Identity) => Effect.Effect<void, E, R>
    ) => Effect.Effect<Option.Option<Identity>, E, R>
  }
>() {}

/**
 * The spelling that is stored, looked up and rate-limited: trimmed, A–Z in lower case, the domain in its ASCII (IDNA)
 * form, in which mail servers look it up. The name before the @ takes no part in IDNA and is otherwise kept: Unicode's
 * lower case turns the Kelvin sign into a `k`, and `\u212Aate@…` would reach the account of `kate@…`.
 *
 * @example
 * ```ts
 * import { Users } from "effect-framework/auth"
 *
 * const guests = ["Ann@Example.com", "bob@bücher.example"]
 *
 * const invited = new Set(guests.map(Users.normalizeEmail))
 *
 * export const isInvited = (email: string): boolean => invited.has(Users.normalizeEmail(email))
 * ```
 */
export const normalizeEmail = (email: string): string =>
  Domain.inAddress(email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase()))
