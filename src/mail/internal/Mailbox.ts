// The messages that the file transport has written, for the pages of `development`. Nothing provides it elsewhere.
import { Context, type Effect, type Option } from "effect"

/** The head of a message. */
export interface StoredHead {
  /** The name of its file. */
  readonly name: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly from: string
  readonly to: string
  readonly subject: string
}

/** A whole message; a part that it lacks is empty. */
export interface StoredMessage extends StoredHead {
  readonly text: string
  readonly html: string
}

/** Reads the messages. */
interface Messages {
  /** The newest messages, the newest first, and how many more there are. */
  readonly list: Effect.Effect<{ readonly messages: ReadonlyArray<StoredHead>; readonly more: number }>
  /** `None` for a name that is not one of a message. */
  readonly read: (name: string) => Effect.Effect<Option.Option<StoredMessage>>
}

/** The messages of the file transport; `undefined` where there is none. */
export class Mailbox extends Context.Reference<Mailbox>()("effect-framework/mail/Mailbox", {
  defaultValue: (): Messages | undefined => undefined
}) {}
