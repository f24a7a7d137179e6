// The `WWW-Authenticate` challenge of a 401.

/** What the `WWW-Authenticate` of a 401 names, unless the settings say otherwise. */
export const defaultRealm = "Protected area"

/** Whether a text may be a realm: printable ASCII that needs no escape in a quoted string. */
export const isRealm = (text: string): boolean => /^[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}$/.test(text)

/** The challenge of a 401. A browser knows no scheme of this name, so it shows the page and opens no dialog of its own. */
export const challenge = (realm: string): string => `Session realm="${realm}"`
