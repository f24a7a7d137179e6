// Passwords: what may be one, how a stored hash reads, and the service that makes and checks hashes.
import { Context, type Effect, type Redacted, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import { isCommon } from "./CommonPasswords.ts"
import * as Email from "./Email.ts"

/** The cost of one argon2id hash; memory in KiB. One lane: a second one would take a second thread. */
export interface Policy {
  readonly memory: number
  readonly time: number
}

/** What a new hash costs unless the settings say otherwise: 64 MiB and three passes. */
export const policy: Policy = { memory: 65536, time: 3 }

/** Nothing below this is ever made, whatever the settings say. */
export const floor: Policy = { memory: 19456, time: 2 }

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
    /** Whether the hash is weaker than today's policy and should be replaced when its password is next seen. */
    readonly isStale: (hash: string) => boolean
  }
>() {}

/** The kind and cost of a stored hash: our own argon2id, or bcrypt from an older program. */
export type StoredHash =
  | { readonly _tag: "Argon2id"; readonly memory: number; readonly time: number }
  | { readonly _tag: "Bcrypt"; readonly rounds: number }

const argon2id = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{22,}$/
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** What a stored hash says of itself; nothing when it is none that we know. */
export const parseHash = (hash: string): StoredHash | undefined => {
  const argon = argon2id.exec(hash)
  if (argon !== null) return { _tag: "Argon2id", memory: Number(argon[1]), time: Number(argon[2]) }
  const legacy = bcrypt.exec(hash)
  return legacy === null ? undefined : { _tag: "Bcrypt", rounds: Number(legacy[1]) }
}

/** Whether a hash is of another kind or cheaper than the policy. */
export const isStale = (hash: string, policy: Policy): boolean => {
  const stored = parseHash(hash)
  return stored?._tag !== "Argon2id" || stored.memory < policy.memory || stored.time < policy.time
}

/** The shortest password that may be chosen, in Unicode code points. */
export const minCharacters = 8

/** The longest password that is hashed, in bytes of UTF-8: no request may buy unbounded work. */
export const maxBytes = 1024

/** The length of a password in bytes of UTF-8. */
export const byteLength = (password: string): number => new TextEncoder().encode(password).length

/**
 * Whether a password is text. Half a surrogate pair, which JSON can spell, has no bytes of its own: every one of them is
 * hashed as U+FFFD, and one password would open what another one locked.
 */
export const isText = (password: string): boolean => !/\p{Surrogate}/u.test(password)

/** Why a password is none that could have been hashed; `undefined` when it could. */
export const unusable = (password: string): string | undefined => {
  if (!isText(password)) return "Use whole characters."
  return byteLength(password) > maxBytes ? `Use at most ${maxBytes} bytes.` : undefined
}

/** Why a password may not be chosen, in words for the person who chose it; nothing when it may. */
export const problem = (password: string, email: string): string | undefined => {
  // Counted as people count: an emoji is one character.
  if ([...password].length < minCharacters) return `Use at least ${minCharacters} characters.`
  const reason = unusable(password)
  if (reason !== undefined) return reason
  if (email !== "" && Email.normalise(password) === Email.normalise(email))
    return "Use something else than your e-mail."
  return isCommon(password) ? "This password is one of the most common. Choose another." : undefined
}
