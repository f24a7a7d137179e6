// Stored password hashes: their algorithm and cost.
import { Encoding } from "effect"
import type { Policy } from "../../Password.ts"
import type { PasswordState } from "../WaysIn.ts"

/** The default cost of a new hash: 64 MiB and three passes. */
export const defaultPolicy: Policy = { memory: 65536, time: 3 }

/** The lowest cost that the settings may choose. */
export const minimumPolicy: Policy = { memory: 19456, time: 2 }

/** The kind and cost of a stored hash: argon2id, or bcrypt from an older program. */
export type StoredHash =
  | { readonly _tag: "Argon2id"; readonly memory: number; readonly time: number }
  | { readonly _tag: "Bcrypt"; readonly rounds: number }

const argon2id = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]{11,}\$[A-Za-z0-9+/]{22,}$/

const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/

/** The algorithm and cost of a stored hash; `undefined` when the algorithm is unknown. */
export const parseHash = (hash: string): StoredHash | undefined => {
  const argon = argon2id.exec(hash)
  if (argon !== null) return { _tag: "Argon2id", memory: Number(argon[1]), time: Number(argon[2]) }
  const legacy = bcrypt.exec(hash)
  return legacy === null ? undefined : { _tag: "Bcrypt", rounds: Number(legacy[1]) }
}

/** How many random bytes a locked password takes. */
export const lockedBytes = 32

const { memory, time } = minimumPolicy

// The salt spells "password locked.": it tells a lock apart from a password.
const lockedPrefix = `$argon2id$v=19$m=${memory},t=${time},p=1$cGFzc3dvcmQgbG9ja2VkLg$`

/** A hash that no password has. It is well-formed, for other programs that read the table. */
export const locked = (random: Uint8Array): string =>
  `${lockedPrefix}${Encoding.encodeBase64(random).replaceAll("=", "")}`

/** What is stored for an account without a password, in a column that cannot be `NULL`. No hash begins like it. */
export const none = "!"

/** What a stored secret means. Django marks an account without a password by the same first character. */
export const stateOf = (stored: string | null): PasswordState => {
  if (stored === null || stored === "" || stored.startsWith(none)) return "none"
  return stored.startsWith(lockedPrefix) ? "locked" : "set"
}

/** Whether a hash uses another algorithm or costs less than the policy. */
export const isStale = (hash: string, policy: Policy): boolean => {
  const stored = parseHash(hash)
  return stored?._tag !== "Argon2id" || stored.memory < policy.memory || stored.time < policy.time
}
