// The page to return to after signing in: a path of this site, or for a client of the API an address that the program lists.
import * as Url from "../../config/internal/Url.ts"

const maxLength = 2048

// Open redirect: browsers read `//x` and `/\x` as another host and ignore tabs and line breaks. Only printable ASCII
// without a backslash is accepted, which every request target consists of.
const local = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** The path, when a redirect to it stays on this site. */
export const parse = (target: string): string | undefined =>
  target.length <= maxLength && local.test(target) ? target : undefined

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"])

/**
 * Whether a program may list this address: https, http on this machine, or the scheme of an installed app, which has a dot
 * (RFC 8252), so that `javascript:` is none. A fragment would keep the code from the server that waits for it.
 */
export const isListable = (text: string): boolean => {
  const url = Url.parse(text)
  if (url === undefined || text.includes("#") || url.username !== "" || url.password !== "") return false
  if (url.protocol === "https:") return true
  return url.protocol === "http:" ? loopback.has(url.hostname) : url.protocol.includes(".")
}

/** The session key of the page that a redirected guest requested. */
export const key = "intended"

/** The session key of the page that waits for a confirmation. */
export const confirmKey = "confirm_return"
