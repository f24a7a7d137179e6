// Where someone wanted to go before signing in: a path of this site, or nowhere.

const maxLength = 2048

// Browsers read `//x` and `/\x` as another host and skip tabs and line breaks while they look: printable ASCII without
// a backslash leaves them nothing to skip. A request's own target is never written in anything else.
const local = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** The path, when a redirect to it stays here. */
export const parse = (target: string): string | undefined =>
  target.length <= maxLength && local.test(target) ? target : undefined

/** Where a redirected guest wanted to go. */
export const key = "intended"
