// How many API tokens an account has, and how long they live.
import { Duration } from "effect"

/** Tokens of one account at a time. */
export const maxTokens = 50

/** Characters of the name of a token. */
export const maxName = 100

/** The lifetimes that a person can choose from, in days. */
export const lifetimes = [7, 30, 90, 365] as const

/** The default lifetime of a token. */
export const defaultTtl = Duration.days(90)
