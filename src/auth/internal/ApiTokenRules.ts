// How many API tokens an account has, and how long they live.
import { Duration, Schema } from "effect"

/** Tokens of one account at a time. */
export const maxTokens = 50

/** The lifetimes that a person can choose from, in days. */
export const lifetimes = [7, 30, 90, 365] as const

/** The default lifetime of a token. */
export const defaultTtl = Duration.days(90)

/** The account has as many tokens as it may have. */
export class TooManyApiTokens extends Schema.TaggedError<TooManyApiTokens>("effect-framework/auth/TooManyApiTokens")(
  "TooManyApiTokens",
  { limit: Schema.Number }
) {
  override get message() {
    return `An account has at most ${this.limit} API tokens.`
  }
}
