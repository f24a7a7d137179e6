// The identities at providers by which a person signs in: each is a pair of issuer and subject, and belongs to one account.
import { Context, type Effect, type Option, Schema } from "effect"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import type { AccountId, Identity } from "../session/Identity.ts"
import { AuthTexts, english } from "./AuthTexts.ts"

/** Who a person is for a provider. The pair never changes; an address may, and may be given to somebody else. */
export interface Subject {
  /** The issuer of the identity, as its tokens name it. */
  readonly issuer: string
  readonly subject: string
}

/** An identity that is to be linked. */
export interface NewIdentity extends Subject {
  /** The id of the provider in this program, such as `google`. */
  readonly provider: string
  /** What its owner knows it by: the address or the name that the provider has told. */
  readonly label: string
}

/** A linked identity, as shown to its owner. */
export interface LinkedIdentity {
  /** Identifies it in a form or a log; it grants no access. */
  readonly handle: string
  readonly issuer: string
  readonly provider: string
  readonly label: string
  /** Epoch seconds. */
  readonly created: number
  /** Epoch seconds; `undefined` before the first sign-in. */
  readonly lastUsed: number | undefined
}

/** The account of an identity. */
export interface Owner {
  readonly identity: Identity
  readonly handle: string
}

/**
 * Another account has this identity: 409.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { LinkedIdentities } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * // Moves what another program knows of a person at Google; it may run again.
 * export const moved = (user: Identity.AccountId, subject: string, email: string) =>
 *   Effect.flatMap(LinkedIdentities.LinkedIdentities, (identities) =>
 *     identities.link(user, { issuer: "https://accounts.google.com", subject, provider: "google", label: email })
 *   ).pipe(
 *     Effect.catchTag("IdentityTaken", ({ provider }: LinkedIdentities.IdentityTaken) =>
 *       Effect.logWarning(`${email} at ${provider} belongs to another account`)
 *     )
 *   )
 * ```
 */
export class IdentityTaken extends Schema.TaggedError<IdentityTaken>("effect-framework/auth/IdentityTaken")(
  "IdentityTaken",
  { provider: Schema.String, error: Schema.optionalWith(Schema.String, { default: () => english.providers.inUse }) },
  ErrorResponse.declared(409, "Another account is connected with the identity.")
) {
  override get message() {
    return this.error
  }
  get [ErrorResponse.symbol]() {
    const { error: message } = this
    return ErrorResponse.of(409, { message, translate: ({ texts }) => texts(AuthTexts).providers.inUse })
  }
}

/** Stores which account an identity at a provider belongs to. */
export class LinkedIdentities extends Context.Tag("effect-framework/auth/LinkedIdentities")<
  LinkedIdentities,
  {
    /** Links the identity to the account, in the caller's transaction; one that it has already stays as it is. */
    readonly link: (user: AccountId, identity: NewIdentity) => Effect.Effect<LinkedIdentity, IdentityTaken>
    /** The account of the identity; `None` for one that nobody has, or whose account was deleted. */
    readonly find: (subject: Subject) => Effect.Effect<Option.Option<Owner>>
    /** Records that the account has signed in with this identity now. */
    readonly recordUse: (user: AccountId, subject: Subject) => Effect.Effect<void>
    /** The identities of the account, the newest first. */
    readonly list: (user: AccountId) => Effect.Effect<ReadonlyArray<LinkedIdentity>>
    /**
     * Unlinks one identity of the account by its handle, and ends the sessions that it began, those that a remembered device
     * began, and every pending sign-in; `false` when there is none.
     */
    readonly remove: (user: AccountId, handle: string) => Effect.Effect<boolean>
    /** Unlinks every identity of the account, or those that were linked since this time; returns how many. */
    readonly removeAll: (user: AccountId, since?: number) => Effect.Effect<number>
  }
>() {}
