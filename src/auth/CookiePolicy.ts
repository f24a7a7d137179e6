// The one policy of our cookies. It is code and no setting: nothing at run time can take a flag away.
import type { Duration } from "effect"
import { Duration as Durations } from "effect"

const flags = "Path=/; Secure; HttpOnly; SameSite=Lax"

/** A cookie that lasts until the browser closes. */
export const session = (name: string, value: string): string => `${name}=${value}; ${flags}`

/** A cookie that outlives the browser. */
export const lasting = (name: string, value: string, lifetime: Duration.Duration): string =>
  `${name}=${value}; Max-Age=${Math.floor(Durations.toSeconds(lifetime))}; ${flags}`

/** Takes a cookie away. */
export const expired = (name: string): string => `${name}=; Max-Age=0; ${flags}`

const maxHeader = 16384

/**
 * The value of a cookie. Two different values under one name mean that a neighbouring host planted one of them: then
 * neither is believed.
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

/** A name that may stand in a cookie. */
export const isName = (name: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(name)
