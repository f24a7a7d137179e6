// Which passwords may be chosen, which can be hashed at all, and which are guessed from what is known of the account.
import { isCommon } from "./CommonPasswords.ts"
import * as Users from "../../Users.ts"
import { english as validation } from "../../../session/FormTexts.ts"
import { maxBytes, minCharacters } from "../../../session/internal/FormSentences.ts"

/** The length of a password in bytes of UTF-8. */
const byteLength = (password: string): number => new TextEncoder().encode(password).length

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
  if (email !== "" && Users.normalizeEmail(password) === Users.normalizeEmail(email)) return validation.passwordIsEmail
  return isCommon(password) ? validation.passwordCommon : undefined
}

/** Shorter words are in too many good passwords. */
const minLetters = 4

/** A password with as many characters besides these words is no longer guessed from them. */
const enoughOthers = 6

const fold = (text: string): string => text.normalize("NFKC").toLowerCase()

const piecesOf = (text: string): ReadonlyArray<string> => [text, ...text.split(/[^\p{L}\p{N}]+/u)]

// The top-level domain is in no password for its own sake.
const labelsOf = (host: string): ReadonlyArray<string> => host.split(".").slice(0, -1)

/** What is known of the account that chooses a password. */
interface Known {
  readonly email: string
  /** The host name of the site; a name without a dot counts as a whole. */
  readonly host: string
  /** The texts of the profile. */
  readonly names: ReadonlyArray<string>
}

/** The words, longest first, in lower case and each once. */
export const wordsOf = ({ email, host, names }: Known): ReadonlyArray<string> => {
  const at = email.lastIndexOf("@")
  const [local, domain] = at === -1 ? [email, ""] : [email.slice(0, at), email.slice(at + 1)]
  const hosts = host.includes(".") ? labelsOf(host) : [host]
  const all = [local, ...names].flatMap(piecesOf).concat(labelsOf(domain), hosts)
  const words = new Set(all.map(fold).filter((word) => [...word].length >= minLetters && word.length <= 254))
  return Array.from(words).sort((one, other) => other.length - one.length)
}

/** Whether the password is one of the words, or several, with fewer than six other characters. */
export const isGuessable = (password: string, words: ReadonlyArray<string>): boolean => {
  const text = fold(password)
  const rest = words.reduce((left, word) => left.replaceAll(word, ""), text)
  return rest !== text && [...rest].length < enoughOthers
}
