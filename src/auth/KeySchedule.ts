// When a new key starts to sign, and how long a worker may cache the keys.
import { Duration } from "effect"
import type { Key, Keys } from "./KeyRing.ts"

/** A new key signs only after this time: by then every worker that meets its signature reads the keys again. */
export const activationDelay = Duration.seconds(120)

/** How old the keys that a worker knows may be. Well below `settling`, for clocks that differ. */
export const maxCacheAge = Duration.seconds(60)

/** A ring that signs with the newest key that has settled; a first key signs at once. */
export const fromKeys = (keys: readonly [Key, ...ReadonlyArray<Key>], now: number): Keys => {
  const [first, ...rest] = [...keys].sort((a, b) => a.id - b.id)
  const settled = rest.filter((key) => key.created + Duration.toSeconds(activationDelay) <= now)
  return { signing: settled.at(-1) ?? first ?? keys[0], find: (id) => keys.find((key) => key.id === id) }
}
