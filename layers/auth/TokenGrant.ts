// What stores of split tokens share: the bounds of a grant, and the halves to look up.
import { Duration, Effect, Redacted } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { InvalidGrant } from "../../src/auth/Secret.ts"
import { type Halves, parse } from "../../src/auth/SplitToken.ts"

/** The lifetime in whole seconds; fails without a user or with less than a second. */
export const validateGrant = (user: AccountId, ttl: Duration.DurationInput): Effect.Effect<number, InvalidGrant> => {
  const seconds = Math.floor(Duration.toSeconds(ttl))
  return user !== "" && seconds >= 1 ? Effect.succeed(seconds) : new InvalidGrant({ user, seconds })
}

/** The halves of a token. For malformed text the selector is empty, which matches no row. */
export const halvesOf = (token: Redacted.Redacted): Halves =>
  parse(Redacted.value(token)) ?? { selector: "", verifier: Redacted.value(token).slice(0, 64) }
