// The keys that sign what a guest carries. All workers know the same ones.
import { Context, Duration, type Effect } from "effect"

export interface Key {
  readonly id: number
  readonly secret: Uint8Array
  /** Epoch seconds. */
  readonly created: number
}

/** A new key signs only after this time: by then every worker has read it and will know its signature. */
export const settling = Duration.seconds(120)

/** How often a worker reads the keys. Twice within `settling`, so that one failed reading is no harm. */
export const refresh = Duration.seconds(50)

export class Keys extends Context.Tag("auth/Keys")<
  Keys,
  {
    /** The key to sign with. */
    readonly signing: () => Key
    /** The key of this number, while its signatures are believed. */
    readonly find: (id: number) => Key | undefined
    /** Makes a new key. Signatures of the old ones stay valid for as long as a session may live. */
    readonly rotate: Effect.Effect<void>
    /** Drops keys whose signatures have all run out; how many there were. */
    readonly sweep: Effect.Effect<number>
  }
>() {}

/** The newest key that has settled; a first key signs at once. */
export const signing = (keys: readonly [Key, ...ReadonlyArray<Key>], now: number): Key => {
  const [first, ...rest] = [...keys].sort((a, b) => a.id - b.id)
  const settled = rest.filter((key) => key.created + Duration.toSeconds(settling) <= now)
  return settled.at(-1) ?? first ?? keys[0]
}
