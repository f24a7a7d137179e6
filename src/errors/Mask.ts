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
export const tokens = (path: string): ReadonlyArray<string> => path.split("/").filter((part) => opaque.test(part))

/** A path without the parts that look like tokens: for a request that no route takes, so that no pattern is known. */
export const path = (given: string): string =>
  given
    .split("/")
    .map((part) => (opaque.test(part) ? mask : part))
    .join("/")

// A shorter secret would blank harmless text wherever it happens to occur, and is none worth the name.
const shortest = 6

// `Bearer x` holds x, `session=x; theme=y` holds x and y, `Basic x` also what x spells.
const within = (text: string): ReadonlyArray<string> => {
  const parts = text.split(/[;,&]\s*/).map((part) => /^[\w.-]+=(?!=*$)(.+)$/.exec(part)?.[1] ?? part)
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
    for (const part of within(text)) if (part.length >= shortest) found.add(part)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

const userinfo = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:)[^\s/@]+@/gi
const scheme = /\b(Bearer|Basic|Digest)\s+[A-Za-z0-9+/=._~-]{6,}/g
const pair = /(["']?)([A-Za-z0-9_.-]{1,64})\1(=|:\s*(?=["']))("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s"'&,;)}\]]+)/g

/**
 * Free text (a message, a preview) without the secrets that can be told: the given ones, the password of a URL,
 * an authorization value, and what follows a secret name in `name=value` or `"name": "value"`.
 */
export const text = (message: string, secrets: ReadonlyArray<string> = []): string => {
  let shown = message
  for (const secret of secrets) shown = shown.replaceAll(secret, mask)
  if (shown.includes("://")) shown = shown.replace(userinfo, `$1${mask}@`)
  shown = shown.replace(scheme, `$1 ${mask}`)
  // Most texts have neither, and the search for pairs is the dear one.
  if (!shown.includes("=") && !shown.includes(":")) return shown
  return shown.replace(pair, (whole, quote: string, name: string, mark: string) =>
    isSecret(name) ? `${quote}${name}${quote}${mark}${mask}` : whole
  )
}
