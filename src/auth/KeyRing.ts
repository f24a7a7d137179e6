// The keys that sign what a guest carries. All workers know the same ones.
import { Context, type Effect } from "effect"

/** One signing key; its number travels with what it signs. */
export interface Key {
  readonly id: number
  readonly secret: Uint8Array
  /** Epoch seconds. */
  readonly created: number
}

/** The keys as a worker knows them. */
export interface Keys {
  /** The key to sign with. */
  readonly signing: Key
  /** The key of this number, while its signatures are believed. */
  readonly find: (id: number) => Key | undefined
}

/** The ring of keys that all workers share, kept where all of them find it. */
export class KeyRing extends Context.Tag("effect-framework/auth/KeyRing")<
  KeyRing,
  {
    /** The keys, read at most once in `freshness`. */
    readonly ring: Effect.Effect<Keys>
    /** Makes a new key. Signatures of the old ones stay valid for as long as a session may live. */
    readonly rotate: Effect.Effect<void>
    /** Drops keys whose signatures have all run out; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
