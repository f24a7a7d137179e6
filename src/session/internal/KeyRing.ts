// The keys that sign guests' session cookies, and those that seal what must be readable again. All workers share them.
import { Context, type Effect, type Option } from "effect"

/** One signing key; its number is part of what it signs. */
export interface Key {
  readonly id: number
  readonly secret: Uint8Array
  /** Epoch seconds. */
  readonly created: number
}

/** The keys that a worker has in memory. */
export interface Keys {
  /** The key to sign with. */
  readonly signing: Key
  /** The key of this number, while its signatures are accepted. */
  readonly find: (id: number) => Key | undefined
}

/** A sealed text, and the number of the key that opens it. */
interface Sealed {
  readonly text: string
  readonly key: number
}

/** The keys that all workers share. */
export class KeyRing extends Context.Tag("effect-framework/session/KeyRing")<
  KeyRing,
  {
    /** The keys, cached for up to a minute. */
    readonly ring: Effect.Effect<Keys>
    /**
     * Encrypts and authenticates a text for the database, with a key of its own kind: a signing key ends with its signatures,
     * a sealing key stays for as long as a row needs it. `context` names the row, so that no text opens in another one.
     */
    readonly seal: (text: string, context: string) => Effect.Effect<Sealed>
    /** The sealed text; `None` when it was changed, belongs to another context, or its key is unknown. */
    readonly unseal: (sealed: string, context: string) => Effect.Effect<Option.Option<string>>
    /** Makes a new key of both kinds. Signatures of the old ones stay valid for as long as a session may live. */
    readonly rotate: Effect.Effect<void>
    /** Deletes keys whose signatures have all expired, and sealing keys that no row needs; returns how many. */
    readonly sweep: Effect.Effect<number>
  }
>() {}
