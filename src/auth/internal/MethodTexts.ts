// The texts of the ways in: their list on the account page, and the pages that set and remove the password.
import type { PasswordState } from "./WaysIn.ts"

/** Every text of the ways in. */
export interface MethodTexts {
  readonly title: string
  readonly lead: string
  /** Above a removal that is refused. */
  readonly last: string
  /** Beside the password. */
  readonly states: Readonly<Record<PasswordState, string>>
  readonly passkeys: string
  /** The identities at other providers. */
  readonly identities: string
  /** Beside one of the other ways in that the account does not have. */
  readonly none: string
  readonly set: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly done: string
    /** Somebody has set one meanwhile. */
    readonly exists: string
  }
  readonly remove: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly done: string
  }
  /** For a password that is locked until it is reset. */
  readonly locked: {
    readonly title: string
    readonly lead: string
    readonly button: string
  }
}

/** The default texts. */
export const english: MethodTexts = {
  title: "Ways to sign in",
  lead: "Keep more than one, so that a lost device does not lock you out.",
  last: "This is your only way to sign in. Add another one first.",
  states: { set: "set", locked: "locked", none: "not set" },
  passkeys: "Passkeys",
  identities: "Linked accounts",
  none: "none",
  set: {
    title: "Set a password",
    lead: "You can then sign in with your e-mail address and this password, too. Other devices will be signed out.",
    button: "Set password",
    done: "Password set. Other devices were signed out.",
    exists: "Your account has a password."
  },
  remove: {
    title: "Remove your password",
    lead: "Nobody can then sign in with a password. Your other ways to sign in stay, and other devices will be signed out.",
    button: "Remove password",
    done: "Password removed. Other devices were signed out."
  },
  locked: {
    title: "Your password is locked",
    lead: "It was locked when a change was reported as “This was not me”. Choose a new one by a link that we send to your e-mail address.",
    button: "Send a reset link"
  }
}
