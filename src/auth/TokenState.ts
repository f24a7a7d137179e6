// The state of a presented token against its row.
import { equal } from "./SplitToken.ts"
import type { Purpose } from "./Tokens.ts"

/** What is stored of a token: the digest of its verifier, never the verifier. */
export interface Row {
  readonly verifier: string
  readonly purpose: string
  readonly expires: number
}

/** What a presented verifier is against its row. */
export type TokenState = "Live" | "Tampered" | "Expired"

/** What a presented token is worth. The digests are compared whatever else is true, so the time tells nothing. */
export const tokenState = (row: Row, digest: string, purpose: Purpose, now: number): TokenState => {
  const matches = equal(digest, row.verifier)
  if (row.expires <= now) return "Expired"
  return matches && row.purpose === purpose ? "Live" : "Tampered"
}
