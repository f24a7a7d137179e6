// The keys that sign guests' session cookies. All workers share them.
import { Context, type Effect } from "effect"

/** One signing key; its number is part of what it signs. */
export interface Key {
  readonly id: number
  readonly secret: Uint8Array
  /** Epoch seconds. */
  readonly created: number
}

/** The keys that a worker has in memory. */
export interface Keys {
  /** The key to sign with. */
  readonly signing: Key
  /** The key of this number, while its signatures are accepted. */
  readonly find: (id: number) => Key | undefined
}

/** The signing keys that all workers share. */
export class KeyRing extends Context.Tag("effect-framework/auth/KeyRing")<
  KeyRing,
  {
    /** The keys, cached for up to a minute. */
    readonly ring: Effect.Effect<Keys>
    /** Makes a new key. Signatures of the old ones stay valid for as long as a session may live. */
    readonly rotate: Effect.Effect<void>
    /** Deletes keys whose signatures have all expired; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
