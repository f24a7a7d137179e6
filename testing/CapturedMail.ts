// The messages that a program sent during a test.
import { Context, type Effect } from "effect"

/** A message with readable text: nothing of it is redacted. */
export interface CapturedMessage {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The messages that were sent during the test. `TestApp` provides it. */
export class CapturedMail extends Context.Tag("effect-framework/testing/CapturedMail")<
  CapturedMail,
  {
    /** The messages so far, oldest first. Waits for the work after responses. */
    readonly messages: Effect.Effect<ReadonlyArray<CapturedMessage>>
    readonly messagesTo: (email: string) => Effect.Effect<ReadonlyArray<CapturedMessage>>
    /** The path of the link in the last message to this address: `client.get(path)` opens it. */
    readonly linkTo: (email: string) => Effect.Effect<string>
  }
>() {}
