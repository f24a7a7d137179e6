// The texts of the ways in: their list on the account page, and the pages that set and remove the password.
import type { Catalogue } from "../../http/Languages.ts"
import type { PasswordState } from "./WaysIn.ts"

/** The default texts. */
export const english = {
  title: "Ways to sign in",
  lead: "Keep more than one, so that a lost device does not lock you out.",
  /** Above a removal that is refused. */
  last: "This is your only way to sign in. Add another one first.",
  /** Beside the password. */
  states: { set: "set", locked: "locked", none: "not set" } satisfies Record<PasswordState, string>,
  passkeys: "Passkeys",
  /** The identities at other providers. */
  identities: "Linked accounts",
  /** Beside one of the other ways in that the account does not have. */
  none: "none",
  set: {
    title: "Set a password",
    lead: "You can then sign in with your e-mail address and this password, too. Other devices will be signed out.",
    button: "Set password",
    done: "Password set. Other devices were signed out.",
    /** Somebody has set one meanwhile. */
    exists: "Your account has a password."
  },
  remove: {
    title: "Remove your password",
    lead: "Nobody can then sign in with a password. Your other ways to sign in stay, and other devices will be signed out.",
    button: "Remove password",
    done: "Password removed. Other devices were signed out."
  },
  /** For a password that is locked until it is reset. */
  locked: {
    title: "Your password is locked",
    lead: "It was locked when a change was reported as “This was not me”. Choose a new one by a link that we send to your e-mail address.",
    button: "Send a reset link"
  }
}

/** Every text of the ways in. */
export interface MethodTexts extends Catalogue<typeof english> {}
