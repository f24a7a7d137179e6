// Headers of responses for one user only, or to a URL that contains a secret.

/**
 * No cache stores the response, and no other site sees its URL. `no-referrer` would hide the URL as well, but then a
 * browser sends our own forms with `Origin: null`.
 */
export const headers: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  vary: "Accept, Cookie"
}
