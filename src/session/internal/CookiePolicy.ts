// How cookies are written and read. The flags are constants, not settings: nothing at run time can remove one.
import { Duration } from "effect"
import * as Domain from "../../http/internal/text/Domain.ts"

const flags = "Secure; HttpOnly; SameSite=Lax"

/** Where a browser sends a cookie: below the path, and to the host that set it, or to a domain with all below it. */
interface Scope {
  readonly path: string
  readonly domain: string | undefined
}

/** The whole of the host that sets it, and no other host. */
export const wholeSite: Scope = { path: "/", domain: undefined }

const attributes = ({ domain, path }: Scope): string =>
  domain === undefined ? `Path=${path}; ${flags}` : `Path=${path}; Domain=${domain}; ${flags}`

/** A cookie that lasts until the browser closes. */
export const session = (name: string, value: string): string => `${name}=${value}; ${attributes(wholeSite)}`

/** A cookie that outlives the browser. */
export const lasting = (name: string, value: string, lifetime: Duration.Duration, scope: Scope = wholeSite): string =>
  `${name}=${value}; Max-Age=${Math.floor(Duration.toSeconds(lifetime))}; ${attributes(scope)}`

/** Deletes a cookie: a browser finds it by its name and its scope. */
export const expired = (name: string, scope: Scope = wholeSite): string => `${name}=; Max-Age=0; ${attributes(scope)}`

const maxHeader = 16384

/**
 * The value of a cookie. Two different values under one name mean that a sibling domain planted one of them: neither
 * is trusted.
 */
export const read = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined || header.length > maxHeader) return undefined
  let found: string | undefined
  let start = 0
  while (start < header.length) {
    let end = header.indexOf(";", start)
    if (end === -1) end = header.length
    while (header.charCodeAt(start) === 32) start++
    if (header.startsWith(name, start) && header.charCodeAt(start + name.length) === 61) {
      const value = header.slice(start + name.length + 1, end).trimEnd()
      if (found !== undefined && found !== value) return undefined
      found = value
    }
    start = end + 1
  }
  return found
}

/** Whether this is a valid cookie name. */
export const isName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name)

/** Whether this is a valid cookie path: no blank, control character or semicolon, which would begin another attribute. */
export const isPath = (path: string): boolean => /^\/[\x21-\x3a\x3c-\x7e]{0,255}$/.test(path)

/** Whether this is a valid cookie domain: a name in ASCII, no address, no port and no dot in front. */
export const isDomain = (domain: string): boolean => Domain.ascii(domain) === domain

/** Whether a browser keeps a cookie of this name in this scope: `__Host-` requires the whole of one host. */
export const fits = (name: string, { domain, path }: Scope): boolean =>
  !/^__host-/i.test(name) || (path === "/" && domain === undefined)

interface RememberScope {
  readonly rememberPath: string
  readonly rememberDomain: string | undefined
}

/** Where a browser sends the remember cookie. */
export const rememberScope = ({ rememberDomain, rememberPath }: RememberScope): Scope => ({
  path: rememberPath,
  domain: rememberDomain
})
