// What a sign-in with a provider leaves in the database for a moment: which states were used, and codes for clients without
// cookies. Both are stored as digests.
import { Context, Duration, type Effect, type Option } from "effect"

/** How long a person has between the button and the return from the provider. */
export const flowLifetime = Duration.minutes(10)

/** How long a client without cookies has to redeem its code. */
export const codeLifetime = Duration.seconds(60)

/** What a session has the handle of the identity under that it was begun by. */
export const sessionKey = "identity"

/** What a session has there that a remembered device has begun: which identity has trusted the device is not known. */
export const resumed = "resumed"

/** How a code is issued. */
interface IssueOptions {
  /** S256 of a text that only the client knows: whoever reads the code on its way cannot use it. */
  readonly challenge?: string
  readonly lifetime?: Duration.Duration
}

/** Keeps each state and each code from being used twice, on every worker. */
export class ProviderFlows extends Context.Tag("effect-framework/auth/ProviderFlows")<
  ProviderFlows,
  {
    /** Uses a value up; `false` when it was used before. */
    readonly claim: (value: string) => Effect.Effect<boolean>
    /** Stores data under a new code: for a minute unless stated, and for anyone who has it unless there is a challenge. */
    readonly issue: (code: string, data: string, options?: IssueOptions) => Effect.Effect<void>
    /**
     * The data of a code, once; `None` for one that is unknown, used or late. One with a challenge needs the text that it was
     * made of.
     */
    readonly redeem: (code: string, verifier?: string) => Effect.Effect<Option.Option<string>>
    /** Deletes what has expired; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
