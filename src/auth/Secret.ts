// Secrets in two halves: a selector that finds the row and a verifier that proves the right to it.
import type { Redacted } from "effect"
import { Context, Schema } from "effect"
import type { AccountId } from "./Identity.ts"

/** Where chance comes from. A tag, so that a test can turn it. */
export class Entropy extends Context.Tag("effect-framework/auth/Entropy")<
  Entropy,
  { readonly bytes: (size: number) => Uint8Array }
>() {}

/** A secret that was just made. The store keeps its digest only: this is the one time that the value is seen. */
export interface Token {
  /** `selector.verifier` */
  readonly value: Redacted.Redacted
  readonly user: AccountId
}

/** Nobody to grant it to, or no time to use it in. */
export class InvalidGrant extends Schema.TaggedError<InvalidGrant>("effect-framework/auth/InvalidGrant")(
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
