// The request id that a client may choose.

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/

/** The client's request id when it is 1–128 token characters, else `undefined`: anything else could forge a log line. */
export const parse = (header: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof header === "string" && token.test(header) ? header : undefined
