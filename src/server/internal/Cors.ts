// Which pages of other origins may call an API from a browser. Nothing else of a program is ever open to them.
import { Duration, Either } from "effect"
import * as Url from "../../config/internal/Url.ts"

/** The origins, and how long a browser may keep the answer to a preflight. */
export interface CorsOptions {
  /** Exact origins, `https://app.example` or `http://localhost:5173`. */
  readonly origins: ReadonlyArray<string>
  /** How long a browser keeps the answer to a preflight; 10 minutes. */
  readonly maxAge?: Duration.DurationInput
}

/** The checked options. */
export interface CorsPolicy {
  readonly origins: ReadonlySet<string>
  readonly maxAge: string
}

/** The headers of a response that a page of another origin may read. */
export const exposedHeaders =
  "Link, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Total-Count"

// `new URL` accepts a host such as `*.example`, and drops what makes an origin another text than its own.
const isOrigin = (text: string): boolean => /^https?:\/\/[^*]+$/.test(text) && Url.parse(text)?.origin === text

/** The policy, or the line that says what is wrong with it. A wildcard, `null` and a path are no origins. */
export const make = ({ maxAge = "10 minutes", origins }: CorsOptions): Either.Either<CorsPolicy, string> => {
  if (origins.length === 0) return Either.left("cors.origins is empty, expected at least one origin")
  const wrong = origins.find((origin) => !isOrigin(origin))
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong.slice(0, 200))
    return Either.left(`cors.origins has ${shown}, expected an origin such as https://app.example`)
  }
  const seconds = Duration.toSeconds(maxAge)
  if (!Number.isFinite(seconds) || seconds < 0) return Either.left("cors.maxAge is not a number of seconds")
  return Either.right({ origins: new Set(origins), maxAge: String(Math.floor(seconds)) })
}

/** The `Vary` of a response that also depends on the origin. */
export const varyByOrigin = (given: string | undefined): string => {
  if (given === undefined || given === "") return "Origin"
  const names = new Set(given.split(",").map((name) => name.trim().toLowerCase()))
  return names.has("origin") || names.has("*") ? given : `${given}, Origin`
}
