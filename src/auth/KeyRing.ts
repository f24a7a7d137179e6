// The keys that sign what a guest carries. All workers know the same ones.
import { Context, Duration, type Effect } from "effect"

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

/** A new key signs only after this time: by then every worker that meets its signature reads the keys again. */
export const activationDelay = Duration.seconds(120)

/** How old the keys that a worker knows may be. Well below `settling`, for clocks that differ. */
export const maxCacheAge = Duration.seconds(60)

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

/** A ring that signs with the newest key that has settled; a first key signs at once. */
export const fromKeys = (keys: readonly [Key, ...ReadonlyArray<Key>], now: number): Keys => {
  const [first, ...rest] = [...keys].sort((a, b) => a.id - b.id)
  const settled = rest.filter((key) => key.created + Duration.toSeconds(activationDelay) <= now)
  return { signing: settled.at(-1) ?? first ?? keys[0], find: (id) => keys.find((key) => key.id === id) }
}
