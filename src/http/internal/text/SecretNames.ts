// Which names have secret values, and what is shown in place of the value. In doubt a name is secret.

/** Has a fixed length, so that it does not reveal the length of the secret. */
export const mask = "********"

const part = /auth|token|secret|key|session|passw|passphrase|credential|cookie/

// Too short to be looked for inside of other words.
const words: ReadonlySet<string> = new Set(["pin", "otp", "totp", "cvc", "cvv", "pwd"])

// Hold a part, and mean something else.
const plainWord =
  /^(?:co)?author(?:s|ed|ing|ship|ity|ities)?$|^(?:keyword|keyboard|keynote|keypad|keystroke|monkey|turkey|donkey|hockey|jockey)s?$/

// => api key   of `apiKey`, `api_key` and `API-Key`
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const isAnySecret = (parts: ReadonlyArray<string>): boolean =>
  part.test(parts.join("")) || parts.some((word) => words.has(word))

// `current` is the password that a form for a new one asks for.
const isCurrent = (name: string): boolean => name.toLowerCase() === "current"

// What the forms of second factors send. Other values have these names too often to be masked.
const inputs: ReadonlySet<string> = new Set(["code", "pending", "enrolment"])

// The same few names come in each request. A client that makes up names fills it once.
const known = new Map<string, boolean>()
const mostKnown = 1000
const longestKnown = 64

/** Whether a value of this name is masked on error pages and in logs: `password`, `pass_word`, `apiKey`, also `author`. */
export const isSecret = (name: string): boolean => {
  const found = known.get(name)
  if (found !== undefined) return found
  const answer = isAnySecret(wordsOf(name)) || isCurrent(name)
  if (known.size < mostKnown && name.length <= longestKnown) known.set(name, answer)
  return answer
}

/** The value, or the mask when its name is secret. */
export const maskNamed = (name: string, text: string): string => (isSecret(name) ? mask : text)

/** Whether a form field of this name is left empty when the form is shown again: the same names less `author`, `keywords`. */
export const isSecretField = (name: string): boolean =>
  isAnySecret(wordsOf(name).filter((word) => !plainWord.test(word))) || isCurrent(name)

/** Whether a field that was sent is masked: the names of `isSecret`, and those of codes of second factors. */
export const isSecretInput = (name: string): boolean => inputs.has(name.toLowerCase()) || isSecret(name)
