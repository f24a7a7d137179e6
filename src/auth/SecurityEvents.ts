// What happened to an account, for its owner, the program and the operator: typed events that are never changed.
import { Context, type Effect, Schema, type Stream } from "effect"
import type { InvalidCursor } from "../pagination/Cursor.ts"
import type { InvalidPagination, Pagination } from "../pagination/Pagination.ts"
import type { Paginated } from "../pagination/Repository.ts"
import { AccountId } from "../session/Identity.ts"

const Factor = Schema.Literal("totp", "recovery_code", "passkey")

/** What happened, with its details: never a secret, never the whole e-mail of another person. */
export const Event = Schema.Union(
  Schema.TaggedStruct("SignedUp", {}),
  Schema.TaggedStruct("SignedIn", {
    /** `password`, `passkey`, the name of a provider, or what a program calls its own way in. */
    by: Schema.String,
    /** What followed the password. */
    factor: Schema.optional(Factor)
  }),
  Schema.TaggedStruct("SignInFailed", {}),
  Schema.TaggedStruct("FactorFailed", { factor: Factor }),
  Schema.TaggedStruct("SecondStepExhausted", {}),
  Schema.TaggedStruct("SignedOut", {}),
  /** One session, one trusted device, everything but the current session, or everything. */
  Schema.TaggedStruct("SessionsEnded", { which: Schema.Literal("session", "device", "others", "all") }),
  Schema.TaggedStruct("DeviceTrusted", {}),
  Schema.TaggedStruct("PasswordChanged", {}),
  Schema.TaggedStruct("PasswordReset", {}),
  /** The first password of an account without one. */
  Schema.TaggedStruct("PasswordSet", {}),
  Schema.TaggedStruct("PasswordRemoved", {}),
  Schema.TaggedStruct("EmailVerified", {}),
  Schema.TaggedStruct("EmailChangeRequested", {}),
  Schema.TaggedStruct("EmailChangeCancelled", {}),
  Schema.TaggedStruct("EmailChanged", {}),
  Schema.TaggedStruct("EmailChangeUndone", {}),
  Schema.TaggedStruct("FactorAdded", { factor: Factor }),
  Schema.TaggedStruct("FactorRemoved", { factor: Factor }),
  /** Epoch seconds from which the factors can be removed. */
  Schema.TaggedStruct("FactorRecoveryRequested", { ready: Schema.Int }),
  /** By a link in a message, or by the use of a factor. */
  Schema.TaggedStruct("FactorRecoveryCancelled", { by: Schema.Literal("link", "factor") }),
  /** How many passkeys were removed with the authenticator apps and recovery codes. */
  Schema.TaggedStruct("FactorRecoveryCompleted", { passkeys: Schema.Int }),
  Schema.TaggedStruct("RecoveryCodesRenewed", {}),
  Schema.TaggedStruct("RecoveryCodeUsed", { left: Schema.Int }),
  /** The name that its owner gave it. */
  Schema.TaggedStruct("PasskeyAdded", { name: Schema.String }),
  Schema.TaggedStruct("PasskeyRemoved", { name: Schema.String }),
  /** The name of the provider, and what its owner knows the identity by. */
  Schema.TaggedStruct("IdentityLinked", { provider: Schema.String, label: Schema.String }),
  Schema.TaggedStruct("IdentityUnlinked", { provider: Schema.String, label: Schema.String }),
  /** A provider has proved the address, which nobody had: what was on the account before has ended. */
  Schema.TaggedStruct("TakenOver", { provider: Schema.String }),
  Schema.TaggedStruct("TokenCreated", { name: Schema.String }),
  /** The name of the token; absent where all were revoked. */
  Schema.TaggedStruct("TokenRevoked", { name: Schema.optional(Schema.String) }),
  Schema.TaggedStruct("Theft", {}),
  Schema.TaggedStruct("Confirmed", { by: Schema.Literal("password", "totp", "recovery_code", "passkey", "provider") }),
  /** Epoch seconds at which the account will be deleted. */
  Schema.TaggedStruct("DeletionRequested", { due: Schema.Int }),
  Schema.TaggedStruct("DeletionCancelled", {}),
  Schema.TaggedStruct("AccountDeleted", {}),
  Schema.TaggedStruct("AccountExported", {}),
  Schema.TaggedStruct("ReportedNotMe", {})
)

