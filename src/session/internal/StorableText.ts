// Text that both databases store unchanged.

/** Whether both databases store the text unchanged. NUL and unpaired surrogates would come back as something else. */
export const isText = (email: string): boolean => !/[\0\p{Surrogate}]/u.test(email)

/** Characters of a `User-Agent` that are stored. */
const longestStored = 256

/** A `User-Agent` shortened, and without U+0000 and unpaired surrogates. */
export const storable = (agent: string): string => agent.slice(0, longestStored).replace(/[\0\p{Surrogate}]/gu, "")
