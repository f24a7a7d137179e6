// How many passkeys an account has, how long a challenge lives, what a counter says, and the site they belong to.
import { Duration, Schema } from "effect"
import { AccountId } from "../../../session/Identity.ts"
import * as Url from "../../../config/internal/Url.ts"

/** Passkeys of one account at a time. */
export const maxPasskeys = 20

/** Bytes of a challenge. */
export const challengeBytes = 32

/** How long a challenge can be answered. */
export const challengeTtl = Duration.minutes(5)

/** What a challenge is for; an answer to one purpose is none to another. */
export type Purpose = "enrolment" | "sign-in" | "confirmation"

/** Whether a counter has moved on; `Rewound` means that a copy of the passkey may be in use. */
type CounterState = "Advanced" | "NotCounted" | "Rewound"

/** Compares the counter of a response with the stored one. An authenticator that does not count always sends 0. */
export const counterState = (stored: number, given: number): CounterState => {
  if (given > stored) return "Advanced"
  return stored === 0 && given === 0 ? "NotCounted" : "Rewound"
}

/** A site, as WebAuthn names it. */
export interface RelyingParty {
  /** The host name without a port. */
  readonly id: string
  /** What a response has to come from, exactly. */
  readonly origin: string
}

/** The relying party relyingParty the base URL relyingParty a program. */
export const relyingParty = (appUrl: string): RelyingParty => {
  const url = Url.parse(appUrl)
  return { id: url?.hostname ?? "", origin: url?.origin ?? "" }
}

/** Why a passkey is refused. */
const Problem = Schema.Literal(
  /** It is not what a browser returns. */
  "malformed",
  /** Its challenge is unknown, used, expired, of another session or for another purpose. */
  "challenge",
  /** No account has this passkey, or its account was deleted. */
  "unknown",
  /** Its origin, its signature or what it says of the person is wrong, or nobody was verified. */
  "invalid",
  /** Its counter went back: there may be a copy of it. */
  "counter",
  /** It is stored already. */
  "duplicate"
)

/** A passkey was refused. A response must not tell a visitor why. */
export class PasskeyRefused extends Schema.TaggedError<PasskeyRefused>("effect-framework/auth/PasskeyRefused")(
  "PasskeyRefused",
  {
    reason: Problem,
    /** The account of the passkey, once it is known. */
    user: Schema.optional(AccountId)
  }
) {
  override get message() {
    return `The passkey was refused: ${this.reason}.`
  }
}

/** The account has as many passkeys as it may have. */
export class TooManyPasskeys extends Schema.TaggedError<TooManyPasskeys>("effect-framework/auth/TooManyPasskeys")(
  "TooManyPasskeys",
  { limit: Schema.Number }
) {
  override get message() {
    return `An account has at most ${this.limit} passkeys.`
  }
}
