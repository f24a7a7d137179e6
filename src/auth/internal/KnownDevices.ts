// Devices on which an account has signed in before. A cookie names them; it grants nothing by itself.
import { Context, Duration, type Effect, type Option } from "effect"
import type { AccountId } from "../../session/Identity.ts"

/** The name of the cookie. */
export const cookieName = "known_device"

/** How long a browser keeps the cookie: as long as browsers keep any. */
export const cookieTtl = Duration.days(400)

/** A device that an account has used. */
export interface KnownDevice {
  /** Names the browser. */
  readonly device: string
  /** Epoch seconds of the last sign-in on it. */
  readonly since: number
}

/** Writes and reads the cookie by which a browser is known to the accounts that signed in on it. */
export class KnownDevices extends Context.Tag("effect-framework/auth/KnownDevices")<
  KnownDevices,
  {
    /** The cookie after a sign-in of this account; other accounts of the given cookie stay known, up to five. */
    readonly remember: (cookie: string | undefined, user: AccountId) => Effect.Effect<string>
    /** The device of this cookie, where this account has signed in on it; `None` for a forged or another account's one. */
    readonly find: (cookie: string | undefined, user: AccountId) => Effect.Effect<Option.Option<KnownDevice>>
  }
>() {}
