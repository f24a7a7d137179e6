// Which passwords may be chosen, and which can be hashed at all.
import { isCommon } from "./CommonPasswords.ts"
import * as Email from "../../Email.ts"
import { english as validation, maxBytes, minCharacters } from "../../../session/FormTexts.ts"

/** The length of a password in bytes of UTF-8. */
export const byteLength = (password: string): number => new TextEncoder().encode(password).length

/**
 * Whether a password is well-formed Unicode. JSON can express an unpaired surrogate, which has no UTF-8 encoding: each is
 * hashed as U+FFFD, and different passwords would match the same hash.
 */
export const isText = (password: string): boolean => !/\p{Surrogate}/u.test(password)

/** Why a password cannot be hashed; `undefined` when it can. */
export const unusable = (password: string): string | undefined => {
  if (!isText(password)) return validation.passwordNotText
  return byteLength(password) > maxBytes ? validation.passwordTooLong(maxBytes) : undefined
}

/** Why a password may not be chosen, as a message for the user; `undefined` when it may. */
export const problem = (password: string, email: string): string | undefined => {
  // Counted as people count: an emoji is one character.
  if ([...password].length < minCharacters) return validation.passwordTooShort(minCharacters)
  const reason = unusable(password)
  if (reason !== undefined) return reason
  if (email !== "" && Email.normalise(password) === Email.normalise(email)) return validation.passwordIsEmail
  return isCommon(password) ? validation.passwordCommon : undefined
}