export type Event = typeof Event.Type

/** Who caused it: a person with a browser or a program, an operator with a command, or the system by itself. */
const Actor = Schema.Literal("person", "operator", "system")

const Outcome = Schema.Literal("success", "failure")

/**
 * An event as it is stored: with its account, its actor, its place, its time and its outcome.
 *
 * @example
 * ```ts
 * import { Effect, Schema, Stream } from "effect"
 * import { SecurityEvents } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * const encode = Schema.encode(Schema.parseJson(SecurityEvents.SecurityEvent))
 *
 * // A line of JSON for each event of an account, for an auditor.
 * export const lines = (user: Identity.AccountId) =>
 *   Stream.unwrap(Effect.map(SecurityEvents.SecurityEvents, (events) => events.stream(user))).pipe(
 *     Stream.mapEffect(encode),
 *     Stream.map((line) => `${line}\n`)
 *   )
 * ```
 */
export const SecurityEvent = Schema.extend(
  Event,
  Schema.Struct({
    /** Later events sort after earlier ones. */
    id: Schema.String,
    account: AccountId,
    actor: Actor,
    /** The address and the `User-Agent` of the client; empty where there was none. */
    device: Schema.Struct({ address: Schema.String, userAgent: Schema.String }),
    /** Epoch seconds. */
    at: Schema.Int,
    outcome: Outcome
  })
)

export type SecurityEvent = typeof SecurityEvent.Type

/** An event to store. */
export interface Entry {
  readonly account: AccountId
  readonly event: Event
  /** A person unless stated. */
  readonly actor?: SecurityEvent["actor"] | undefined
  readonly device?: SecurityEvent["device"] | undefined
  /** Success unless stated; `SignInFailed`, `FactorFailed` and `SecondStepExhausted` are failures. */
  readonly outcome?: SecurityEvent["outcome"] | undefined
}

/** Which part of the events is listed. */
export interface ListOptions {
  /** Only events of these names. */
  readonly events?: ReadonlyArray<Event["_tag"]> | undefined
  /** Only events after this time, in epoch seconds; a long past is not read through for them. */
  readonly after?: number | undefined
  /** In cursor mode, forward; the ten newest unless stated. */
  readonly pagination?: Pagination | undefined
}

/**
 * Stores and lists the events of accounts. Nothing changes an event; old ones are deleted.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { SecurityEvents } from "effect-framework/auth"
 * import { type Identity, Session } from "effect-framework/session"
 *
 * const event: SecurityEvents.Event = { _tag: "SessionsEnded", which: "all" }
 *
 * // For a command of the support: the person sees on `/account/activity` that an operator has done it.
 * export const signedOut = (user: Identity.AccountId) =>
 *   Effect.gen(function* () {
 *     const sessions = yield* Session.Sessions
 *     const events = yield* SecurityEvents.SecurityEvents
 *     yield* sessions.revoke(user)
 *     yield* events.record({ account: user, event, actor: "operator" })
 *     return yield* events.list(user, { events: ["SignedIn", "SessionsEnded"] })
 *   })
 * ```
 */
export class SecurityEvents extends Context.Tag("effect-framework/auth/SecurityEvents")<
  SecurityEvents,
  {
    /**
     * Stores an event, inside the caller's transaction when there is one, and counts it in `auth_events_total`. Returns its
     * id.
     */
    readonly record: (entry: Entry) => Effect.Effect<SecurityEvent["id"]>
    /** The events of an account, the newest first. */
    readonly list: (
      user: AccountId,
      options?: ListOptions
    ) => Effect.Effect<Paginated<SecurityEvent>, InvalidCursor | InvalidPagination>
    /** All events of an account, the newest first, a batch in memory at a time. */
    readonly stream: (user: AccountId) => Stream.Stream<SecurityEvent>
    /** Deletes events that are older than `eventsTtl`; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
