// An e-mail address as an account's name: one spelling for each mailbox, and never two mailboxes for one spelling.

/**
 * The spelling that is stored and looked up. Only A–Z are lowered: Unicode's rules turn the Kelvin sign into a `k`, and
 * with them `\u212Aate@…` would reach the account of `kate@…`.
 */
export const normalise = (email: string): string => email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
