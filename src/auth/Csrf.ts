// Forms that only our own pages can have made: a secret bound to the session, masked anew for every page.
import { Context, type Effect, Encoding, Either, Schema } from "effect"
import * as ErrorResponse from "../errors/ErrorResponse.ts"
import * as Url from "../http/Url.ts"
import type { Session } from "./Session.ts"

/** The form field that carries the token. */
export const field = "_token"

/** The header that carries the token of a program, which sends no form. */
export const header = "x-csrf-token"

/** The request may have been made by another site. */
export class CsrfMismatch extends Schema.TaggedError<CsrfMismatch>("effect-framework/auth/CsrfMismatch")(
  "CsrfMismatch",
  {
    reason: Schema.Literal("origin", "token")
  }
) {
  override get message() {
    return "Invalid CSRF token"
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, { message: this.message })
  }
}

/** Makes and checks the tokens of forms, without state of its own: the secret is the session's. */
export class Csrf extends Context.Tag("effect-framework/auth/Csrf")<
  Csrf,
  {
    /** The token for a form of this session: another text each time. */
    readonly token: (session: Session) => Effect.Effect<string>
    /** Whether the text is a token of this session. */
    readonly check: (session: Session, given: string) => Effect.Effect<boolean>
  }
>() {}

/** Bytes of a session's secret; a token is twice as long, for its mask. */
export const secretBytes = 32

const length = Math.ceil((secretBytes * 2 * 4) / 3)

/** The secret under a one-time pad: compressed pages that repeat it would otherwise give it away byte by byte. */
export const mask = (secret: Uint8Array, pad: Uint8Array): string => {
  const masked = new Uint8Array(secretBytes * 2)
  for (let index = 0; index < secretBytes; index++) {
    masked[index] = pad[index] ?? 0
    masked[secretBytes + index] = (pad[index] ?? 0) ^ (secret[index] ?? 0)
  }
  return Encoding.encodeBase64Url(masked)
}

/** The secret under the mask; nothing for a foreign text. */
export const unmask = (token: string): Uint8Array | undefined => {
  if (token.length !== length) return undefined
  const masked = Either.getOrUndefined(Encoding.decodeBase64Url(token))
  if (masked?.length !== secretBytes * 2) return undefined
  const secret = new Uint8Array(secretBytes)
  for (let index = 0; index < secretBytes; index++) {
    secret[index] = (masked[index] ?? 0) ^ (masked[secretBytes + index] ?? 0)
  }
  return secret
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export const equal = (given: Uint8Array, known: Uint8Array): boolean => {
  let difference = given.length ^ known.length
  for (let index = 0; index < known.length; index++) difference |= (given[index] ?? 0) ^ (known[index] ?? 0)
  return difference === 0
}

/** What a browser says of where a request comes from. */
export interface Source {
  readonly origin: string | undefined
  readonly secFetchSite: string | undefined
  readonly host: string | undefined
}

// => https://example.com:8443   nothing before or after the host, which `new URL` would drop without a word
const parseOrigin = (origin: string): URL | undefined =>
  /^https?:\/\/[^/?#@\\\s]+$/i.test(origin) ? Url.parse(origin) : undefined

/**
 * Whether the headers allow the request to be ours. `Origin: null` (a sandboxed frame, a data: page) is another site;
 * a client that sends neither header is no browser of this decade, and the token decides.
 */
export const isOwnOrigin = ({ host, origin, secFetchSite }: Source, appUrl: string): boolean => {
  if (secFetchSite?.toLowerCase() === "cross-site") return false
  if (origin === undefined) return true
  const from = parseOrigin(origin)
  if (from === undefined) return false
  if (Url.parse(appUrl)?.origin === from.origin) return true
  // A proxy may speak TLS for us, so the scheme of our own host is not known here.
  return host !== undefined && parseOrigin(`${from.protocol}//${host}`)?.host === from.host
}
