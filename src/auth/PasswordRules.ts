// Which passwords may be chosen, and which can be hashed at all.
import { isCommon } from "./CommonPasswords.ts"
import * as Email from "./Email.ts"
import { minCharacters, maxBytes } from "./Password.ts"

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
