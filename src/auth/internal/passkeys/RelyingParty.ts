// The site that passkeys belong to. It is that of `APP_URL` and never the `Host` header, which the client chooses.
import * as Url from "../../../config/internal/Url.ts"

/** A site, as WebAuthn names it. */
export interface RelyingParty {
  /** The host name without a port. */
  readonly id: string
  /** What a response has to come from, exactly. */
  readonly origin: string
}

/** The relying party of the base URL of a program. */
export const of = (appUrl: string): RelyingParty => {
  const url = Url.parse(appUrl)
  return { id: url?.hostname ?? "", origin: url?.origin ?? "" }
}
