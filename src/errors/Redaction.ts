// What must not be seen in a page, a payload, a log or a console, and what stands there instead.

/** Always this long, so that it does not tell the length of what it hides. */
export const mask = "********"

const words = /auth|token|secret|key|session|password|credential|cookie/

/** Whether the value under this name is secret. Separators do not hide a name: `pass_word` is `password`. */
export const isSecret = (name: string): boolean => words.test(name.toLowerCase().replace(/[^a-z0-9]/g, ""))

/** The value, or the mask when its name says that it is secret. */
export const value = (name: string, text: string): string => (isSecret(name) ? mask : text)

/** Every value of a record (headers, form fields, cookies), masked by its name. */
export const record = (fields: Readonly<Record<string, string | undefined>>): Record<string, string> => {
  const masked: Record<string, string> = {}
  for (const [name, text] of Object.entries(fields)) if (text !== undefined) masked[name] = value(name, text)
  return masked
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}

/** The pairs of a query in their order, decoded and masked. A name is decoded first: `tok%65n` is `token`. */
export const query = (search: string): ReadonlyArray<readonly [name: string, value: string]> =>
  search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=")
      const name = decode(at < 0 ? pair : pair.slice(0, at))
      return [name, value(name, at < 0 ? "" : decode(pair.slice(at + 1)))] as const
    })

// What a token looks like: 16 hexadecimal digits or more, or 32 letters and digits in one piece.
const opaque = /^(?:[0-9a-fA-F]{16,}|[A-Za-z0-9_-]{32,})$/

/** The parts of a path that look like tokens. */
export const tokenSegments = (path: string): ReadonlyArray<string> =>
  path.split("/").filter((part) => opaque.test(part))

/** A path without the parts that look like tokens: for a request that no route takes, so that no pattern is known. */
export const path = (given: string): string =>
  given
    .split("/")
    .map((part) => (opaque.test(part) ? mask : part))
    .join("/")

// A shorter secret would blank harmless text wherever it happens to occur, and is none worth the name.
const shortest = 6

// An honest request has a few dozen. Each is searched in every text, so that a form of commas must not make thousands.
const mostParts = 64
const most = 512

// `Bearer x` holds x, `session=x; theme=y` holds x and y, `Basic x` also what x spells.
const within = (text: string): ReadonlyArray<string> => {
  const parts = text.split(/[;,&]\s*/, mostParts).map((part) => /^[\w.-]+=(?!=*$)(.+)$/.exec(part)?.[1] ?? part)
  const credentials = /^(\w+)\s+(\S+)$/.exec(text)
  const spelled = credentials?.[1]?.toLowerCase() === "basic" ? base64(credentials[2] ?? "") : ""
  const found = [text, ...parts, ...(credentials === null ? [] : [credentials[2] ?? ""]), ...spelled.split(/^([^:]*):/)]
  return [...found, ...found.map(decode)]
}

const base64 = (text: string): string => {
  try {
    return atob(text)
  } catch {
    return ""
  }
}

/** The values of these pairs that are secret: given to `text`, they are hidden wherever a message repeats them. */
export const secrets = (pairs: Iterable<readonly [name: string, value: string]>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [name, text] of pairs) {
    if (!isSecret(name)) continue
    for (const part of within(text)) if (part.length >= shortest && found.size < most) found.add(part)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

// The scheme is not looked for: from each letter of a long word on, it would be searched to the end of the word.
const userinfo = /(:\/\/[^\s/:@]*:)[^\s/@]+@/g
const scheme = /\b(Bearer|Basic|Digest)\s+[A-Za-z0-9+/=._~-]{6,}/g

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

// The value after a mark, from where to where; nothing when there is none. A string that was cut off ends with the text.
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

// By hand, mark by mark: an expression tries a name from each letter on, and a string from each quote.
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
 * Free text (a message, a preview) without the secrets that can be told: the given ones, the password of a URL,
 * an authorization value, and what follows a secret name in `name=value` or `"name": "value"`.
 */
export const text = (message: string, secrets: ReadonlyArray<string> = []): string => {
  let shown = message
  for (const secret of secrets) shown = shown.replaceAll(secret, mask)
  if (shown.includes("://")) shown = shown.replace(userinfo, `$1${mask}@`)
  shown = shown.replace(scheme, `$1 ${mask}`)
  return pairs(shown)
}
