// What stores of split tokens share: the bounds of a grant, and the halves to look up.
import { Duration, Effect, Redacted } from "effect"
import type { AccountId } from "../../src/auth/Identity.ts"
import { InvalidGrant } from "../../src/auth/Secret.ts"
import { type Halves, parse } from "../../src/auth/SplitToken.ts"

/** The whole seconds of a grant that makes sense. */
export const grantable = (user: AccountId, ttl: Duration.DurationInput): Effect.Effect<number, InvalidGrant> => {
  const seconds = Math.floor(Duration.toSeconds(ttl))
  return user !== "" && seconds >= 1 ? Effect.succeed(seconds) : new InvalidGrant({ user, seconds })
}

/** The halves to look for: no row has an empty selector. */
export const halvesOf = (token: Redacted.Redacted): Halves =>
  parse(Redacted.value(token)) ?? { selector: "", verifier: Redacted.value(token).slice(0, 64) }
