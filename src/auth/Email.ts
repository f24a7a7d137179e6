// An e-mail address as an account's name: one spelling for each mailbox, and never two mailboxes for one spelling.

/**
 * The spelling that is stored and looked up. Only A–Z are lowered: Unicode's rules turn the Kelvin sign into a `k`, and
 * with them `\u212Aate@…` would reach the account of `kate@…`.
 */
export const normalise = (email: string): string => email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Whether a database can hold it as it is. NUL and half a surrogate pair would come back as something else. */
export const isText = (email: string): boolean => !/[\0\p{Surrogate}]/u.test(email)
