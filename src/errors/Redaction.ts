// Masks secrets on pages, in JSON, in logs and on the console.
import { isSecret, mask } from "../http/internal/text/SecretNames.ts"

// Starts at `://` and not at the scheme, which would take quadratic time on a long word.
const userinfo = /(:\/\/[^\s/:@]*:)[^\s/@]+@/g
const scheme = /\b(Bearer|Basic|Digest)\s+[A-Za-z0-9+/=._~-]{6,}/g

// What each of the searches below begins with: most texts have none of it.
const suspicious = /[=:]|Bearer|Basic|Digest/

const marks = /[=:]/g
const nameCharacter = /[A-Za-z0-9_.-]/
const bareEnd = /[\s"'&,;)}\]]|$/g
const longestName = 64

const isQuote = (char: string | undefined): char is string => char === '"' || char === "'"

// => password   in `password=`, `"password":`
const nameBefore = (text: string, mark: number): string => {
  const quote = text[mark - 1]
  const end = isQuote(quote) ? mark - 1 : mark
  let start = end
  while (end - start < longestName && nameCharacter.test(text[start - 1] ?? "")) start--
  return isQuote(quote) && text[start - 1] !== quote ? "" : text.slice(start, end)
}

// The range of the value after a mark, if there is one. A string that was cut off ends with the text.
const valueAfter = (text: string, mark: number): readonly [start: number, end: number] | undefined => {
  let start = mark + 1
  if (text[mark] === ":") while (/\s/.test(text[start] ?? "")) start++
  const quote = text[start]
  if (!isQuote(quote)) {
    bareEnd.lastIndex = start
    const end = text[mark] === ":" ? start : (bareEnd.exec(text)?.index ?? start)
    return end === start ? undefined : [start, end]
  }
  let end = start + 1
  while (end < text.length && text[end] !== quote) end += text[end] === "\\" ? 2 : 1
  return [start, Math.min(end + 1, text.length)]
}

// A scanner instead of a regular expression, which would take quadratic time.
const pairs = (text: string): string => {
  let shown = ""
  let done = 0
  marks.lastIndex = 0
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    const name = nameBefore(text, found.index)
    const value = name !== "" && isSecret(name) ? valueAfter(text, found.index) : undefined
    if (value === undefined) continue
    shown += text.slice(done, value[0]) + mask
    done = marks.lastIndex = value[1]
  }
  return done === 0 ? text : shown + text.slice(done)
}

/**
 * Masks the secrets in free text such as a message: the given ones, the password of a URL, an authorization value, and
 * the value of a secret name in `name=value` or `"name": "value"`.
 *
 * @example
 * ```ts
 * import { Console } from "effect"
 * import { Redaction, Reporters } from "effect-framework/errors"
 *
 * // A reporter that sends a message elsewhere masks the secrets of the request in it, too.
 * export const printing = Reporters.layer(({ message }, { uri = "no request" }, secrets) =>
 *   Console.error(`${uri}: ${Redaction.text(message, secrets())}`)
 * )
 * ```
 */
export const text = (message: string, secrets: ReadonlyArray<string> = []): string => {
  let shown = message
  for (const secret of secrets) shown = shown.replaceAll(secret, mask)
  if (!suspicious.test(shown)) return shown
  if (shown.includes("://")) shown = shown.replace(userinfo, `$1${mask}@`)
  shown = shown.replace(scheme, `$1 ${mask}`)
  return pairs(shown)
}
