// Secrets that are handed out once, and the source of randomness they are made from.
import type { Redacted } from "effect"
import { Context, Schema } from "effect"
import type { AccountId } from "./Identity.ts"

/** The source of random bytes. A tag, so that a test can fix it. */
export class Entropy extends Context.Tag("effect-framework/session/Entropy")<
  Entropy,
  { readonly bytes: (size: number) => Uint8Array }
>() {}

/** A new secret. The store keeps its digest only, so the value is available only here. */
export interface Token {
  /** `selector.verifier` */
  readonly value: Redacted.Redacted
  readonly user: AccountId
}

/** A token needs a user, and a lifetime of at least a second. */
export class InvalidGrant extends Schema.TaggedError<InvalidGrant>("effect-framework/session/InvalidGrant")(
  "InvalidGrant",
  {
    user: Schema.String,
    seconds: Schema.Number
  }
) {
  override get message() {
    return this.user === "" ? "A token needs a user." : `A token must live for at least 1 s, not ${this.seconds} s.`
  }
}
