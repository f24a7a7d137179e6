// Answers that are for one person only, or to a URL that is a secret.

/**
 * Nothing keeps the answer, and no other site is told its URL. `no-referrer` would hide the URL as well, but then a
 * browser sends our own forms with `Origin: null`.
 */
export const headers: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "referrer-policy": "same-origin",
  vary: "Accept, Cookie"
}
