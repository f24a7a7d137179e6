// What the hand-written peers send with every response, as ours does.
const prefix = `${process.pid.toString(16)}-`
let count = 0

/** The id of the next request. */
export const requestId = () => prefix + (count++).toString(36)

/** The lines of a JSON response that are the same in all of them. */
export const lines = [
  "content-type",
  "application/json",
  "content-security-policy",
  "default-src 'none'; frame-ancestors 'none'",
  "permissions-policy",
  "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy",
  "same-origin",
  "strict-transport-security",
  "max-age=31536000; includeSubDomains",
  "x-content-type-options",
  "nosniff"
]
