// The state of a presented token against its row.
import { Duration } from "effect"
import { equal } from "../../session/internal/SplitToken.ts"
import type { Purpose } from "../Tokens.ts"

/** The default lifetime of a token: an hour. */
export const lifetime = Duration.seconds(3600)

/** The stored part of a token: the digest of its verifier, never the verifier. */
export interface Row {
  readonly verifier: string
  readonly purpose: string
  readonly expires: number
}

/** The state of a presented token. */
export type TokenState = "Live" | "Tampered" | "Expired"

/** Compares a presented token with its row. The digests are always compared, so that timing reveals nothing. */
export const tokenState = (row: Row, digest: string, purpose: Purpose, now: number): TokenState => {
  const matches = equal(digest, row.verifier)
  if (row.expires <= now) return "Expired"
  return matches && row.purpose === purpose ? "Live" : "Tampered"
}
