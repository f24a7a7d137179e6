// The page to return to after signing in: a path of this site.

const maxLength = 2048

// Open redirect: browsers read `//x` and `/\x` as another host and ignore tabs and line breaks. Only printable ASCII
// without a backslash is accepted, which every request target consists of.
const local = /^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/

/** The path, when a redirect to it stays on this site. */
export const parse = (target: string): string | undefined =>
  target.length <= maxLength && local.test(target) ? target : undefined

/** The session key of the page that a redirected guest requested. */
export const key = "intended"

/** The session key of the page that waits for a confirmation. */
export const confirmKey = "confirm_return"
