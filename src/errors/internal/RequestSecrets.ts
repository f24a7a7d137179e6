// The secrets of a request: what its query and path may show, and the values that no text may repeat.
import type { Fields } from "../../http/internal/Fields.ts"
import type { RequestHead } from "../../http/internal/RequestState.ts"
import { isSecret, isSecretInput, mask } from "../../http/internal/text/SecretNames.ts"

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return text
  }
}

// What a provider sends back with a person: the code and the state of a flow. A short state is one of the program's own.
const isSecretParameter = (name: string, text: string): boolean =>
  isSecretInput(name) || (name === "state" && text.length >= 16)

/** The pairs of a query in their order, decoded and masked. A name is decoded first: `tok%65n` is `token`. */
export const query = (search: string): ReadonlyArray<readonly [name: string, value: string]> =>
  search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=")
      const name = decode(at < 0 ? pair : pair.slice(0, at))
      const text = at < 0 ? "" : decode(pair.slice(at + 1))
      return [name, isSecretParameter(name, text) ? mask : text] as const
    })

// What a token looks like: 16 hexadecimal digits or more, or 32 letters and digits in one piece.
const opaque = /^(?:[0-9a-fA-F]{16,}|[A-Za-z0-9_-]{32,})$/
const shortestToken = 16

/** The parts of a path that look like tokens. */
export const tokenSegments = (path: string): ReadonlyArray<string> =>
  path.length < shortestToken ? [] : path.split("/").filter((part) => opaque.test(part))

/** A path with the parts that look like tokens masked: for a request without a route, whose pattern is unknown. */
export const path = (given: string): string =>
  given
    .split("/")
    .map((part) => (opaque.test(part) ? mask : part))
    .join("/")

// A shorter value would mask harmless text wherever it occurs.
const shortest = 6

// Each secret is searched in every text: a crafted form must not produce thousands. A usual request has a few dozen.
const mostParts = 64
const most = 512

// `Bearer x` holds x, `session=x; theme="y"` holds x and y, `Basic x` also the decoded x.
const within = (text: string): ReadonlyArray<string> => {
  const parts = text.split(/[;,&]\s*/, mostParts).map((part) => /^[\w.-]+="?(?!=*$)(.+?)"?$/.exec(part)?.[1] ?? part)
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

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** The fields that were sent, by name. */
export const form = (fields: Fields | undefined): Pairs =>
  (fields?.names ?? []).map((name) => [name, fields?.get(name) ?? ""] as const)

/** The secret values of these pairs and fields. `Redaction.text` masks them wherever a message repeats them. */
export const secrets = (pairs: Pairs, sent: Pairs = []): ReadonlyArray<string> => {
  const hidden = [
    ...pairs.filter(([name]) => isSecret(name)),
    ...sent.filter(([name, text]) => isSecretParameter(name, text))
  ]
  if (hidden.length === 0) return []
  const found = new Set<string>()
  for (const [, text] of hidden) {
    for (const part of within(text)) if (part.length >= shortest && found.size < most) found.add(part)
  }
  return [...found].sort((a, b) => b.length - a.length)
}

interface Head {
  readonly headers: RequestHead["headers"]
  readonly url: string
}

/** The secret values of a request: of its headers, its query, its path and its form. */
export const ofRequest = ({ headers, url }: Head, fields: Fields | undefined): ReadonlyArray<string> => {
  const at = url.indexOf("?")
  // A question mark may also stand in a value: the rest of the query is searched, too.
  const [path, search] = at < 0 ? [url, ""] : [url.slice(0, at), url.slice(at + 1)]
  const given: Array<readonly [name: string, value: string]> = []
  for (const name in headers) if (headers[name] !== undefined) given.push([name, String(headers[name])])
  return [...secrets(given, [...new URLSearchParams(search), ...form(fields)]), ...tokenSegments(path)]
}
