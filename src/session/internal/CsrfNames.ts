// Where a request carries its CSRF token.
/** The form field that carries the token. */
export const field = "_token"

/** The request header that carries the token of a JSON client. */
export const header = "x-csrf-token"
