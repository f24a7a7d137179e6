// The `Authorization` header of a request, and the `WWW-Authenticate` of a 401. Where a request has the header, it alone
// decides: no cookie counts beside it.

/** The header: none, the text of a bearer, or anything else. */
export type Authorization =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Bearer"; readonly text: string }
  | { readonly _tag: "Unusable" }

const absent: Authorization = { _tag: "Absent" }
const unusable: Authorization = { _tag: "Unusable" }

// The name of the scheme is case-insensitive, the text after it is not.
const bearer = /^bearer {1,16}([^\s,]{1,512})$/i

/** Of a request with two such lines Node.js keeps the first one: only the lines as received show the second. */
const isRepeated = (lines: unknown): boolean => {
  if (!Array.isArray(lines)) return false
  let found = 0
  for (let at = 0; at < lines.length; at += 2) {
    const name: unknown = lines[at]
    if (typeof name === "string" && name.length === 13 && name.toLowerCase() === "authorization") found++
  }
  return found > 1
}

/** Reads the header. `lines` are names and values as received, where the server knows them. */
export const read = (header: string | undefined, lines?: unknown): Authorization => {
  if (header === undefined) return absent
  const text = bearer.exec(header)?.[1]
  return text === undefined || isRepeated(lines) ? unusable : { _tag: "Bearer", text }
}

/** The default realm in the `WWW-Authenticate` of a 401. */
export const defaultRealm = "Protected area"

/** Whether a text is a valid realm: printable ASCII that needs no escape in a quoted string. */
export const isRealm = (text: string): boolean => /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text)

/** The challenge of a 401. Browsers do not know the scheme `Session`, so they show the page and no password dialog. */
export const challenge = (realm: string): string => `Session realm="${realm}"`

/** The challenge for a bearer; with an error when the request has sent one. */
export const bearerChallenge = (realm: string, error?: "invalid_token"): string =>
  `Bearer realm="${realm}"${error === undefined ? "" : `, error="${error}"`}`

/** The challenge for a bearer that lacks a scope. */
export const scopeChallenge = (realm: string, scope: string): string =>
  `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`
