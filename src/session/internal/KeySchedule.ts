// When a new key starts to sign, and how long a worker may cache the keys.
import { Duration } from "effect"
import type { Key, Keys } from "../KeyRing.ts"

/** A new key signs only after this time: by then every worker has read the keys again. */
export const activationDelay = Duration.seconds(120)

/** How long a worker caches the keys. Well below `activationDelay`, for clocks that differ. */
export const maxCacheAge = Duration.seconds(60)

/** Keys that sign with the newest active one; the first key signs at once. */
export const fromKeys = (keys: readonly [Key, ...ReadonlyArray<Key>], now: number): Keys => {
  const [first, ...rest] = [...keys].sort((a, b) => a.id - b.id)
  const active = rest.filter((key) => key.created + Duration.toSeconds(activationDelay) <= now)
  return { signing: active.at(-1) ?? first ?? keys[0], find: (id) => keys.find((key) => key.id === id) }
}
