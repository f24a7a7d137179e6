// The `WWW-Authenticate` challenge of a 401.

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
