// An e-mail address as an account's name: one spelling for each mailbox, and one mailbox for each spelling.
import * as Domain from "../http/internal/text/Domain.ts"

/**
 * The spelling that is stored, looked up and rate-limited: trimmed, A–Z in lower case, the domain in its ASCII (IDNA)
 * form, in which mail servers look it up. The name before the @ takes no part in IDNA and is otherwise kept: Unicode's
 * lower case turns the Kelvin sign into a `k`, and `\u212Aate@…` would reach the account of `kate@…`.
 */
export const normalise = (email: string): string =>
  Domain.inAddress(email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase()))
