// Text that both databases store unchanged.

/** Whether a database can hold it as it is. NUL and half a surrogate pair would come back as something else. */
export const isText = (email: string): boolean => !/[\0\p{Surrogate}]/u.test(email)

/** Characters of a `User-Agent` that are stored. */
export const longestStored = 256

/** A `User-Agent` as a database can hold it: cut, and without U+0000 and halves of surrogate pairs. */
export const storable = (agent: string): string => agent.slice(0, longestStored).replace(/[\0\p{Surrogate}]/gu, "")
